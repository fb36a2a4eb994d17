import { ProblemError } from '@kerf/apis'
import { type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { DEFAULT_CNY_PER_USD, fromCny } from './currency.ts'

/** The `kind` field of the file. */
const KIND = 'ECSPrices'

/** Prices in dollars that the user supplies. They replace Kerf's built-in prices. */
export interface PriceFile {
  /** The region of the prices. If absent, they apply to every region. */
  readonly region?: string
  /** The exchange rate for all prices in CNY, including Kerf's built-in prices. */
  readonly cnyPerUsd: number
  readonly prices: PriceTable
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns true if the document is a price file. */
export const isPriceFile = (document: unknown): boolean => isObject(document) && document['kind'] === KIND

const converted = ({ onDemand, spot }: PriceTable, cnyPerUsd: number): PriceTable => {
  const inDollars = (prices: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...prices].map(([key, price]) => [key, fromCny(price, cnyPerUsd)]))
  return { onDemand: inDollars(onDemand), spot: new Map([...spot].map(([type, zones]) => [type, inDollars(zones)])) }
}

/**
 * Parses a price file: `{"kind": "ECSPrices", "region": "cn-hangzhou", "currency": "CNY", "cnyPerUsd": 7.11, "onDemand": {"TYPE": 1.5},
 * "spot": {"TYPE": {"ZONE": 0.3}}}`. Only `kind` is required. Without `currency`, prices are in CNY.
 *
 * @throws ProblemError whose message explains what is wrong with the document
 */
export const readPriceFile = (document: unknown): PriceFile => {
  if (!isObject(document) || document['kind'] !== KIND) throw new ProblemError(`kind must be ${KIND}`)
  const { kind: _, region, currency = 'CNY', cnyPerUsd = DEFAULT_CNY_PER_USD, ...rest } = document
  if (region !== undefined && (typeof region !== 'string' || region === ''))
    throw new ProblemError('region must be the ID of a region, for example "cn-hangzhou"')
  if (typeof cnyPerUsd !== 'number' || !Number.isFinite(cnyPerUsd) || cnyPerUsd <= 0)
    throw new ProblemError('cnyPerUsd must be a number above 0')
  if (currency !== 'CNY' && currency !== 'USD') throw new ProblemError('currency must be "CNY" or "USD"')
  const prices = parsePriceTable(JSON.stringify(rest))
  return {
    ...(region === undefined ? {} : { region }),
    cnyPerUsd,
    prices: currency === 'CNY' ? converted(prices, cnyPerUsd) : prices,
  }
}
