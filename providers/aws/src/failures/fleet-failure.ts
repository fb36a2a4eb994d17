/**
 * What CreateFleet says of an offering that it could not launch (`docs/spec/aws.md#subnets`,
 * `docs/spec/aws.md#placement-groups`, `docs/spec/aws.md#instances`, `docs/spec/aws.md#errors`).
 */

/** One entry of CreateFleet's `Errors`. */
export interface FleetError {
  readonly ErrorCode?: string | undefined
  readonly ErrorMessage?: string | undefined
  readonly LaunchTemplateAndOverrides?:
    | {
        readonly Overrides?:
          | {
              readonly InstanceType?: string | undefined
              readonly AvailabilityZone?: string | undefined
              readonly SubnetId?: string | undefined
            }
          | undefined
      }
    | undefined
}

const UNFULFILLABLE: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
  'UnfulfillableCapacity',
  'Unsupported',
  'InsufficientFreeAddressesInSubnet',
  'MaxFleetCountExceeded',
  'ReservationCapacityExceeded',
])
const SPOT_ROLE_MISSING = 'AuthFailure.ServiceLinkedRoleCreationNotPermitted'

export const isUnfulfillable = (code: string): boolean => UNFULFILLABLE.has(code)
export const isSpotRoleMissing = (code: string): boolean => code === SPOT_ROLE_MISSING

/** What an error makes unavailable for a while. */
export type UnavailableCapacity =
  | { readonly kind: 'offering'; readonly instanceType: string; readonly zone: string; readonly reason: string }
  | { readonly kind: 'capacity-type'; readonly capacityType: 'spot'; readonly reason: string }
  | { readonly kind: 'subnet'; readonly subnetId: string; readonly reason: string }
  /** Nothing is left in the reservation that the launch was for. */
  | { readonly kind: 'reservation'; readonly reason: string }
  /** The spread group is full in the zone, for every type. */
  | { readonly kind: 'placement-group-zone'; readonly zone: string; readonly reason: string }

/** A spread group takes seven instances a zone. */
const SPREAD_LIMIT = /spread.*(limit|maximum)|(limit|maximum).*spread/i

/** What the error of a launch makes unavailable. Nothing for errors that are not about capacity. */
export const unavailableOf = (
  error: FleetError,
  launch: {
    readonly capacityType: 'on-demand' | 'spot' | 'reserved'
    readonly placementStrategy?: 'cluster' | 'partition' | 'spread'
  },
): readonly UnavailableCapacity[] => {
  const code = error.ErrorCode ?? ''
  const reason = code
  const {
    InstanceType: instanceType,
    AvailabilityZone: zone,
    SubnetId: subnetId,
  } = error.LaunchTemplateAndOverrides?.Overrides ?? {}
  if (isSpotRoleMissing(code)) return [{ kind: 'capacity-type', capacityType: 'spot', reason }]
  if (launch.placementStrategy === 'spread' && zone !== undefined && SPREAD_LIMIT.test(error.ErrorMessage ?? ''))
    return [{ kind: 'placement-group-zone', zone, reason }]
  if (!isUnfulfillable(code)) return []
  if (code === 'InsufficientFreeAddressesInSubnet' && subnetId !== undefined)
    return [{ kind: 'subnet', subnetId, reason }]
  if (launch.capacityType === 'reserved') return [{ kind: 'reservation', reason }]
  return instanceType === undefined || zone === undefined ? [] : [{ kind: 'offering', instanceType, zone, reason }]
}
