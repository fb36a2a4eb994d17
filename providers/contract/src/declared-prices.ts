import { labels, type Milliseconds, type UsdPerHour } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { singleValue } from './requirements.ts'

/** A price that the user declares in the price book of the ClusterPolicy. */
export interface DeclaredPrice {
  readonly instanceType: string
  readonly capacityType: 'on-demand' | 'spot'
  /** Absent: every zone without a price of its own. */
  readonly zone?: string
  readonly price: UsdPerHour
  /** The day of the price. */
  readonly asOf: Milliseconds
}

/** A negotiated discount on the prices of the cloud, from the commitments of the ClusterPolicy. */
export interface PriceDiscount {
  /** Above 0 and up to 1. */
  readonly factor: number
  /** Names of instance types, or beginnings of names with a `*`. Absent: every instance type. */
  readonly instanceTypes?: readonly string[]
  readonly capacityTypes: readonly string[]
}

/** Returns whether a pattern, which is a name of an instance type or its beginning with a `*`, matches the name of a type. */
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
 * The declared prices and the discounts that apply now (`docs/spec/policies.md#price-book`, `docs/spec/policies.md#commitments`). Until
 * somebody replaces them, `apply` returns the same list for the same list of instance types, because the engine caches by object identity.
 */
export class DeclaredPrices {
  #byType: ReadonlyMap<string, ReadonlyMap<string, DeclaredPrice>> = new Map()
  #discounts: readonly PriceDiscount[] = []
  /** Offerings whose price a discount has changed, because both a provider and the controllers apply the prices. */
  #discounted = new WeakSet<Offering>()
  #applied = new WeakMap<readonly InstanceType[], readonly InstanceType[]>()
  #version = 0

  /** A number that changes whenever the prices change. */
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

  /** Replaces the discounts. If several discounts fit an offering, the first one applies. */
  replaceDiscounts(discounts: readonly PriceDiscount[]): void {
    this.#discounts = discounts
    this.#forget()
  }

  #forget(): void {
    this.#applied = new WeakMap()
    this.#discounted = new WeakSet()
    this.#version++
  }

  /** Returns the price that applies to the offering, or undefined if none is declared. A price for the zone takes precedence. */
  find(instanceType: string, capacityType: string, zone?: string): DeclaredPrice | undefined {
    const own = this.#byType.get(instanceType)
    return own?.get(key(capacityType, zone)) ?? own?.get(key(capacityType))
  }

  /** Returns the instance types with the declared prices. Unchanged types, and a list without changes, are the same objects. */
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
    // Twelve digits hide the rounding errors of the multiplication.
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
 * Returns the declared prices that the code with these informers shares. The controllers renew the prices. Providers apply them to the
 * instance types of a launch, so that the launch chooses by the same prices as the plan.
 */
export const declaredPrices = (informers: object): DeclaredPrices => {
  let prices = ofProcess.get(informers)
  if (prices === undefined) {
    prices = new DeclaredPrices()
    ofProcess.set(informers, prices)
  }
  return prices
}
