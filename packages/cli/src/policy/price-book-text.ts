import { formatTime, type Milliseconds } from '@kerf/apis'
import { priceBookSource } from '@kerf/controllers'
import { type Style, table } from '@kerf/provider-kit/terminal'
import type { PlannedPrices } from '../plan/price-book.ts'
import { counted } from '../terminal/amounts.ts'

const DAY: Milliseconds = 86_400_000
/** The maximum number of prices that the text lists. */
const SHOWN = 20

/** A declared price in the output of `kerf policy explain`. */
export interface ExplainedPrice {
  readonly instanceType: string
  readonly capacityType: string
  /** The zone of the price. If absent, the price applies to every zone that has no separate price. */
  readonly zone?: string
  readonly usdPerHour: number
  readonly asOf: string
  readonly ageDays: number
}

/** The price book in the output of `kerf policy explain`. */
export interface ExplainedPriceBook {
  readonly source: string
  readonly problem?: string
  readonly prices: readonly ExplainedPrice[]
}

export const explainedPriceBook = (
  { spec, prices, problem }: PlannedPrices,
  now: Milliseconds,
): ExplainedPriceBook => ({
  source: priceBookSource(spec),
  ...(problem === undefined ? {} : { problem }),
  prices: prices.map(({ instanceType, capacityType, zone, price, asOf }) => ({
    instanceType,
    capacityType,
    ...(zone === undefined ? {} : { zone }),
    usdPerHour: price,
    asOf: formatTime(asOf).slice(0, 10),
    ageDays: Math.max(0, Math.floor((now - asOf) / DAY)),
  })),
})

/** Returns the lines that show the price book to people. */
export const priceBookLines = ({ source, prices }: ExplainedPriceBook, style: Style): readonly string[] => {
  const title = style('bold', `Price book: ${counted(prices.length, 'price')} from ${source}`)
  if (prices.length === 0) return [title]
  const [head = '', ...rows] = table(
    prices.slice(0, SHOWN),
    [
      { title: 'TYPE', value: ({ instanceType }) => instanceType },
      { title: 'CAPACITY', value: ({ capacityType }) => capacityType },
      { title: 'ZONE', value: ({ zone = 'every' }) => zone },
      { title: 'USD/HOUR', value: ({ usdPerHour }) => String(usdPerHour), align: 'right' },
      { title: 'AS OF', value: ({ asOf }) => asOf },
      { title: 'DAYS', value: ({ ageDays }) => String(ageDays), align: 'right' },
    ],
    style.width,
  )
  const more = prices.length > SHOWN ? [`and ${prices.length - SHOWN} more (-o json lists all)`] : []
  return [title, '', style('gray', head), ...rows, ...more]
}
