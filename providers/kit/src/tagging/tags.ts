import { ownValue } from '@kerf/apis'

/** The tags of an instance, which are names and values defined by users. */
export type Tags = Readonly<Record<string, string>>

export const isEmpty = (tags: Tags): boolean => Object.keys(tags).length === 0

/** Returns the wanted tags that are missing. A tag with a different value does not count as missing, because a user may have set it. */
export const missingIn = (tags: Tags, wanted: Tags): Tags =>
  Object.fromEntries(Object.entries(wanted).filter(([key]) => ownValue(tags, key) === undefined))
