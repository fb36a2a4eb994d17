import type { SavingsPlan, SavingsPlanRate, SavingsPlansApi } from './aws-api.ts'
import { awsPartition } from './partition.ts'
import { type SdkOptions, sdkCounters } from './sdk-clients.ts'
import { type JsonRequest, listAt, signedJson, textAt } from './sdk-signed-json.ts'

const SERVICE = 'savingsplans'
/** The API has a single endpoint, which accepts only signatures for this region. */
const SIGNING_REGION = 'us-east-1'
/** The largest page of both requests. */
const PAGE = 1000
const MOST_BYTES = 8 * 1024 * 1024
const LINUX = 'Linux/UNIX'
const SHARED = 'shared'

const parsePlan = (value: unknown): SavingsPlan => ({
  id: textAt(value, 'savingsPlanId'),
  kind: textAt(value, 'savingsPlanType'),
  region: textAt(value, 'region'),
  instanceFamily: textAt(value, 'ec2InstanceFamily'),
  commitment: textAt(value, 'commitment'),
  currency: textAt(value, 'currency'),
  start: textAt(value, 'start'),
  end: textAt(value, 'end'),
})

/**
 * Returns a list with the rate. The list is empty unless it is an hourly rate in US dollars for Linux instances with shared tenancy in the
 * region.
 */
const parseRate = (value: unknown, region: string): readonly SavingsPlanRate[] => {
  const properties = new Map(
    listAt(value, 'properties').map((property) => [textAt(property, 'name'), textAt(property, 'value')]),
  )
  const instanceType = properties.get('instanceType') ?? ''
  const isWanted =
    textAt(value, 'productType') === 'EC2' &&
    textAt(value, 'unit') === 'Hrs' &&
    textAt(value, 'currency') === 'USD' &&
    properties.get('region') === region &&
    properties.get('productDescription') === LINUX &&
    properties.get('tenancy') === SHARED &&
    // Unused capacity reservations have separate rates, which this condition excludes.
    textAt(value, 'usageType').includes('BoxUsage')
  return isWanted && instanceType !== '' ? [{ instanceType, rate: textAt(value, 'rate') }] : []
}

/** Returns an unsigned request to the Savings Plans API. */
export const savingsPlansRequest = (
  { region, endpoint, version }: Pick<SdkOptions, 'region' | 'endpoint' | 'version'>,
  operation: 'DescribeSavingsPlans' | 'DescribeSavingsPlanRates',
  input: object,
): JsonRequest => {
  const base = new URL(endpoint ?? `https://${SERVICE}.${awsPartition(region).dnsSuffix}`)
  return {
    method: 'POST',
    protocol: base.protocol,
    hostname: base.hostname,
    ...(base.port === '' ? {} : { port: Number(base.port) }),
    path: `${base.pathname.replace(/\/$/, '')}/${operation}`,
    query: {},
    headers: {
      host: base.host,
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': `karpenter.sh-${version}`,
    },
    body: JSON.stringify(input),
  }
}

/**
 * Returns a client for the Savings Plans API. Kerf needs only two requests, and builds them from the API model (REST with JSON, signature
 * version 4).
 */
export const sdkSavingsPlans = (options: SdkOptions): SavingsPlansApi => {
  const counted = sdkCounters(options)
  const send = signedJson(options, { service: SERVICE, region: SIGNING_REGION, mostBytes: MOST_BYTES })
  const pages = async (
    operation: 'DescribeSavingsPlans' | 'DescribeSavingsPlanRates',
    input: object,
    list: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    const all: unknown[] = []
    let nextToken = ''
    do {
      const page = { ...input, maxResults: PAGE, ...(nextToken === '' ? {} : { nextToken }) }
      const answer = await counted('Savings Plans', operation, () =>
        send(savingsPlansRequest(options, operation, page), signal),
      )
      all.push(...listAt(answer, list))
      nextToken = textAt(answer, 'nextToken')
    } while (nextToken !== '')
    return all
  }
  return {
    describeSavingsPlans: async (signal) =>
      (await pages('DescribeSavingsPlans', { states: ['active'] }, 'savingsPlans', signal)).map(parsePlan),
    describeSavingsPlanRates: async (savingsPlanId, region, signal) => {
      const filters = [
        { name: 'region', values: [region] },
        { name: 'productDescription', values: [LINUX] },
        { name: 'tenancy', values: [SHARED] },
      ]
      const found = await pages('DescribeSavingsPlanRates', { savingsPlanId, filters }, 'searchResults', signal)
      return found.flatMap((value) => parseRate(value, region))
    },
  }
}
