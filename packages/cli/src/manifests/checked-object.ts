import type { KubeObject } from '@kerf/apis'
import { nearest } from '@kerf/runtime'

/** An object as an API server would read it, and the server's validation errors. */
export interface CheckedObject {
  /** The object without unknown fields. */
  readonly object: KubeObject
  /**
   * Messages about fields that the kind does not have. An API server drops these fields. With `--validate=strict`, it refuses the object.
   */
  readonly unknown: readonly string[]
  /** Messages about errors for which an API server refuses the object in every mode of `--validate`. */
  readonly invalid: readonly string[]
}

/** Returns the message for an unknown field, with a suggestion if a known field is similar. */
export const unknownField = (field: string, beside: readonly string[], elsewhere: readonly string[]): string => {
  const name = field.slice(field.lastIndexOf('.') + 1)
  const [only, ...others] = elsewhere
  const meant = only !== undefined && others.length === 0 ? only : nearest(name, beside)
  return `${field}: unknown field${meant === undefined ? '' : `, did you mean ${meant}?`}`
}
