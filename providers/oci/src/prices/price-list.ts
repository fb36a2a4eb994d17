import { ownField } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import type { HttpClient } from '@kerf/provider-kit'

/** Prices per hour in USD, by part number. */
export type PartPrices = ReadonlyMap<string, number>

const listIn = (value: unknown, field: string): readonly unknown[] => {
  const list = ownField(value, field)
  return Array.isArray(list) ? list : []
}

/** Returns the price of the highest tier. A free tier covers only the first monthly hours of one instance in the tenancy. */
const highestPrice = (item: unknown): number | undefined => {
  const prices = listIn(item, 'currencyCodeLocalizations')
    .filter((each) => ownField(each, 'currencyCode') === 'USD')
    .flatMap((each) => listIn(each, 'prices'))
    .filter((each) => ownField(each, 'model') === 'PAY_AS_YOU_GO')
    .map((each) => ownField(each, 'value'))
    .filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
  return prices.length === 0 ? undefined : Math.max(...prices)
}

/**
 * Reads the prices of all parts.
 *
 * @throws KerfError `IncompleteAnswer` if the response contains no price
 */
export const readPriceList = async (
  http: Pick<HttpClient, 'call'>,
  endpoint: string,
  signal: AbortSignal,
): Promise<PartPrices> => {
  const { text } = await http.call({ method: 'GET', url: new URL(endpoint) }, signal)
  const prices = new Map<string, number>()
  for (const item of listIn(JSON.parse(text), 'items')) {
    const part = ownField(item, 'partNumber')
    const price = highestPrice(item)
    if (typeof part === 'string' && price !== undefined) prices.set(part, price)
  }
  if (prices.size === 0) throw providerErrors.IncompleteAnswer({ problem: `${endpoint} has no prices in USD` })
  return prices
}
