import type { ReservedInstances } from '@aws-sdk/client-ec2'
import type { AccountCommitment } from '@kerf/provider-contract'
import type { SavingsPlan, SavingsPlanRate } from '../api/aws-api.ts'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { normalizedUnits } from '../instance-type/normalized-units.ts'

/** Converts reserved instances and Savings Plans to commitments (`providers/aws/docs/spec/aws.md#commitments-of-the-account`). */

const HOUR_IN_SECONDS = 3600
const COMPUTE = 'Compute'
const EC2_INSTANCE = 'EC2Instance'

/** Formats a time for the ClusterPolicy: UTC without fractions of a second. Returns undefined if there is no valid time. */
const timeText = (time: Date | string | undefined): string | undefined => {
  const at = time === undefined || time === '' ? Number.NaN : new Date(time).getTime()
  return Number.isNaN(at) ? undefined : `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Returns a positive amount as decimal text. Returns undefined for any other amount. */
const amountText = (amount: number): string | undefined => {
  const text = Number.isFinite(amount) ? amount.toFixed(9).replace(/\.?0+$/, '') : '0'
  return Number(text) > 0 ? text : undefined
}

const term = (start: Date | string | undefined, end: Date | string | undefined) => {
  const [from, until] = [timeText(start), timeText(end)]
  return { ...(from === undefined ? {} : { start: from }), ...(until === undefined ? {} : { end: until }) }
}

/** Returns the hourly cost of one reserved instance: the upfront price divided by the hours of the term, plus the hourly prices. */
const amortisedPrice = ({
  CurrencyCode = 'USD',
  Duration = 0,
  FixedPrice = 0,
  UsagePrice = 0,
  RecurringCharges = [],
}: ReservedInstances): number => {
  if (CurrencyCode !== 'USD') return 0
  const hours = Duration / HOUR_IN_SECONDS
  const recurring = RecurringCharges.reduce((sum, { Amount = 0 }) => sum + Amount, 0)
  return (hours > 0 ? FixedPrice / hours : 0) + UsagePrice + recurring
}

/**
 * Returns the commitment of a reserved instance. Returns undefined unless it is active, for Linux, and has default tenancy. `typeNamed`
 * looks up an instance type by name.
 */
export const reservedCommitment = (
  reserved: ReservedInstances,
  region: string,
  typeNamed: (name: string) => Ec2InstanceType | undefined,
): AccountCommitment | undefined => {
  const { ReservedInstancesId: id, InstanceType: instanceType, InstanceCount: count = 0, State: state } = reserved
  const isUsable =
    (state === undefined || state === 'active') &&
    (reserved.ProductDescription ?? '').startsWith('Linux/UNIX') &&
    (reserved.InstanceTenancy ?? 'default') === 'default'
  if (!isUsable || id === undefined || instanceType === undefined || count < 1) return undefined
  const common = { name: `ri-${id.toLowerCase()}`, region, ...term(reserved.Start, reserved.End) }
  const price = amortisedPrice(reserved)
  const priced = (units: number) => {
    const usdPerHour = amountText(price / units)
    return usdPerHour === undefined ? {} : { usdPerHour }
  }
  if (reserved.Scope === 'Availability Zone') {
    const zone = reserved.AvailabilityZone
    return zone === undefined ? undefined : { ...common, ...priced(1), instanceType, count, zone }
  }
  const units = normalizedUnits(typeNamed(instanceType) ?? { InstanceType: instanceType })
  const amount = units === undefined ? undefined : amountText(units * count)
  if (units === undefined || amount === undefined) return { ...common, ...priced(1), instanceType, count }
  const [family = ''] = instanceType.split('.')
  return { ...common, ...priced(units), instanceTypes: [`${family}.*`], normalizedUnits: amount }
}

/** Returns true if the plan can apply to EC2 instances in the region. */
export const isPlanFor = ({ kind, region, currency }: SavingsPlan, ownRegion: string): boolean =>
  (currency === '' || currency === 'USD') &&
  (kind === COMPUTE || (kind === EC2_INSTANCE && (region === '' || region === ownRegion)))

/** Returns the commitment of a plan, or undefined if the plan has no rate for EC2 instances in the region. */
export const planCommitment = (
  { id, kind, instanceFamily, commitment, start, end }: SavingsPlan,
  rates: readonly SavingsPlanRate[],
  region: string,
): AccountCommitment | undefined => {
  const committedUsdPerHour = amountText(Number(commitment))
  const byType = new Map(
    rates.flatMap(({ instanceType, rate }) => {
      const usdPerHour = amountText(Number(rate))
      return usdPerHour === undefined ? [] : [[instanceType, usdPerHour] as const]
    }),
  )
  if (committedUsdPerHour === undefined || byType.size === 0) return undefined
  return {
    name: `sp-${id.toLowerCase()}`,
    region,
    ...(kind === EC2_INSTANCE && instanceFamily !== '' ? { instanceTypes: [`${instanceFamily}.*`] } : {}),
    committedUsdPerHour,
    rates: {
      instanceTypes: Array.from(byType, ([instanceType, usdPerHour]) => ({ instanceType, usdPerHour })).toSorted(
        (a, b) => (a.instanceType < b.instanceType ? -1 : 1),
      ),
    },
    ...term(start, end),
  }
}
