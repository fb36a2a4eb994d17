/** How a class's image family is found: from a field, else from a term that selects an image. */
export interface ImageFamily {
  /** The field that contains the family. */
  readonly field: string
  /** Whether the field itself is hashed in addition to the resulting family. */
  readonly isFieldHashed?: boolean
  readonly terms: string
  /** Families by the part before `@` in a term's alias. */
  readonly aliases: Readonly<Record<string, string>>
  /** Families by the family of a term without an alias. */
  readonly termFamilies?: Readonly<Record<string, string>>
  readonly otherwise: string
}

/** How an edit of a node class affects claims of its provider. Paths are field names joined by dots, without list indexes. */
export interface ClassDriftRule {
  /** Whether claims are compared with a hash of the class. */
  readonly isHashed: boolean
  /** Fields that select cloud resources. They are not hashed, but compared with the instance. */
  readonly selectors: readonly string[]
  /** Fields that are neither hashed nor compared. */
  readonly unhashed: readonly string[]
  /** Fields in which `false`, `0` and an empty string are hashed as if absent. */
  readonly zeroIsNone?: readonly string[]
  /** Fields in which an empty list or object is hashed as if absent. */
  readonly emptyIsNone?: readonly string[]
  /** Fields whose lists are hashed in order. Other lists are sets, in which equal items cancel each other. */
  readonly ordered?: readonly string[]
  readonly quantities?: readonly string[]
  /** Quantities of which only the kind of unit (binary or decimal) is hashed. */
  readonly quantityUnits?: readonly string[]
  readonly durations?: readonly string[]
  readonly imageFamily?: ImageFamily
}
