import type { Resources } from '../instance-type.ts'

/** Exact amounts of a resource record, as entries. */
export const amountEntries = (resources: Resources): readonly (readonly [string, bigint])[] =>
  Object.entries(resources).filter((entry): entry is [string, Resources[string]] => entry[1] !== undefined)
