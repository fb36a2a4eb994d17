import type { VerbStreams } from '@kerf/provider-contract'
import type { PriceStatus, SourcedPrice, TypePrices } from '@kerf/provider-kit'
import { CliError, describeError, UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { resolveRegion } from '../installation/install-target.ts'
import { type AwsPriceBook, awsPriceBook } from '../pricing/price-book.ts'
import { readPriceFile } from '../pricing/price-file.ts'
import { regionCurrency } from '../pricing/price-list.ts'
import { PRICE_CONFIG_MAP } from '../pricing/price-memory.ts'
import { PriceReader } from '../pricing/price-reader.ts'
import type { PriceReaders } from './price-readers.ts'

export interface PricesOptions {
  readonly region?: string
  /** The namespace of the controller. */
  readonly namespace: string
  readonly kubeconfig?: string
  readonly context?: string
  readonly awsPriceFile?: string
  /** Whether to read current prices from AWS. */
  readonly live?: boolean
  /** Names of instance types. `*` matches any text. */
  readonly type: readonly string[]
  readonly zone: readonly string[]
  readonly output: 'table' | 'json'
}

const HEADINGS = { onDemand: 'on demand', spot: 'spot' } as const
type Kind = keyof typeof HEADINGS

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
]

const ageText = (milliseconds: number): string => {
  const [size, unit] = UNITS.find(([each]) => milliseconds >= each) ?? [1_000, 's']
  return `${Math.floor(milliseconds / size)} ${unit}`
}

const nameMatcher = (patterns: readonly string[]): ((name: string) => boolean) => {
  const wanted = patterns.map(
    (pattern) => new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
  )
  return (name) => wanted.length === 0 || wanted.some((pattern) => pattern.test(name))
}

/** A table row: an instance type in a zone. A type without a spot price has one row without a zone. */
interface Row {
  readonly type: string
  readonly zone?: string
  readonly onDemand?: SourcedPrice
  readonly spot?: SourcedPrice
}

const priceRows = ({ type, onDemand, spot }: TypePrices, isWanted: (zone: string) => boolean): readonly Row[] => {
  const bought = onDemand === undefined ? {} : { onDemand }
  if (spot.size === 0) return [{ type, ...bought }]
  return [...spot].filter(([zone]) => isWanted(zone)).map(([zone, price]) => ({ type, zone, ...bought, spot: price }))
}

/** Fills the price book from every available source, and reports the sources that cannot be read. */
const fill = async (
  book: AwsPriceBook,
  region: string,
  options: PricesOptions,
  readers: PriceReaders,
  print: (line: string) => void,
): Promise<void> => {
  const isNamed = options.kubeconfig !== undefined || options.context !== undefined
  try {
    const kept = await readers.remembered(region, options.namespace)
    if (kept === undefined)
      print(`the cluster has no prices of ${region} (ConfigMap ${options.namespace}/${PRICE_CONFIG_MAP})`)
    else book.remember(kept)
  } catch (error) {
    // If there is no cluster, prices still come from the file, from AWS or from the estimate.
    if (isNamed) throw error
    print(`could not read the last prices from a cluster: ${describeError(error, false)}`)
  }
  if (options.live !== true) return
  const signal = new AbortController().signal
  const reader = new PriceReader({ api: readers.api(region), clock: readers.clock, book }, { region })
  const asked: readonly (readonly [string, () => Promise<void>])[] = [
    ['on-demand prices', () => reader.readOnDemand(signal)],
    ['spot prices', () => reader.readSpot(signal)],
  ]
  const failures: string[] = []
  for (const [what, read] of asked) {
    await read().catch((error: unknown) => {
      const { code, message } = classifyAwsFailure(error)
      failures.push(`AWS did not return ${what} of ${region} (${code}: ${message})`)
    })
  }
  if (failures.length === asked.length)
    throw new CliError(
      `${failures.join('; ')}; check the region and your credentials, which need pricing:GetProducts and ec2:DescribeSpotPriceHistory`,
    )
  for (const failure of failures) print(failure)
}

const standingRow = (kind: Kind, { source, types, readAt }: PriceStatus, now: number): readonly string[] => [
  HEADINGS[kind],
  source,
  String(types),
  readAt === undefined ? 'unknown' : ageText(Math.max(now - readAt, 0)),
]

const priceText = (price: SourcedPrice | undefined, symbol: string): string =>
  price === undefined ? '-' : `${symbol}${price.price.toFixed(4)}`

/** Returns two tables for the user: the sources of the prices, and the prices. */
const pricesText = (
  rows: ReturnType<typeof priceRows>,
  standing: AwsPriceBook['standing'],
  currency: string,
  now: number,
  width: number,
): string => {
  const symbol = currency === 'USD' ? '$' : '¥'
  const sources = table(
    (['onDemand', 'spot'] as const).map((kind) => standingRow(kind, standing[kind], now)),
    ['PRICES', 'MOST TRUSTED SOURCE', 'TYPES', 'AGE'].map((title, index) => ({
      title,
      value: (row: readonly string[]) => row[index] ?? '',
    })),
    width,
  )
  const prices = table(
    rows,
    [
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'ZONE', value: ({ zone }) => zone ?? '-' },
      { title: 'ON DEMAND', value: ({ onDemand }) => priceText(onDemand, symbol), align: 'right' },
      { title: 'FROM', value: ({ onDemand }) => onDemand?.source ?? '-' },
      { title: 'SPOT', value: ({ spot }) => priceText(spot, symbol), align: 'right' },
      { title: 'FROM', value: ({ spot }) => spot?.source ?? '-' },
    ],
    width,
  )
  return `${[...sources, '', ...prices].join('\n')}\n`
}

/**
 * Runs `kerf aws prices`. Prints prices by instance type and zone, with their source and age. The order of the sources is that of `kerf
 * run`: current prices from AWS, prices that the controller saved earlier, a file, an estimate.
 * @throws UsageError for an unknown region, type or zone; CliError if AWS returned nothing
 */
export const runPrices = async (options: PricesOptions, streams: VerbStreams, readers: PriceReaders): Promise<void> => {
  const region = resolveRegion(options, streams.env)
  const file = await readPriceFile(options.awsPriceFile ?? '')
  const book = awsPriceBook(readers.clock, { region, ...(file === undefined ? {} : { file }) })
  await fill(book, region, options, readers, (line) => streams.stderr.write(`kerf: ${line}\n`))
  const isType = nameMatcher(options.type)
  const isZone = nameMatcher(options.zone)
  const listed = book.listing().filter(({ type }) => isType(type))
  if (listed.length === 0)
    throw new UsageError(`--type ${options.type.join(', ')}: no matching instance type has a price in ${region}`)
  const rows = listed
    .flatMap((each) => priceRows(each, isZone))
    .filter(({ zone }) => options.zone.length === 0 || zone !== undefined)
  if (rows.length === 0)
    throw new UsageError(`--zone ${options.zone.join(', ')}: no spot price is known, and on-demand prices have no zone`)
  const currency = regionCurrency(region)
  const { standing } = book
  const now = readers.clock.now()
  if (options.output === 'json') {
    const dated = ({ readAt, ...rest }: PriceStatus) => ({
      ...rest,
      ...(readAt === undefined
        ? {}
        : { readAt: new Date(readAt).toISOString(), ageSeconds: Math.max(Math.floor((now - readAt) / 1_000), 0) }),
    })
    const document = {
      region,
      currency,
      sources: { onDemand: dated(standing.onDemand), spot: dated(standing.spot) },
      prices: rows,
    }
    streams.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    return
  }
  streams.stdout.write(pricesText(rows, standing, currency, now, terminalWidth(streams.stdout)))
}
