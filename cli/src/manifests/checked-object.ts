import type { KubeObject } from '@kerf/apis'
import { nearest } from '@kerf/runtime'

/** An object as an API server reads it, and what the server says against it, a text each. */
export interface CheckedObject {
  /** Without unknown fields. */
  readonly object: KubeObject
  /** Fields that its kind does not have. An API server drops them, or refuses the object with `--validate=strict`. */
  readonly unknown: readonly string[]
  /** What an API server refuses in any case. */
  readonly invalid: readonly string[]
}

/** The text about a field that the kind does not have, with the one that was probably meant. */
export const unknownField = (field: string, beside: readonly string[], elsewhere: readonly string[]): string => {
  const name = field.slice(field.lastIndexOf('.') + 1)
  const [only, ...others] = elsewhere
  const meant = only !== undefined && others.length === 0 ? only : nearest(name, beside)
  return `${field}: unknown field${meant === undefined ? '' : `, did you mean ${meant}?`}`
}
