/**
 * The quotas of vCPUs that an account has in a region, each for several families of instance types, apart for on-demand and
 * for spot (EC2 User Guide, "On-Demand Instance quotas" and "Spot Instance quotas").
 */

/** The letters that a family's name begins with, for every quota except that of the standard families. */
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

/** Spot has one quota for the older P families, and another one for P5. */
const spotQuotaOfP = (instanceType: string): string => {
  const generation = Number(/^p(\d+)/.exec(instanceType)?.[1] ?? 0)
  return generation > LAST_OF_OLD_P ? 'P5' : 'P4, P3 and P2'
}

/** The name of the quota that instances of the type count against, as Service Quotas words its kind; equal for types that share one. */
export const vcpuQuotaOf = (instanceType: string, capacityType: string): string => {
  const letters = /^[a-z]+/.exec(instanceType)?.[0] ?? ''
  const special = BY_LETTERS.get(letters)
  if (special === 'P' && capacityType === 'spot') return spotQuotaOfP(instanceType)
  if (special !== undefined) return special
  // Mac runs on dedicated hosts only, which have a quota for each family.
  return letters !== 'mac' && STANDARD.test(letters) ? 'Standard' : letters
}
