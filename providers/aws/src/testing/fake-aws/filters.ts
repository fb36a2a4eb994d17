import type { Filter } from '@aws-sdk/client-ec2'
import { sdkError } from './sdk-error.ts'

const isWild = (pattern: string): boolean => /[*?]/.test(pattern)

const matchesText = (pattern: string, text: string | undefined): boolean =>
  text !== undefined &&
  (isWild(pattern)
    ? new RegExp(
        `^${pattern
          .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
      ).test(text)
    : pattern === text)

/** The maximum number of filters in one request (Amazon EC2 User Guide, "Filter your Amazon EC2 resources"). */
const MOST_FILTERS = 50
const MOST_VALUES = 200

/** Throws if a request has more filters, or a filter more values, than EC2 accepts. */
export const checkFilterLimits = (filters: readonly Filter[]): void => {
  if (filters.length > MOST_FILTERS || filters.some(({ Values = [] }) => Values.length > MOST_VALUES))
    throw sdkError({ code: 'FilterLimitExceeded', message: 'The maximum number of filter values is 200' })
}

/** Returns true if an object matches all filters. It must have one of the values of each filter. */
export const passes = (
  filters: readonly Filter[],
  valuesOf: (name: string) => readonly (string | undefined)[],
): boolean =>
  filters.every(({ Name = '', Values = [] }) =>
    valuesOf(Name).some((value) => Values.some((pattern) => matchesText(pattern, value))),
  )

export const tagValues = (
  tags: Readonly<Record<string, string>>,
  name: string,
): readonly (string | undefined)[] | undefined => {
  if (name === 'tag-key') return Object.keys(tags)
  return name.startsWith('tag:') ? [tags[name.slice('tag:'.length)]] : undefined
}
