/** A hashed value that a field gives, else a term that selects an image. */
export interface ImageFamily {
  /** The field that names it. */
  readonly field: string
  /** Whether the field is hashed as it stands, besides the family that follows. */
  readonly isFieldHashed?: boolean
  readonly terms: string
  /** Families by what stands before `@` in the alias of a term. */
  readonly aliases: Readonly<Record<string, string>>
  /** Families by the family of a term without an alias. */
  readonly termFamilies?: Readonly<Record<string, string>>
  readonly otherwise: string
}

/**
 * What an edit of a node class does to claims of its provider. Paths are names of fields with dots between them; the items of a list are
 * not in them.
 */
export interface ClassDriftRule {
  /** Whether claims are compared with a hash of the class. */
  readonly isHashed: boolean
  /** What selects something in the cloud: not hashed, and compared with what an instance has. */
  readonly selectors: readonly string[]
  /** Neither hashed nor compared. */
  readonly unhashed: readonly string[]
  /** Where `false`, `0` and an empty text are hashed as if nothing stood there. */
  readonly zeroIsNone?: readonly string[]
  /** Where a list or an object without content is hashed as if nothing stood there. */
  readonly emptyIsNone?: readonly string[]
  /** Where lists are hashed in their order. Everywhere else they are sets, in which equal items cancel each other out. */
  readonly ordered?: readonly string[]
  readonly quantities?: readonly string[]
  /** Quantities of which only the kind of unit is hashed, binary or decimal. */
  readonly quantityUnits?: readonly string[]
  readonly durations?: readonly string[]
  readonly imageFamily?: ImageFamily
}
