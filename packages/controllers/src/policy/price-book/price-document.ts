import {
  type ClusterPolicySpec,
  type Milliseconds,
  MOST_DECLARED_PRICES,
  ProblemError,
  parseTime,
  plainText,
  type UsdPerHour,
} from '@kerf/apis'
import type { DeclaredPrice } from '@kerf/provider-contract'
import { isFields, readYamlDocument } from '../read-yaml-document.ts'

export type PriceBookSpec = NonNullable<ClusterPolicySpec['priceBook']>

const DAY: Milliseconds = 86_400_000
const FIELDS = ['unit', 'asOf', 'prices']
const PRICE_FIELDS = ['instanceType', 'capacityType', 'zone', 'price', 'asOf']

type Fields = Readonly<Record<string, unknown>>

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing'

const requireKnown = (fields: Fields, known: readonly string[], where: string): void => {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new ProblemError(`${where}unknown field ${shown(unknown)}; the fields are ${known.join(', ')}`)
}

/** Returns whether the date at the beginning of the text exists. `Date.parse` reads 30 February as 2 March. */
const isDayOfCalendar = (text: string): boolean => {
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** Parses the date of a price. Rejects a date in the future, because Kerf would never report such a price as outdated. */
const readDay = (value: unknown, where: string, now: Milliseconds): Milliseconds => {
  const text = value instanceof Date ? value.toISOString() : plainText(value)
  const day = /^\d{4}-\d\d-\d\d/.test(text) ? parseTime(text) : undefined
  if (day === undefined || !isDayOfCalendar(text))
    throw new ProblemError(`${where}asOf must be a date, for example 2026-11-30`)
  if (day > now + DAY) throw new ProblemError(`${where}asOf is in the future: ${text}`)
  return day
}

const readPrice = (value: unknown, where: string): UsdPerHour => {
  const price = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof price === 'number' && Number.isFinite(price) && price > 0) return price
  throw new ProblemError(`${where}price must be a number above 0, found ${shown(value)}`)
}

const readName = (value: unknown, field: string, where: string): string => {
  if (typeof value === 'string' && value !== '' && !value.includes('*')) return value
  throw new ProblemError(
    `${where}${field} must be a name without wildcards, found ${shown(value)}. Without "zone", a price applies to every zone.`,
  )
}

const readCapacityType = (value: unknown, where: string): DeclaredPrice['capacityType'] => {
  if (value === undefined) return 'on-demand'
  if (value === 'on-demand' || value === 'spot') return value
  throw new ProblemError(`${where}capacityType must be "on-demand" or "spot", found ${shown(value)}`)
}

/**
 * Parses the prices of a ConfigMap or a file, and converts them to US dollars per hour (`docs/spec/policies.md#price-book`).
 *
 * @throws ProblemError with a description of the problem. In this case, no price of the document may be used.
 */
export const parsePriceDocument = (
  text: string,
  { currency }: PriceBookSpec,
  now: Milliseconds,
): readonly DeclaredPrice[] => {
  const document = readYamlDocument(text, 'fields "unit", "asOf" and "prices"')
  requireKnown(document, FIELDS, '')
  const unit = `${currency?.code ?? 'USD'}/hour`
  if (document['unit'] !== unit)
    throw new ProblemError(
      `unit must be "${unit}", found ${shown(document['unit'])}; prices are per hour, in the currency of spec.priceBook.currency (without it, USD)`,
    )
  if (currency !== undefined && Date.parse(currency.date) > now + DAY)
    throw new ProblemError(`spec.priceBook.currency.date is in the future: ${currency.date}`)
  const { prices } = document
  if (!Array.isArray(prices) || prices.length === 0)
    throw new ProblemError('prices must be a list with at least one price')
  if (prices.length > MOST_DECLARED_PRICES)
    throw new ProblemError(`prices has ${prices.length} entries; at most ${MOST_DECLARED_PRICES} are possible`)
  const rate = currency === undefined ? 1 : Number(currency.usd)
  const seen = new Set<string>()
  return prices.map((entry: unknown, index): DeclaredPrice => {
    const where = `prices[${index}]: `
    if (!isFields(entry)) throw new ProblemError(`${where}it must be an object with "instanceType" and "price"`)
    requireKnown(entry, PRICE_FIELDS, where)
    const instanceType = readName(entry['instanceType'], 'instanceType', where)
    const capacityType = readCapacityType(entry['capacityType'], where)
    const zone = entry['zone'] === undefined ? undefined : readName(entry['zone'], 'zone', where)
    const named = [instanceType, capacityType, ...(zone === undefined ? [] : [zone])].join(' ')
    if (seen.has(named)) throw new ProblemError(`${where}${named} has a second price; remove one of them`)
    seen.add(named)
    return {
      instanceType,
      capacityType,
      ...(zone === undefined ? {} : { zone }),
      // Rounding to twelve digits removes the rounding errors of the conversion.
      price: Number((readPrice(entry['price'], where) * rate).toPrecision(12)),
      asOf: readDay(entry['asOf'] ?? document['asOf'], where, now),
    }
  })
}

/** Returns the display name of the source of prices: the ConfigMap or the file. */
export const priceBookOrigin = ({ configMap, file }: PriceBookSpec): string =>
  configMap === undefined ? `file ${file ?? ''}` : `ConfigMap ${configMap.name} (${configMap.key})`

/**
 * Returns the display name of the source of prices, with the exchange rate. Example: `ConfigMap kerf-prices (prices.yaml), EUR at 1.08 USD
 * of 2026-11-30`.
 */
export const priceBookSource = (spec: PriceBookSpec): string => {
  const { currency } = spec
  const rate = currency === undefined ? '' : `, ${currency.code} at ${currency.usd} USD of ${currency.date}`
  return `${priceBookOrigin(spec)}${rate}`
}
