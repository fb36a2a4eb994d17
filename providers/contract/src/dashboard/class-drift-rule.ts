/** A hashed value that comes from a field of the class, or from a term that selects an image. */
export interface ImageFamilyRule {
  /** The spec field with the value. */
  readonly field: string
  /** Whether the field itself is hashed in addition to the resulting family. */
  readonly isFieldHashed?: boolean
  /** The field whose items have an `alias` of the form `family@version`. */
  readonly terms: string
  /** Families by the alias's part before `@`. */
  readonly aliases: Readonly<Record<string, string>>
  /** Families by the `family` of a term without an alias. */
  readonly termFamilies?: Readonly<Record<string, string>>
  /** The value without the field, an alias and a family. */
  readonly otherwise: string
}

/**
 * How the hash reads the spec, for predicting drift without the hash itself. Paths are field names separated by dots, without the
 * items of lists. Lists are sets, in which two equal items cancel each other, unless they are `ordered`.
 */
export interface HashReading {
  /** Fields whose values `false`, `0` and the empty string are hashed like a missing field. */
  readonly zeroIsNone?: readonly string[]
  /** Fields whose empty list or object is hashed like a missing field. */
  readonly emptyIsNone?: readonly string[]
  readonly ordered?: readonly string[]
  /** Fields that are hashed as the canonical text of a quantity. */
  readonly quantities?: readonly string[]
  /** Quantities of which only the kind of unit (binary or decimal) is hashed. */
  readonly quantityUnits?: readonly string[]
  /** Fields that are hashed by their duration, whatever its unit. */
  readonly durations?: readonly string[]
}

/** How an edit of a node class affects claims of its provider. Paths are field names joined by dots, without list indexes. */
export interface ClassDriftRule extends HashReading {
  /** Whether claims are compared with a hash of the class. */
  readonly isHashed: boolean
  /** Fields that select cloud resources. They are not hashed, but compared with the instance. */
  readonly selectors: readonly string[]
  /** Fields that are neither hashed nor compared. */
  readonly unhashed: readonly string[]
  readonly imageFamily?: ImageFamilyRule
}
