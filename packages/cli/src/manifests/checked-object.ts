import type { KubeObject } from '@kerf/apis'
import { nearest } from '@kerf/runtime'

/** An object as an API server reads it, with the server's objections. */
export interface CheckedObject {
  /** The object without unknown fields. */
  readonly object: KubeObject
  /** Messages for fields that the kind does not have. An API server drops them, or refuses the object with `--validate=strict`. */
  readonly unknown: readonly string[]
  /** Messages for what an API server refuses with every mode of `--validate`. */
  readonly invalid: readonly string[]
}

/** Returns the message for an unknown field, with a suggestion if a known field is similar. */
export const unknownField = (field: string, beside: readonly string[], elsewhere: readonly string[]): string => {
  const name = field.slice(field.lastIndexOf('.') + 1)
  const [only, ...others] = elsewhere
  const meant = only !== undefined && others.length === 0 ? only : nearest(name, beside)
  return `${field}: unknown field${meant === undefined ? '' : `, did you mean ${meant}?`}`
}
