import type { OfferingIndex } from '../model/offering-index.ts'

/**
 * Numbers the sets of rows that requests fit: claims with equal numbers fit the same offerings. For each column the rows
 * are known that have at least so much, as bits by rank, so that a set is found without looking at the rows.
 */
export class FitKeys {
  readonly #words: number
  readonly #columns: readonly Column[]
  readonly #byPlace = new Map<string, number>()
  readonly #byRows = new Map<string, number>()
  readonly #sets: Uint32Array[] = []
  readonly #places: Int32Array

  constructor(index: OfferingIndex) {
    const { width, rows } = index
    const count = width === 0 ? 0 : rows.length / width
    this.#words = (count + 31) >>> 5
    this.#columns = Array.from({ length: width }, (_, column) => columnOf(rows, width, column, count, this.#words))
    this.#places = new Int32Array(width)
  }

  /** The number of the rows that these requests fit. */
  of(used: Float64Array): number {
    let text = ''
    for (let column = 0; column < this.#columns.length; column++) {
      const place = placeOf(this.#columns[column]?.values, used[column] ?? 0)
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

  /** The rows that fit, as bits. */
  rows(number: number): Uint32Array {
    const set = this.#sets[number]
    if (set === undefined) throw new RangeError(`no set of rows ${number}`)
    return set
  }

  #numberOf(places: Int32Array): number {
    const words = this.#words
    const set = new Uint32Array(words).fill(0xffffffff)
    for (let column = 0; column < places.length; column++) {
      const from = (places[column] ?? 0) * words
      const bits = this.#columns[column]?.bits
      if (bits === undefined) continue
      for (let word = 0; word < words; word++) set[word] = (set[word] ?? 0) & (bits[from + word] ?? 0)
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
  /** Of all rows, ascending. */
  readonly values: Float64Array
  /** For each rank, and one past the last, the rows from that rank on. */
  readonly bits: Uint32Array
}

const columnOf = (rows: Float64Array, width: number, column: number, count: number, words: number): Column => {
  const order = Array.from({ length: count }, (_, row) => row)
  order.sort((a, b) => (rows[a * width + column] ?? 0) - (rows[b * width + column] ?? 0))
  const values = new Float64Array(count)
  const bits = new Uint32Array((count + 1) * words)
  for (let rank = count - 1; rank >= 0; rank--) {
    const row = order[rank] ?? 0
    values[rank] = rows[row * width + column] ?? 0
    const from = rank * words
    bits.copyWithin(from, from + words, from + 2 * words)
    const word = from + (row >>> 5)
    bits[word] = (bits[word] ?? 0) | (1 << (row & 31))
  }
  return { values, bits }
}

/** How many values are smaller than `wanted`. */
const placeOf = (values: Float64Array | undefined, wanted: number): number => {
  if (values === undefined) return 0
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
