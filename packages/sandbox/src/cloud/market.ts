import type { UsdPerHour } from '@kerf/apis'
import {
  type CloudEvent,
  type CloudOffering,
  type OfferingName,
  type OfferingSelector,
  offeringKey,
  offeringMatches,
} from './cloud-instance.ts'

interface Stall {
  readonly name: OfferingName
  price: UsdPerHour
  capacity: number
  exhausted: boolean
  inUse: number
}

/** The offerings of a cloud with their prices and remaining capacity. */
export class Market {
  readonly #stalls = new Map<string, Stall>()
  readonly #tell: (event: CloudEvent) => void
  readonly #beforePrice: (offering: OfferingName) => void

  /** `beforePrice` is called before a price changes, so that running instances are charged the old price up to that moment. */
  constructor(
    offerings: readonly CloudOffering[],
    tell: (event: CloudEvent) => void,
    beforePrice: (offering: OfferingName) => void,
  ) {
    this.#tell = tell
    this.#beforePrice = beforePrice
    for (const { price, capacity, instanceType, zone, capacityType } of offerings) {
      const name = { instanceType, zone, capacityType }
      const limit = capacity ?? Number.POSITIVE_INFINITY
      this.#stalls.set(offeringKey(name), { name, price, capacity: limit, exhausted: false, inUse: 0 })
    }
  }

  /** Returns all current offerings. `available` is true if one more instance can be launched. */
  offerings(): (OfferingName & { readonly price: UsdPerHour; readonly available: boolean })[] {
    return [...this.#stalls.values()].map((stall) => ({
      ...stall.name,
      price: stall.price,
      available: this.#hasCapacity(stall),
    }))
  }

  priceOf(name: OfferingName): UsdPerHour | undefined {
    return this.#stalls.get(offeringKey(name))?.price
  }

  exists(name: OfferingName): boolean {
    return this.#stalls.has(offeringKey(name))
  }

  /** Takes one instance of the offering. Returns false if there is no capacity. */
  take(name: OfferingName): boolean {
    const stall = this.#stalls.get(offeringKey(name))
    if (stall === undefined || !this.#hasCapacity(stall)) return false
    this.#change(stall, () => stall.inUse++)
    return true
  }

  giveBack(name: OfferingName): void {
    const stall = this.#stalls.get(offeringKey(name))
    if (stall !== undefined) this.#change(stall, () => stall.inUse--)
  }

  /** Makes these offerings unavailable until they are restored. Running instances keep running. */
  exhaust(selector: OfferingSelector): void {
    this.#each(selector, (stall) => {
      stall.exhausted = true
    })
  }

  restore(selector: OfferingSelector): void {
    this.#each(selector, (stall) => {
      stall.exhausted = false
    })
  }

  setCapacity(selector: OfferingSelector, capacity: number): void {
    this.#each(selector, (stall) => {
      stall.capacity = capacity
    })
  }

  setPrice(selector: OfferingSelector, price: UsdPerHour | ((before: UsdPerHour) => UsdPerHour)): void {
    for (const stall of this.#matching(selector)) {
      this.#beforePrice(stall.name)
      stall.price = typeof price === 'number' ? price : price(stall.price)
      this.#tell({ kind: 'price', offering: stall.name, price: stall.price })
    }
  }

  #each(selector: OfferingSelector, change: (stall: Stall) => void): void {
    for (const stall of this.#matching(selector)) this.#change(stall, () => change(stall))
  }

  #change(stall: Stall, change: () => void): void {
    const before = this.#hasCapacity(stall)
    change()
    const available = this.#hasCapacity(stall)
    if (before !== available) this.#tell({ kind: 'capacity', offering: stall.name, available })
  }

  #matching(selector: OfferingSelector): Stall[] {
    return [...this.#stalls.values()].filter((stall) => offeringMatches(selector, stall.name))
  }

  #hasCapacity(stall: Stall): boolean {
    return !stall.exhausted && stall.inUse < stall.capacity
  }
}
