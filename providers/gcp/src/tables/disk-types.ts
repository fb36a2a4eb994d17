import { DISK_TYPES } from './generated/disk-types.ts'

const listed: ReadonlyMap<string, readonly string[]> = new Map(
  DISK_TYPES.trim()
    .split('\n')
    .map((line) => {
      const [family = '', ...types] = line.split(' ')
      return [family, types]
    }),
)

/** Returns the disk types that a machine family can attach, sorted. Undefined for a family that the table does not contain. */
export const diskTypesOfFamily = (family: string): readonly string[] | undefined => listed.get(family)

/** Every disk type of the table, sorted. */
export const diskTypes: readonly string[] = [...new Set([...listed.values()].flat())].toSorted()
