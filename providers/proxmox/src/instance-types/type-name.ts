/** Returns the name of a generated type, for example `s1.2VCPU-8GB`. The memory is in GiB. */
export const typeName = (family: string, cpus: number, gibibytes: number): string =>
  `${family}1.${cpus}VCPU-${gibibytes}GB`

/** Returns the family in the name of a type: the text before the first dot. */
export const typeFamily = (name: string): string => name.split('.')[0] ?? name
