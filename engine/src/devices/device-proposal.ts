import type { ClaimView } from '../model/device-claims.ts'
import type { HostId } from '../model/ids.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { FoundDevices } from './device-search.ts'

/** Where a claim that this decision found devices for can be used. */
export interface PlacedClaim {
  readonly target: HostId
  /** Its devices are part of one node: nobody on another can use it. */
  readonly isLocal: boolean
  readonly requirements: Requirements
}

/** Why a pod cannot have its devices somewhere. */
export interface DeviceShortage {
  /** `gpu of ResourceClaim default/trainer`, or the claim alone. */
  readonly request: string
  readonly problem: string
}

/** Devices found for a pod on one target, not taken yet. */
export interface DeviceProposal {
  readonly target: HostId
  readonly searched: readonly ClaimView[]
  readonly byType: ReadonlyMap<string, FoundDevices>
}

/** What `narrowed` requires beyond `before`. */
export const difference = (narrowed: Requirements, before: Requirements): Requirements => {
  if (narrowed === before) return Requirements.none
  const own = [...narrowed.byKey.values()].filter((requirement) => before.byKey.get(requirement.key) !== requirement)
  return own.length === 0 ? Requirements.none : Requirements.of(own)
}
