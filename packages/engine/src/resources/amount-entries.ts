import type { Resources } from '../instance-type.ts'

/** Returns the exact amounts of a resource list as entries. */
export const amountEntries = (resources: Resources): readonly (readonly [string, bigint])[] =>
  Object.entries(resources).filter((entry): entry is [string, Resources[string]] => entry[1] !== undefined)
