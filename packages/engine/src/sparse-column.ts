const PAGE_SHIFT = 6
const PAGE = 1 << PAGE_SHIFT

/** A sparse array of values by number. It allocates memory only for pages that contain values. */
export class SparseColumn<Value> {
  readonly #pages: ((Value | undefined)[] | undefined)[]

  /** @param size the number of entries */
  constructor(size: number) {
    this.#pages = new Array((size + PAGE - 1) >> PAGE_SHIFT)
  }

  get(number: number): Value | undefined {
    const page = this.#pages[number >> PAGE_SHIFT]
    return page === undefined ? undefined : page[number & (PAGE - 1)]
  }

  set(number: number, value: Value): void {
    const place = number >> PAGE_SHIFT
    let page = this.#pages[place]
    if (page === undefined) {
      page = new Array(PAGE)
      this.#pages[place] = page
    }
    page[number & (PAGE - 1)] = value
  }
}
