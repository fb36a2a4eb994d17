/**
 * This file contains checked reads of columns: arrays indexed by the number of a claim, node, domain or offering. The functions throw if an
 * entry is missing. A default value would turn a bug into a plan that only looks odd.
 *
 * There is one function per array type, so that V8 compiles each for a single type and inlines it. `name` is the column's name in the error
 * message, for cases in which the stack trace does not make it clear.
 */

/** Returns a number from a column of doubles. @throws RangeError if `id` has no entry */
export const floatAt = (column: Float64Array, id: number, name?: string): number =>
  column[id] ?? noEntry(column, id, name)

/** Returns a number from a column of integers. @throws RangeError if `id` has no entry */
export const intAt = (column: Int32Array, id: number, name?: string): number => column[id] ?? noEntry(column, id, name)

/** Returns a word of a bit set. @throws RangeError if `word` is beyond the set */
export const wordAt = (bits: Uint32Array, word: number): number => bits[word] ?? noEntry(bits, word, 'bits')

/** Returns an entry from a list of numbers. @throws RangeError if `place` is beyond the list */
export const entryAt = <Entry extends number>(list: readonly Entry[], place: number, name?: string): Entry =>
  list[place] ?? noEntry(list, place, name)

const noEntry = ({ length }: { readonly length: number }, id: number, name?: string): never =>
  outOfRange(name ?? `of ${length} entries`, id)

/**
 * Throws the RangeError that the functions above throw. The innermost loops of the improvement pass use it directly: `used[column] ??
 * outOfRange('used', column)`. There, even an inlined call of one of the functions above made whole decisions 7 % slower. This form costs
 * nothing if the entry exists.
 * @throws RangeError always
 */
export const outOfRange = (column: string, id: number): never => {
  throw new RangeError(`No entry ${id} in the column "${column}". This is a fault in Kerf: please report it.`)
}
