import { outOfRange } from '../column.ts'

/** The number of lists. */
const LISTS = 24
/**
 * The range of the ratio of cpu to memory that the lists cover, in powers of two. Ratios beyond the range are in the first or last list.
 */
const POWERS = 12

/** Some shapes, in lists by ratio of cpu to memory. In each list, the largest shapes come first. */
export interface RatioLists {
  /** The lists, one after the other. */
  readonly shapes: Int32Array
  /** The start of each list, and the end of the last one. */
  readonly starts: Int32Array
}

/** All shapes of a model, sorted like the lists of `RatioLists`. So lists of some of the shapes need no sorting. */
export class RatioOrder {
  readonly #sorted: Int32Array
  readonly #listOf: Uint8Array

  /** @param rows the requests of each shape, cpu and memory first, in rows of `width` */
  constructor(rows: Float64Array, width: number) {
    const size = rows.length / width
    const requestedAmount = (shape: number, resource: number): number =>
      rows[shape * width + resource] ?? outOfRange('rows', shape * width + resource)
    let cpu = 0
    let memory = 0
    for (let shape = 0; shape < size; shape++) {
      cpu += requestedAmount(shape, 0)
      memory += requestedAmount(shape, 1)
    }
    const usual = cpu > 0 && memory > 0 ? cpu / memory : 1
    this.#listOf = new Uint8Array(size)
    const sizes = new Float64Array(size)
    for (let shape = 0; shape < size; shape++) {
      const ratio = Math.log2(requestedAmount(shape, 0) / requestedAmount(shape, 1) / usual)
      const list = Number.isNaN(ratio) ? 0 : Math.round(((ratio + POWERS / 2) * LISTS) / POWERS)
      this.#listOf[shape] = Math.min(LISTS - 1, Math.max(0, list))
      sizes[shape] = requestedAmount(shape, 0) + usual * requestedAmount(shape, 1)
    }
    const listOf = (shape: number): number => this.#listOf[shape] ?? outOfRange('lists', shape)
    const sizeOf = (shape: number): number => sizes[shape] ?? outOfRange('sizes', shape)
    this.#sorted = Int32Array.from({ length: size }, (_, shape) => shape).sort(
      (a, b) => listOf(a) - listOf(b) || sizeOf(b) - sizeOf(a) || a - b,
    )
  }

  /** Returns the lists of the shapes for which `passes` returns true. */
  listsOf(passes: (shape: number) => boolean): RatioLists {
    const shapes = this.#sorted.filter(passes)
    const starts = new Int32Array(LISTS + 1)
    for (const shape of shapes) {
      const after = (this.#listOf[shape] ?? outOfRange('lists', shape)) + 1
      starts[after] = (starts[after] ?? outOfRange('starts', after)) + 1
    }
    for (let list = 1; list <= LISTS; list++) {
      const before = starts[list - 1] ?? outOfRange('starts', list - 1)
      starts[list] = (starts[list] ?? outOfRange('starts', list)) + before
    }
    return { shapes, starts }
  }
}
