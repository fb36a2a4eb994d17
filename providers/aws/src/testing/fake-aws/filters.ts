import type { Filter } from '@aws-sdk/client-ec2'

const matchesText = (pattern: string, text: string | undefined): boolean =>
  text !== undefined &&
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(text)

/** Whether something passes the filters: each must have one of its values. */
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
