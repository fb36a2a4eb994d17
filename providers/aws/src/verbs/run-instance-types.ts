import type { VerbStreams } from '@kerf/provider-contract'
import type { PriceTable } from '@kerf/provider-kit'
import { CliError } from '@kerf/provider-kit/command-line'
import type { Clock } from '@kerf/runtime'
import type { AwsApi } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { resolveRegion } from '../installation/install-target.ts'
import { accountFile } from '../instance-type/account-file.ts'
import type { OfferedType } from '../instance-type/offline-market.ts'
import { awsPriceBook } from '../pricing/price-book.ts'
import { PriceReader } from '../pricing/price-reader.ts'

export interface AwsInstanceTypesOptions {
  readonly region?: string
}

/** AWS clients with the credentials of the user. */
export interface AccountReader {
  readonly clock: Clock
  api(region: string): Pick<AwsApi, 'ec2' | 'pricing'>
}

/** Awaits the call. If AWS refuses it, throws an error with the remedy. */
const asked = async <T>(what: string, permission: string, call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    const { code, message } = classifyAwsFailure(error)
    throw new CliError(
      `AWS did not return ${what} (${code}: ${message}); check the region and your credentials, which need ${permission}`,
      { cause: error },
    )
  }
}

/** Returns every instance type that a zone offers, ordered by name, with its zones. */
const offeredTypes = async (
  ec2: AwsApi['ec2'],
  region: string,
  signal: AbortSignal,
): Promise<readonly OfferedType[]> => {
  const [types, offerings] = await Promise.all([
    asked(`the instance types of ${region}`, 'ec2:DescribeInstanceTypes', ec2.describeInstanceTypes(signal)),
    asked(
      `the zones of the instance types of ${region}`,
      'ec2:DescribeInstanceTypeOfferings',
      ec2.describeInstanceTypeOfferings(signal),
    ),
  ])
  const offeringsByType = Map.groupBy(offerings, ({ InstanceType: type }) => `${type}`)
  return types
    .map((type) => ({
      type,
      zones: (offeringsByType.get(type.InstanceType ?? '') ?? []).flatMap(({ Location: zone }) => zone ?? []).sort(),
    }))
    .filter(({ zones }) => zones.length > 0)
    .sort((a, b) => ((a.type.InstanceType ?? '') < (b.type.InstanceType ?? '') ? -1 : 1))
}

/** Returns current prices from AWS. If AWS returns no spot prices, prints a notice with `print`. */
const prices = async (
  api: Pick<AwsApi, 'ec2' | 'pricing'>,
  clock: Clock,
  region: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<PriceTable> => {
  const book = awsPriceBook(clock, { region })
  const reader = new PriceReader({ api, clock, book }, { region })
  await asked(`on-demand prices of ${region}`, 'pricing:GetProducts', reader.readOnDemand(signal))
  await reader.readSpot(signal).catch((error: unknown) => {
    const { code, message } = classifyAwsFailure(error)
    print(
      `AWS did not return spot prices of ${region} (${code}: ${message}), which needs ec2:DescribeSpotPriceHistory; plans use estimates`,
    )
  })
  const listed = book.listing()
  return {
    onDemand: new Map(
      listed.flatMap(({ type, onDemand }) => (onDemand?.source === 'aws' ? [[type, onDemand.price] as const] : [])),
    ),
    spot: new Map(
      listed
        .map(({ type, spot }) => {
          const zones = [...spot].filter(([, { source }]) => source === 'aws')
          return [type, new Map(zones.map(([zone, { price }]) => [zone, price]))] as const
        })
        .filter(([, zones]) => zones.size > 0),
    ),
    readAt: clock.now(),
  }
}

/**
 * Runs `kerf aws instance-types`: writes the instance types of a region with zones and prices as a file for `--instance-types`. It
 * calls AWS with the user's credentials and changes nothing.
 * @throws UsageError for an invalid region; CliError if a call to AWS fails, with the required permission
 */
export const runAwsInstanceTypes = async (
  options: AwsInstanceTypesOptions,
  streams: VerbStreams,
  reader: AccountReader,
): Promise<void> => {
  const region = resolveRegion(options, streams.env)
  const api = reader.api(region)
  const { signal } = new AbortController()
  const types = await offeredTypes(api.ec2, region, signal)
  if (types.length === 0) throw new CliError(`AWS offers no instance type in ${region}; check the region`)
  const table = await prices(api, reader.clock, region, (line) => streams.stderr.write(`kerf: ${line}\n`), signal)
  const unpriced = types.filter(({ type }) => !table.onDemand.has(type.InstanceType ?? '')).length
  if (unpriced > 0)
    streams.stderr.write(
      `kerf: ${unpriced} of ${types.length} instance types have no on-demand price, and plans do not use them\n`,
    )
  streams.stdout.write(accountFile({ region, types, prices: table }))
}
