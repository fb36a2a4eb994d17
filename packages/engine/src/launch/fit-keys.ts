import { entryAt, floatAt, intAt, wordAt } from '../column.ts'
import type { OfferingIndex } from '../model/offering-index.ts'

/**
 * Finds the offerings that are large enough for a claim. A row has the allocatable resources of one or more offerings. Claims that fit the
 * same set of rows get the same number, so that results can be cached by this number. Each column is a resource, and its distinct amounts
 * are ranked. For each column and rank, a bit set contains the rows with at least the amount of that rank. The set for a claim is the
 * intersection of these bit sets, so no loop over the rows is needed.
 */
export class FitKeys {
  readonly #words: number
  readonly #columns: readonly Column[]
  readonly #byPlace = new Map<string, number>()
  readonly #byRows = new Map<string, number>()
  readonly #sets: Uint32Array[] = []
  readonly #places: Int32Array

  constructor({ width, rows }: Pick<OfferingIndex, 'width' | 'rows'>) {
    const count = width === 0 ? 0 : rows.length / width
    this.#words = (count + 31) >>> 5
    this.#columns = Array.from({ length: width }, (_, column) => rowColumn(rows, width, column, count, this.#words))
    this.#places = new Int32Array(width)
  }

  /** Returns the number of the set of rows into which these requests fit. */
  of(used: Float64Array): number {
    let text = ''
    for (let column = 0; column < this.#columns.length; column++) {
      const place = countSmaller(this.#columns[column]?.values, floatAt(used, column))
      this.#places[column] = place
      text += `${place},`
    }
    let number = this.#byPlace.get(text)
    if (number === undefined) {
      number = this.#numberOf(this.#places)
      this.#byPlace.set(text, number)
    }
    return number
  }

  /** Returns the rows of a set, as bits. */
  rows(number: number): Uint32Array {
    const set = this.#sets[number]
    if (set === undefined) throw new RangeError(`no set of rows ${number}`)
    return set
  }

  #numberOf(places: Int32Array): number {
    const words = this.#words
    const set = new Uint32Array(words).fill(0xffffffff)
    for (let column = 0; column < places.length; column++) {
      const from = intAt(places, column) * words
      const bits = this.#columns[column]?.bits
      if (bits === undefined) continue
      for (let word = 0; word < words; word++) set[word] = wordAt(set, word) & wordAt(bits, from + word)
    }
    const text = set.join()
    let number = this.#byRows.get(text)
    if (number === undefined) {
      number = this.#sets.length
      this.#byRows.set(text, number)
      this.#sets.push(set)
    }
    return number
  }
}

interface Column {
  /** The values of all rows, ascending. */
  readonly values: Float64Array
  /** For each rank, the rows with that rank or a higher one. The last entry, one rank above the highest, has no rows. */
  readonly bits: Uint32Array
}

const rowColumn = (rows: Float64Array, width: number, column: number, count: number, words: number): Column => {
  const order = Array.from({ length: count }, (_, row) => row)
  order.sort((a, b) => floatAt(rows, a * width + column) - floatAt(rows, b * width + column))
  const values = new Float64Array(count)
  const bits = new Uint32Array((count + 1) * words)
  for (let rank = count - 1; rank >= 0; rank--) {
    const row = entryAt(order, rank)
    values[rank] = floatAt(rows, row * width + column)
    const from = rank * words
    bits.copyWithin(from, from + words, from + 2 * words)
    const word = from + (row >>> 5)
    bits[word] = wordAt(bits, word) | (1 << (row & 31))
  }
  return { values, bits }
}

/** Returns the number of values that are smaller than `wanted`. */
const countSmaller = (values: Float64Array | undefined, wanted: number): number => {
  if (values === undefined) return 0
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (floatAt(values, middle) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
