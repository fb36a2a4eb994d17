import type { SavingsPlanRate as SdkRate } from '@aws-sdk/client-savingsplans'
import { lazily } from '@kerf/provider-kit'
import type { SavingsPlanRate, SavingsPlansApi } from './aws-api.ts'
import { clientConfig, type SdkOptions, type sdkMeter } from './sdk-clients.ts'

/** The largest page of both requests. */
const PAGE = 1000
const LINUX = 'Linux/UNIX'
const SHARED = 'shared'

/** Returns the rate. Returns nothing if it is not an hourly rate in US dollars of an EC2 instance for Linux with shared tenancy. */
const readRate = (
  { productType, unit, currency, usageType = '', rate = '', properties = [] }: SdkRate,
  region: string,
): readonly SavingsPlanRate[] => {
  const byName = new Map<string | undefined, string | undefined>(properties.map(({ name, value }) => [name, value]))
  const instanceType = byName.get('instanceType') ?? ''
  const isWanted =
    productType === 'EC2' &&
    unit === 'Hrs' &&
    currency === 'USD' &&
    byName.get('region') === region &&
    byName.get('productDescription') === LINUX &&
    byName.get('tenancy') === SHARED &&
    // AWS lists separate rates for unused capacity reservations.
    usageType.includes('BoxUsage')
  return isWanted && instanceType !== '' ? [{ instanceType, rate }] : []
}

interface Page<T> {
  readonly items: readonly T[] | undefined
  readonly nextToken: string | undefined
}

/** Returns the items of all pages. The client of the SDK has no paginators. */
const readPages = async <T>(read: (nextToken: string | undefined) => Promise<Page<T>>): Promise<readonly T[]> => {
  const all: T[] = []
  let nextToken: string | undefined
  do {
    const page = await read(nextToken)
    all.push(...(page.items ?? []))
    nextToken = page.nextToken
  } while (nextToken !== undefined && nextToken !== '')
  return all
}

/** Returns the Savings Plans API through the SDK. Its client is loaded and created at the first call. */
export const sdkSavingsPlans = (options: SdkOptions, meter: ReturnType<typeof sdkMeter>): SavingsPlansApi => {
  const sdk = lazily(() => import('./clients/savings-plans.ts'))
  const client = lazily(async () => meter(new (await sdk()).SavingsplansClient(clientConfig(options)), 'Savings Plans'))
  return {
    describeSavingsPlans: async (abortSignal) => {
      const { DescribeSavingsPlansCommand } = await sdk()
      const plans = await readPages(async (nextToken) => {
        const command = new DescribeSavingsPlansCommand({ states: ['active'], maxResults: PAGE, nextToken })
        const page = await (await client()).send(command, { abortSignal })
        return { items: page.savingsPlans, nextToken: page.nextToken }
      })
      return plans.map((plan) => ({
        id: plan.savingsPlanId ?? '',
        kind: plan.savingsPlanType ?? '',
        region: plan.region ?? '',
        instanceFamily: plan.ec2InstanceFamily ?? '',
        commitment: plan.commitment ?? '',
        currency: plan.currency ?? '',
        start: plan.start ?? '',
        end: plan.end ?? '',
      }))
    },
    describeSavingsPlanRates: async (savingsPlanId, region, abortSignal) => {
      const { DescribeSavingsPlanRatesCommand } = await sdk()
      const rates = await readPages(async (nextToken) => {
        const command = new DescribeSavingsPlanRatesCommand({
          ...{ savingsPlanId, maxResults: PAGE, nextToken },
          filters: [
            { name: 'region', values: [region] },
            { name: 'productDescription', values: [LINUX] },
            { name: 'tenancy', values: [SHARED] },
          ],
        })
        const page = await (await client()).send(command, { abortSignal })
        return { items: page.searchResults, nextToken: page.nextToken }
      })
      return rates.flatMap((rate) => readRate(rate, region))
    },
  }
}
