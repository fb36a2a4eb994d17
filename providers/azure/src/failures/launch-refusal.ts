import type { Milliseconds } from '@kerf/apis'

const MINUTE: Milliseconds = 60_000
const HOUR = 60 * MINUTE

/** Which offerings a refusal speaks against, seen from the one that was asked for. */
export type RefusedScope =
  /** Every on-demand offering of a size with as many cores or more, of any family. */
  | 'on-demand-of-as-many-cores'
  /** The size in all zones and in none, with this capacity type, for launches from this node class. A larger one may be allowed. */
  | 'denied-size'
  /** Every spot offering of every size. */
  | 'all-spot'
  /** The size in all zones and in none, with this capacity type. */
  | 'size-and-capacity-type'
  /** The size with this capacity type: in all zones, or in none, as was asked. */
  | 'same-scope-and-capacity-type'
  /** The size with both capacity types, in that scope. */
  | 'same-scope'
  /** The size in this zone, with both capacity types. */
  | 'zone'
  /** This offering. */
  | 'offering'
  | 'size'

/** What Azure's refusal of a launch comes to. */
export interface LaunchRefusal {
  /** Of the condition Launched. */
  readonly reason: string
  readonly scope: RefusedScope
  /** For how long what it speaks against is left out. */
  readonly ttl: Milliseconds
}

/** What was asked for. */
export interface RefusedLaunch {
  readonly code: string
  readonly message: string
  readonly capacityType: 'on-demand' | 'spot'
  /** Whether a machine of an AKS pool was asked for, and refused at once. */
  readonly isMachineRequest?: boolean
}

interface Row {
  readonly code: string
  readonly text?: string
  readonly refusal: (launch: RefusedLaunch) => LaunchRefusal
}

const marking =
  (reason: string, scope: RefusedScope, ttl: Milliseconds | ((launch: RefusedLaunch) => Milliseconds)) =>
  (launch: RefusedLaunch): LaunchRefusal => ({
    ...{ reason, scope },
    ttl: typeof ttl === 'number' ? ttl : ttl(launch),
  })

/** A limit of zero is one that nobody asked a quota for. */
const ofUsedQuota = ({ message }: RefusedLaunch): Milliseconds =>
  /Current Limit: 0\b/.test(message) ? HOUR : 10 * MINUTE

/**
 * Azure Policy denied the VM. Neither code nor message says what of it: the built-in policy "Allowed virtual machine size SKUs"
 * compares the size, so that another one may be allowed (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-policy-requestdisallowedbypolicy).
 */
const denied: Row = {
  code: 'RequestDisallowedByPolicy',
  refusal: marking('DisallowedByPolicy', 'denied-size', 10 * MINUTE),
}

/** In order: the first one that fits counts. Azure's codes have one spelling, and texts are parts of its messages. */
const rows: readonly Row[] = [
  {
    code: 'OperationNotAllowed',
    text: 'LowPriorityCores',
    refusal: marking('SubscriptionQuotaReached', 'all-spot', HOUR),
  },
  {
    code: 'OperationNotAllowed',
    text: 'Family Cores quota',
    refusal: marking('SubscriptionQuotaReached', 'size-and-capacity-type', ofUsedQuota),
  },
  {
    code: 'SkuNotAvailable',
    refusal: marking('SKUNotAvailable', 'same-scope-and-capacity-type', ({ capacityType }) =>
      capacityType === 'spot' ? HOUR : 23 * HOUR,
    ),
  },
  { code: 'ZonalAllocationFailed', refusal: marking('ZonalAllocationFailure', 'zone', HOUR) },
  { code: 'AllocationFailed', refusal: marking('AllocationFailure', 'same-scope', HOUR) },
  {
    code: 'OverconstrainedZonalAllocationRequest',
    refusal: marking('OverconstrainedZonalAllocationFailure', 'offering', HOUR),
  },
  {
    code: 'OverconstrainedAllocationRequest',
    refusal: marking('OverconstrainedAllocationFailure', 'same-scope-and-capacity-type', HOUR),
  },
  {
    code: 'OperationNotAllowed',
    text: 'exceeding approved Total Regional Cores quota',
    refusal: marking('RegionalQuotaReached', 'on-demand-of-as-many-cores', ofUsedQuota),
  },
  denied,
]

const machineRows: readonly Row[] = [
  denied,
  { code: 'VMSizeNotSupported', refusal: marking('SKUNotAvailable', 'size', 23 * HOUR) },
  {
    code: 'BadRequest',
    text: 'is not supported for subscription',
    refusal: marking('SKUNotAvailable', 'size', 23 * HOUR),
  },
]

/**
 * What a refused VM or machine says of its offering (`docs/spec/azure.md#error-classification`). Undefined for what is no matter of
 * capacity: refusals of network interfaces and extensions are never asked about.
 */
export const launchRefusalOf = (launch: RefusedLaunch): LaunchRefusal | undefined =>
  (launch.isMachineRequest === true ? machineRows : rows)
    .find(({ code, text = '' }) => code === launch.code && launch.message.includes(text))
    ?.refusal(launch)
