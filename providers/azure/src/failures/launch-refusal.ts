import type { Milliseconds } from '@kerf/apis'

const MINUTE: Milliseconds = 60_000
const HOUR = 60 * MINUTE

/** Which offerings a refusal speaks against, seen from the one that was asked for. */
export type RefusedScope =
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
  | 'nothing'

/** What Azure's refusal of a launch comes to. */
export interface LaunchRefusal {
  /** Of the condition Launched. */
  readonly reason: string
  readonly scope: RefusedScope
  /** For how long what it speaks against is left out. */
  readonly ttl: Milliseconds
  /** Nothing else would help either: the claim is given up, and its pods are planned anew. */
  readonly isInsufficientCapacity: boolean
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
    ...{ reason, scope, isInsufficientCapacity: false },
    ttl: typeof ttl === 'number' ? ttl : ttl(launch),
  })

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
    // A limit of zero is a size that nobody asked a quota for.
    refusal: marking('SubscriptionQuotaReached', 'size-and-capacity-type', ({ message }) =>
      message.includes('Current Limit: 0') ? HOUR : 10 * MINUTE,
    ),
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
    refusal: () => ({
      ...{ reason: 'RegionalQuotaReached', scope: 'nothing', ttl: 0, isInsufficientCapacity: true },
    }),
  },
]

const machineRows: readonly Row[] = [
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
