/**
 * Maps instance types to the vCPU quotas of an account in a region. Each quota covers several instance families, and on-demand
 * and spot have separate quotas (EC2 User Guide, "On-Demand Instance quotas" and "Spot Instance quotas").
 */

/** The quota by the letters at the beginning of the family name, for every quota except that of the standard families. */
const BY_LETTERS: ReadonlyMap<string, string> = new Map([
  ['dl', 'DL'],
  ['f', 'F'],
  ['g', 'G and VT'],
  ['gr', 'G and VT'],
  ['vt', 'G and VT'],
  ['hpc', 'HPC'],
  ['inf', 'Inf'],
  ['p', 'P'],
  ['trn', 'Trn'],
  ['u', 'High Memory'],
  ['x', 'X'],
])
const STANDARD = /^[acdhimrtz]/
const LAST_OF_OLD_P = 4

/** Returns the spot quota of a P family. The older P families share a quota, but P5 has a separate one. */
const spotQuotaOfP = (instanceType: string): string => {
  const generation = Number(/^p(\d+)/.exec(instanceType)?.[1] ?? 0)
  return generation > LAST_OF_OLD_P ? 'P5' : 'P4, P3 and P2'
}

/** Returns the name of the quota for the instance type, as in Service Quotas. Types that share a quota have the same name. */
export const vcpuQuotaCode = (instanceType: string, capacityType: string): string => {
  const letters = /^[a-z]+/.exec(instanceType)?.[0] ?? ''
  const special = BY_LETTERS.get(letters)
  if (special === 'P' && capacityType === 'spot') return spotQuotaOfP(instanceType)
  if (special !== undefined) return special
  // Mac instances run only on dedicated hosts, which have a quota for each family.
  return letters !== 'mac' && STANDARD.test(letters) ? 'Standard' : letters
}
