const octets = (index: number): [number, number, number] => [(index >> 16) & 0xff, (index >> 8) & 0xff, index & 0xff]

/** Assigns each holder a unique address from a /8 range. Released addresses are reused. */
export class Addresses {
  readonly #network: number
  readonly #byHolder = new Map<string, number>()
  readonly #free: number[] = []
  #next = 1

  constructor(network: number) {
    this.#network = network
  }

  of(holder: string): string {
    let index = this.#byHolder.get(holder)
    if (index === undefined) {
      index = this.#free.shift() ?? this.#next++
      this.#byHolder.set(holder, index)
    }
    return [this.#network, ...octets(index)].join('.')
  }

  release(holder: string): void {
    const index = this.#byHolder.get(holder)
    if (index === undefined) return
    this.#byHolder.delete(holder)
    this.#free.push(index)
  }
}
