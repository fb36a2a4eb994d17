import type { Milliseconds } from '@kerf/apis'
import { type PriceBookSpec, priceBookSource } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { offeringCoordinates } from '@kerf/provider-contract'
import type { PlannedPrices } from '../plan/price-book.ts'
import { counted } from '../terminal/amounts.ts'

const DAY: Milliseconds = 86_400_000
/** The age from which a declared price or an exchange rate is reported as old. */
const OLD: Milliseconds = 90 * DAY
/** If a declared price differs from the price of the cloud by this factor or more, it is probably in another unit, or for another type. */
const FAR_FROM_PRICE = 20
/**
 * The same factor for providers that have only estimates. Estimates rank instance types against each other, so all of them may be much too
 * high or too low. The factor is below 730, the number of hours in a month, so that a monthly price is still found.
 */
const FAR_FROM_ESTIMATE = 300
const SHOWN = 5

interface Found {
  readonly problem: string
  readonly remedy: string
}

export interface LintedPriceBook {
  readonly spec: PriceBookSpec
  readonly book: PlannedPrices
  /** The instance types of all NodePools, with the prices of the cloud. */
  readonly types: readonly InstanceType[]
  /** The types in `types` that the requirements of at least one NodePool allow. */
  readonly allowed: readonly InstanceType[]
  /** Whether the provider has prices to compare the declared prices with. */
  readonly hasCloudPrices: boolean
  readonly now: Milliseconds
}

const names = (all: readonly string[]): string =>
  `${all.slice(0, SHOWN).join(', ')}${all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''}`

/** Returns the instance types whose declared price differs by the factor or more from the price of the cloud or its estimate. */
const implausible = ({ book, allowed }: LintedPriceBook, factor: number): readonly string[] =>
  allowed
    .filter((type) =>
      type.offerings.some((offering) => {
        const { price } = offering
        const declared = book.find(offeringCoordinates(type, offering))?.price
        if (declared === undefined || price === undefined || price === 0) return false
        return declared / price >= factor || price / declared >= factor
      }),
    )
    .map(({ name }) => name)

/** Returns the problems of the price book in a ClusterPolicy. */
export const priceBookProblems = (linted: LintedPriceBook): readonly Found[] => {
  const { spec, book, types, allowed, hasCloudPrices, now } = linted
  const { problem, prices } = book
  const offered = new Set(types.map(({ name }) => name))
  const declared = new Set(prices.map(({ instanceType }) => instanceType))
  const unknown = types.length === 0 ? [] : [...declared].filter((name) => !offered.has(name)).sort()
  const old = prices.filter(({ asOf }) => now - asOf > OLD)
  const { currency } = spec
  const rateAge = currency === undefined ? 0 : now - Date.parse(currency.date)
  const unpriced =
    hasCloudPrices || prices.length === 0
      ? []
      : allowed
          .map(({ name }) => name)
          .filter((name) => !declared.has(name))
          .sort()
  const factor = hasCloudPrices ? FAR_FROM_PRICE : FAR_FROM_ESTIMATE
  const odd = implausible(linted, factor)
  const found: (Found | false)[] = [
    problem !== undefined && { problem, remedy: `correct the prices; ${priceBookSource(spec)} is read every minute` },
    unknown.length > 0 && {
      problem: `price book: no NodePool offers the instance types ${names(unknown)}`,
      remedy: 'correct their names, or remove their prices',
    },
    odd.length > 0 && {
      problem: `price book: the prices of ${names(odd)} differ from the ${hasCloudPrices ? 'prices of the cloud' : 'estimates of the provider'} by a factor of ${factor} or more`,
      remedy: 'check that they are per hour, and that the exchange rate is not inverted',
    },
    unpriced.length > 0 && {
      problem: `price book: ${unpriced.length} of ${allowed.length} instance types have no declared price (${names(unpriced)}), and their other prices come from no price list`,
      remedy: 'declare their prices too, or exclude these instance types in the NodePools',
    },
    old.length > 0 && {
      problem: `price book: ${counted(old.length, 'price')} of ${prices.length} are older than ${OLD / DAY} days`,
      remedy: 'check the prices, and set asOf to today',
    },
    rateAge > OLD && {
      problem: `price book: the exchange rate of ${currency?.date ?? ''} is older than ${OLD / DAY} days`,
      remedy: 'set spec.priceBook.currency.usd and spec.priceBook.currency.date',
    },
  ]
  return found.filter((each) => each !== false)
}
