/**
 * Checked reads of columns: arrays that are looked up by the number of a claim, node, domain or offering. A fallback in place
 * of a missing entry would turn a fault into a plan that is merely strange; these throw.
 *
 * There is one function for each sort of array, because V8 then compiles each for a single sort and inlines it. `name` says
 * whose column it is, where the stack trace alone would not.
 */

/** An amount of a column. @throws RangeError for an id without an entry */
export const floatAt = (column: Float64Array, id: number, name?: string): number =>
  column[id] ?? noEntry(column, id, name)

/** A number of a column of whole numbers. @throws RangeError for an id without an entry */
export const intAt = (column: Int32Array, id: number, name?: string): number => column[id] ?? noEntry(column, id, name)

/** A word of a set of bits. @throws RangeError for a word beyond the set */
export const wordAt = (bits: Uint32Array, word: number): number => bits[word] ?? noEntry(bits, word, 'bits')

/** A number of a list. @throws RangeError for a place beyond the list */
export const entryAt = <Entry extends number>(list: readonly Entry[], place: number, name?: string): Entry =>
  list[place] ?? noEntry(list, place, name)

const noEntry = ({ length }: { readonly length: number }, id: number, name?: string): never =>
  outOfRange(name ?? `of ${length} entries`, id)

/**
 * The same for the innermost loops of the improvement pass, as in `used[column] ?? outOfRange('used', column)`: there even
 * a call that V8 inlines made whole decisions 7 % slower, and this form costs nothing while the entry is there.
 * @throws RangeError always
 */
export const outOfRange = (column: string, id: number): never => {
  throw new RangeError(`No entry ${id} in the column "${column}". This is a fault in Kerf: please report it.`)
}
