/** How to compute the hashed image family, which comes from a field of the node class or from a term that selects an image. */
export interface ImageFamilyRule {
  /** The spec field that contains the family. */
  readonly field: string
  /** Whether the field itself is hashed, in addition to the resulting family. */
  readonly isFieldHashed?: boolean
  /** The field with the list of terms. A term can have an `alias` of the form `family@version`. */
  readonly terms: string
  /** Image families, keyed by the part of the alias before `@`. */
  readonly aliases: Readonly<Record<string, string>>
  /** Families, keyed by the `family` of a term without an alias. */
  readonly termFamilies?: Readonly<Record<string, string>>
  /** The family if there is no field, alias or `family`. */
  readonly otherwise: string
}

/**
 * How the provider's hash treats the fields of the spec, so that drift can be predicted without computing the hash. Paths are field names
 * separated by dots, without list indexes. A list is treated as a set in which two equal items cancel each other, unless it is in
 * `ordered`.
 */
export interface HashReading {
  /** Fields whose values `false`, `0` and `''` are hashed in the same way as a missing field. */
  readonly zeroIsNone?: readonly string[]
  /** Fields whose empty list or empty object is hashed in the same way as a missing field. */
  readonly emptyIsNone?: readonly string[]
  readonly ordered?: readonly string[]
  /** Fields that are hashed as the canonical text of a quantity. */
  readonly quantities?: readonly string[]
  /** Quantities of which only the unit system (binary or decimal) is hashed. */
  readonly quantityUnits?: readonly string[]
  /** Fields that are hashed as a duration, regardless of its unit. */
  readonly durations?: readonly string[]
}

/** How an edit of a node class affects the provider's NodeClaims. Paths are field names separated by dots, without list indexes. */
export interface ClassDriftRule extends HashReading {
  /** Whether NodeClaims store a hash of their node class, which is compared with its current hash. */
  readonly isHashed: boolean
  /** Fields that select cloud resources. They are not part of the hash. Instead, Kerf compares the selected resources with the instance. */
  readonly selectors: readonly string[]
  /** Fields that are neither hashed nor compared. */
  readonly unhashed: readonly string[]
  readonly imageFamily?: ImageFamilyRule
  /**
   * Fields that change neither the instance types of the NodePools nor their capacity or price. After an edit of only these fields, the
   * dashboard can forecast nodes and cost.
   */
  readonly typeNeutral?: readonly string[]
}
