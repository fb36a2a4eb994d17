/** How to determine the hashed image family. It comes from a field of the node class, or from a term that selects an image. */
export interface ImageFamilyRule {
  /** The spec field that contains the family. */
  readonly field: string
  /** Whether the field itself is hashed as well as the resulting family. */
  readonly isFieldHashed?: boolean
  /** The field with the list of terms. A term may have an `alias` of the form `family@version`. */
  readonly terms: string
  /** Image families, keyed by the part of the alias before `@`. */
  readonly aliases: Readonly<Record<string, string>>
  /** Image families, keyed by the `family` of a term without an alias. */
  readonly termFamilies?: Readonly<Record<string, string>>
  /** The image family if there is neither a field value nor an alias or `family`. */
  readonly otherwise: string
}

/**
 * How the provider's hash treats the fields of the spec, so that drift can be predicted without computing the hash. Paths are field names
 * separated by dots, without list indexes. Unless a list is in `ordered`, it is treated as a set in which two equal items cancel each
 * other.
 */
export interface HashReading {
  /** Fields whose values `false`, `0` and `''` have the same hash as a missing field. */
  readonly zeroIsNone?: readonly string[]
  /** Fields whose empty list or empty object has the same hash as a missing field. */
  readonly emptyIsNone?: readonly string[]
  readonly ordered?: readonly string[]
  /** Fields that are hashed as the canonical text of a quantity. */
  readonly quantities?: readonly string[]
  /** Quantities of which only the unit system (binary or decimal) affects the hash. */
  readonly quantityUnits?: readonly string[]
  /** Fields that are hashed as durations, so that different units of the same duration have the same hash. */
  readonly durations?: readonly string[]
}

/** How an edit of a node class affects the NodeClaims of the provider. Paths are field names separated by dots, without list indexes. */
export interface ClassDriftRule extends HashReading {
  /** Whether NodeClaims store a hash of their node class, which Kerf compares with the node class's current hash. */
  readonly isHashed: boolean
  /**
   * Fields that select cloud resources. They are not part of the hash. Instead, Kerf compares the selected resources with those of the
   * instance.
   */
  readonly selectors: readonly string[]
  /** Fields that are neither hashed nor compared. */
  readonly unhashed: readonly string[]
  readonly imageFamily?: ImageFamilyRule
  /**
   * Fields that do not affect the instance types of NodePools, their capacity or their price. After an edit of only these fields, the
   * dashboard can forecast nodes and cost.
   */
  readonly typeNeutral?: readonly string[]
}
