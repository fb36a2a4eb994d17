import { ownValue } from '@kerf/apis'

/** What clouds keep with an instance: names and values of somebody's own. */
export type Tags = Readonly<Record<string, string>>

export const isEmpty = (tags: Tags): boolean => Object.keys(tags).length === 0

/** The wanted ones that are not there. One with another value is there: somebody may have meant that. */
export const missingIn = (tags: Tags, wanted: Tags): Tags =>
  Object.fromEntries(Object.entries(wanted).filter(([key]) => ownValue(tags, key) === undefined))
