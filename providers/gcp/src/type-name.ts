/** The parts of an instance type's name. */
export interface TypeName {
  readonly family: string
  readonly shape: string
  readonly size: string
  /** The generation of the family. Undefined if the family has no digit at the usual position. */
  readonly generation: string | undefined
}

/** Returns the digit of the family: its last character, or the second of three characters. */
const generationIn = (family: string): string | undefined => {
  const character = family.at(family.length === 3 ? -2 : -1) ?? ''
  return /^\d$/.test(character) ? character : undefined
}

/**
 * Splits the name of an instance type at hyphens. The size is the last word, or the last word that begins with a digit if there are more
 * than three. Returns undefined for a name of one word (`providers/gcp/docs/spec/gcp.md#labels-resources-names`).
 */
export const parseTypeName = (name: string): TypeName | undefined => {
  const words = name.split('-')
  const [family = '', shape] = words
  if (shape === undefined) return undefined
  const last = words.at(-1) ?? ''
  const size = words.length > 3 ? (words.findLast((word) => /^\d/.test(word)) ?? last) : last
  return { family, shape, size, generation: generationIn(family) }
}
