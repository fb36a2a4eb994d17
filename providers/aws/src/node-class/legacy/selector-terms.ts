import { plainText } from '@kerf/apis'
import type { Json } from '@kerf/apis/legacy'

/**
 * The terms into which an old selector is converted. In the old selector a comma meant "or", and several keys meant "and"
 * (`docs/spec/older-apis.md#awsnodetemplate-and-ec2nodeclass`).
 */
export interface SelectorTerms {
  readonly terms: readonly Json[]
  /** Describes the part of the selector that the terms cannot express. */
  readonly note?: string
}

const listed = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value.map(plainText).join() : plainText(value))
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Returns the values of a tag in an old selector. There, an empty value matched any value. */
const tagValues = (value: unknown): readonly string[] => {
  const values = listed(value)
  return values.length === 0 ? ['*'] : values
}

const product = (
  choices: readonly (readonly [string, readonly string[]])[],
): readonly Readonly<Record<string, string>>[] =>
  choices.reduce<readonly Readonly<Record<string, string>>[]>(
    (partial, [key, values]) => partial.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
    [{}],
  )

const selectorIds = (selector: Json): readonly string[] => listed(selector['aws::ids'] ?? selector['aws-ids'] ?? '')
const tagChoices = (selector: Json): readonly (readonly [string, readonly string[]])[] =>
  Object.entries(selector)
    .filter(([key]) => !/^aws(::|-)/.test(key))
    .map(([key, value]) => [key, tagValues(value)] as const)

/** Converts `subnetSelector` and `securityGroupSelector`. */
export const selectorTerms = (selector: Json): SelectorTerms => {
  const ids = selectorIds(selector)
  const tags = tagChoices(selector)
  if (ids.length === 0) return { terms: product(tags).map((each) => ({ tags: each })) }
  return {
    terms: ids.map((id) => ({ id })),
    ...(tags.length === 0
      ? {}
      : { note: `an id excludes tags in v1: ${tags.map(([key]) => key).join(', ')} no longer narrow the choice` }),
  }
}

/** Converts `amiSelector`: by id, by name and owner, or by tags. */
export const amiTerms = (selector: Json): SelectorTerms => {
  const ids = selectorIds(selector)
  const tags = tagChoices(selector)
  const note =
    tags.length === 0
      ? undefined
      : 'tags on the image no longer tell which types it fits: state what it needs in the requirements of the NodePool'
  if (ids.length > 0) return { terms: ids.map((id) => ({ id })), ...(note === undefined ? {} : { note }) }
  const named = product(
    (['name', 'owners'] as const)
      .map((key) => [key === 'owners' ? 'owner' : key, listed(selector[`aws::${key}`] ?? '')] as const)
      .filter(([, values]) => values.length > 0),
  )
  const terms = product(tags).flatMap((each) =>
    named.map((name) => ({ ...name, ...(tags.length === 0 ? {} : { tags: each }) })),
  )
  return { terms, ...(note === undefined ? {} : { note }) }
}
