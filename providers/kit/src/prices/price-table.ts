import { type Milliseconds, ProblemError, parseTime, type UsdPerHour } from '@kerf/apis'

/** Prices from one source. */
export interface PriceTable {
  readonly onDemand: ReadonlyMap<string, UsdPerHour>
  /** Spot prices, by instance type and then by zone. */
  readonly spot: ReadonlyMap<string, ReadonlyMap<string, UsdPerHour>>
  /** When the cloud returned the prices. Absent if this is unknown. */
  readonly readAt?: Milliseconds
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const priceMap = (value: unknown, where: string): ReadonlyMap<string, UsdPerHour> => {
  if (value === undefined) return new Map()
  if (!isObject(value)) throw new ProblemError(`${where} is not an object`)
  return new Map(
    Object.entries(value).map(([name, price]) => {
      if (typeof price === 'number' && Number.isFinite(price) && price > 0) return [name, price]
      throw new ProblemError(`${where}[${JSON.stringify(name)}] is not a number above 0`)
    }),
  )
}

/**
 * Parses the prices in a file or a ConfigMap: `{"onDemand": {"TYPE": 0.096}, "spot": {"TYPE": {"ZONE": 0.035}}}`.
 *
 * @throws Error with the position of the first value that has a different form.
 */
export const parsePriceTable = (text: string): PriceTable => {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new ProblemError('it is not JSON', { cause: error })
  }
  if (!isObject(document)) throw new ProblemError('it is not an object')
  const unknown = Object.keys(document).find((key) => key !== 'onDemand' && key !== 'spot' && key !== 'readAt')
  if (unknown !== undefined) throw new ProblemError(`unknown field ${JSON.stringify(unknown)}`)
  const { onDemand, spot, readAt } = document
  if (spot !== undefined && !isObject(spot)) throw new ProblemError('spot is not an object')
  const time = typeof readAt === 'string' ? parseTime(readAt) : undefined
  return {
    onDemand: priceMap(onDemand, 'onDemand'),
    spot: new Map(
      Object.entries(spot ?? {}).map(([type, zones]) => [type, priceMap(zones, `spot[${JSON.stringify(type)}]`)]),
    ),
    ...(time === undefined ? {} : { readAt: time }),
  }
}

/** Returns the prices in the format that `parsePriceTable` parses. Instance types and zones are sorted. */
export const formatPriceTable = ({ onDemand, spot, readAt }: PriceTable): string => {
  const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify({
    onDemand: Object.fromEntries(sorted(onDemand)),
    spot: Object.fromEntries(sorted(spot).map(([type, zones]) => [type, Object.fromEntries(sorted(zones))])),
    ...(readAt === undefined ? {} : { readAt: new Date(readAt).toISOString() }),
  })
}
