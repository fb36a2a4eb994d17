import type { Milliseconds } from '@kerf/apis'

const MINUTE: Milliseconds = 60_000
const HOUR = 60 * MINUTE

/** The offerings that a refusal makes unavailable, relative to the requested one. */
export type RefusedScope =
  /** Every on-demand offering of a size with at least as many cores, of any family. */
  | 'on-demand-of-as-many-cores'
  /**
   * The size in all zones and without a zone, with this capacity type, but only for launches of this node class. A larger size may
   * be allowed.
   */
  | 'denied-size'
  /** Every spot offering of every size. */
  | 'all-spot'
  /** The size in all zones and without a zone, with this capacity type. */
  | 'size-and-capacity-type'
  /**
   * The offerings of the size with this capacity type. If the request had a zone, these are the offerings in all zones. If it had none, it
   * is the offering without a zone.
   */
  | 'same-scope-and-capacity-type'
  /** Like `same-scope-and-capacity-type`, with both capacity types. */
  | 'same-scope'
  /** The size in the requested zone, with both capacity types. */
  | 'zone'
  /** Only the requested offering. */
  | 'offering'
  | 'size'

/** The consequences of Azure's refusal of a launch. */
export interface LaunchRefusal {
  /** The reason of the Launched condition. */
  readonly reason: string
  readonly scope: RefusedScope
  /** How long the offerings stay unavailable. */
  readonly ttl: Milliseconds
}

/** The refused request. */
export interface RefusedLaunch {
  readonly code: string
  readonly message: string
  readonly capacityType: 'on-demand' | 'spot'
  /** Whether the request was for a machine of an AKS pool, and was refused immediately. */
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

/**
 * Returns how long a quota refusal makes offerings unavailable. The time is longer if the limit is zero, because the user must first
 * request a quota.
 */
const ofUsedQuota = ({ message }: RefusedLaunch): Milliseconds =>
  /Current Limit: 0\b/.test(message) ? HOUR : 10 * MINUTE

/**
 * Azure Policy denied the VM. Neither the code nor the message identifies the denied property. The built-in policy "Allowed virtual machine
 * size SKUs" checks the size, so another size may be allowed
 * (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-policy-requestdisallowedbypolicy).
 */
const denied: Row = {
  code: 'RequestDisallowedByPolicy',
  refusal: marking('DisallowedByPolicy', 'denied-size', 10 * MINUTE),
}

/**
 * The rules in order of precedence. The first rule that matches applies. Kerf compares codes case-sensitively, because Azure always uses
 * the same case. Texts are parts of messages.
 */
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
 * Returns how the refusal of a VM or machine affects its offerings (`providers/azure/docs/spec/azure.md#error-classification`). Returns
 * undefined if the refusal does not concern capacity. Callers must not use it for refusals of network interfaces and extensions.
 */
export const classifyLaunchRefusal = (launch: RefusedLaunch): LaunchRefusal | undefined =>
  (launch.isMachineRequest === true ? machineRows : rows)
    .find(({ code, text = '' }) => code === launch.code && launch.message.includes(text))
    ?.refusal(launch)
