import { labels, type Milliseconds, type UsdPerHour } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { singleValue } from './requirements.ts'

/** A price that the user declares in the price book of the ClusterPolicy. */
export interface DeclaredPrice {
  readonly instanceType: string
  readonly capacityType: 'on-demand' | 'spot'
  /** If absent, the price applies to every zone that has no separate price. */
  readonly zone?: string
  readonly price: UsdPerHour
  /** The day on which the price was valid. */
  readonly asOf: Milliseconds
}

/** A negotiated discount on the cloud's prices, from the commitments of the ClusterPolicy. */
export interface PriceDiscount {
  /** Above 0 and up to 1. */
  readonly factor: number
  /** Names of instance types, or prefixes of names followed by `*`. If absent, every instance type. */
  readonly instanceTypes?: readonly string[]
  readonly capacityTypes: readonly string[]
}

/** Returns whether a pattern matches the name of an instance type. A pattern is a complete name, or a prefix followed by `*`. */
export const matchesTypeName = (pattern: string, instanceType: string): boolean =>
  pattern.endsWith('*') ? instanceType.startsWith(pattern.slice(0, -1)) : instanceType === pattern

/** Returns whether a discount applies to an offering. */
export const isDiscounted = (
  { instanceTypes, capacityTypes }: PriceDiscount,
  instanceType: string,
  capacityType: string,
): boolean =>
  capacityTypes.includes(capacityType) &&
  (instanceTypes === undefined || instanceTypes.some((pattern) => matchesTypeName(pattern, instanceType)))

const key = (capacityType: string, zone = ''): string => `${capacityType}/${zone}`

/**
 * The declared prices and the discounts that are in effect (`docs/spec/policies.md#price-book`, `docs/spec/policies.md#commitments`).
 * `apply` returns the same list object for the same list of instance types until the prices or discounts are replaced, because the engine
 * caches by object identity.
 */
export class DeclaredPrices {
  #byType: ReadonlyMap<string, ReadonlyMap<string, DeclaredPrice>> = new Map()
  #discounts: readonly PriceDiscount[] = []
  /**
   * Offerings whose price already includes a discount. Both a provider and the controllers apply the prices, and a discount must apply only
   * once.
   */
  #discounted = new WeakSet<Offering>()
  #applied = new WeakMap<readonly InstanceType[], readonly InstanceType[]>()
  #version = 0

  /** The version of the prices. It changes whenever they change. */
  get version(): number {
    return this.#version
  }

  replace(prices: readonly DeclaredPrice[]): void {
    this.#byType = new Map(
      [...Map.groupBy(prices, ({ instanceType }) => instanceType)].map(([type, own]) => [
        type,
        new Map(own.map((each) => [key(each.capacityType, each.zone), each])),
      ]),
    )
    this.#forget()
  }

  /** Replaces the discounts. If several discounts match an offering, the first one applies. */
  replaceDiscounts(discounts: readonly PriceDiscount[]): void {
    this.#discounts = discounts
    this.#forget()
  }

  #forget(): void {
    this.#applied = new WeakMap()
    this.#discounted = new WeakSet()
    this.#version++
  }

  /** Returns the declared price for the offering, or undefined if there is none. A price for the zone takes precedence. */
  find(instanceType: string, capacityType: string, zone?: string): DeclaredPrice | undefined {
    const own = this.#byType.get(instanceType)
    return own?.get(key(capacityType, zone)) ?? own?.get(key(capacityType))
  }

  /** Returns the instance types with the declared prices. Unchanged types remain the same objects, and so does a list without changes. */
  apply(types: readonly InstanceType[]): readonly InstanceType[] {
    if (this.#byType.size === 0 && this.#discounts.length === 0) return types
    const known = this.#applied.get(types)
    if (known !== undefined) return known
    const priced = types.map((type) => this.#priced(type))
    const result = priced.some((type, index) => type !== types[index]) ? priced : types
    this.#applied.set(types, result)
    return result
  }

  /** Returns the offering with its declared price, or the same object if its price does not change. */
  offering(instanceType: string, offering: Offering): Offering {
    const { requirements } = offering
    const capacityType = singleValue(requirements, labels.capacityType) ?? ''
    const declared = this.find(instanceType, capacityType, singleValue(requirements, labels.zone))
    if (declared === undefined) return this.#discountedOffering(instanceType, capacityType, offering)
    if (offering.price === declared.price && offering.priceOverlayApplied === true) return offering
    return { ...offering, price: declared.price, priceOverlayApplied: true }
  }

  #discountedOffering(instanceType: string, capacityType: string, offering: Offering): Offering {
    const { price } = offering
    if (price === undefined || this.#discounts.length === 0 || this.#discounted.has(offering)) return offering
    const discount = this.#discounts.find((each) => isDiscounted(each, instanceType, capacityType))
    if (discount === undefined || discount.factor === 1) return offering
    // Rounding to twelve digits removes the rounding errors of the multiplication.
    const reduced = { ...offering, price: Number((price * discount.factor).toPrecision(12)), priceOverlayApplied: true }
    this.#discounted.add(reduced)
    return reduced
  }

  #priced(type: InstanceType): InstanceType {
    if (this.#discounts.length === 0 && !this.#byType.has(type.name)) return type
    const offerings = type.offerings.map((offering) => this.offering(type.name, offering))
    return offerings.some((offering, index) => offering !== type.offerings[index]) ? { ...type, offerings } : type
  }
}

const ofProcess = new WeakMap<object, DeclaredPrices>()

/**
 * Returns the declared prices that all code with these informers shares. The controllers update them. Providers apply them to the instance
 * types of a launch, so that a launch chooses by the same prices as the plan.
 */
export const declaredPrices = (informers: object): DeclaredPrices => {
  let prices = ofProcess.get(informers)
  if (prices === undefined) {
    prices = new DeclaredPrices()
    ofProcess.set(informers, prices)
  }
  return prices
}
