import type { OfferingIndex } from '../catalogue/offering-index.ts'

/**
 * Numbers the sets of rows that requests fit: claims with equal numbers fit the same offerings. Looked up by where the
 * requests stand among the sorted values of each column, so that most claims are numbered without looking at the rows.
 */
export class FitKeys {
  readonly #index: OfferingIndex
  /** Distinct values of each column, ascending. */
  readonly #steps: readonly Float64Array[]
  readonly #byPlace = new Map<string, number>()
  readonly #byRows = new Map<string, number>()
  readonly #rows: Uint8Array[] = []

  constructor(index: OfferingIndex) {
    this.#index = index
    const { width, rows } = index
    this.#steps = Array.from({ length: width }, (_, column) => {
      const values = new Set<number>()
      for (let start = column; start < rows.length; start += width) values.add(rows[start] ?? 0)
      return Float64Array.from(values).sort()
    })
  }

  /** The number of the rows that these requests fit. */
  of(used: Float64Array): number {
    let place = ''
    for (let column = 0; column < this.#steps.length; column++) {
      place += `${placeOf(this.#steps[column], used[column] ?? 0)},`
    }
    let number = this.#byPlace.get(place)
    if (number === undefined) {
      number = this.#numberOf(used)
      this.#byPlace.set(place, number)
    }
    return number
  }

  /** 1 for each row that fits. */
  rows(number: number): Uint8Array {
    const rows = this.#rows[number]
    if (rows === undefined) throw new RangeError(`no set of rows ${number}`)
    return rows
  }

  #numberOf(used: Float64Array): number {
    const { width, rows, largestFirst } = this.#index
    const fitting = new Uint8Array(largestFirst.length)
    for (let row = 0; row < fitting.length; row++) {
      let column = 0
      while (column < width && (used[column] ?? 0) <= (rows[row * width + column] ?? 0)) column++
      if (column === width) fitting[row] = 1
    }
    const text = fitting.join('')
    let number = this.#byRows.get(text)
    if (number === undefined) {
      number = this.#rows.length
      this.#byRows.set(text, number)
      this.#rows.push(fitting)
    }
    return number
  }
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
