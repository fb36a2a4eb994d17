import type { ClaimView } from '../model/device-claims.ts'
import type { HostId } from '../model/ids.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { FoundDevices } from './device-search.ts'

/** A claim that this decision found devices for, and the nodes that can use the claim. */
export interface PlacedClaim {
  readonly target: HostId
  /** Whether its devices belong to a single node, so that no other node can use the claim. */
  readonly isLocal: boolean
  readonly requirements: Requirements
}

/** The reason why a pod cannot have its devices on a target. */
export interface DeviceShortage {
  /** The request in the form `gpu of ResourceClaim default/trainer`, or only the claim (`ResourceClaim default/trainer`). */
  readonly request: string
  readonly problem: string
}

/** Devices that were found for a pod on one target and are not taken yet. */
export interface DeviceProposal {
  readonly target: HostId
  readonly searched: readonly ClaimView[]
  readonly byType: ReadonlyMap<string, FoundDevices>
}

/** Returns the requirements of `narrowed` that `before` does not have. */
export const difference = (narrowed: Requirements, before: Requirements): Requirements => {
  if (narrowed === before) return Requirements.none
  const own = [...narrowed.byKey.values()].filter((requirement) => before.byKey.get(requirement.key) !== requirement)
  return own.length === 0 ? Requirements.none : Requirements.of(own)
}
