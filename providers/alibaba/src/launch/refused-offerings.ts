import type { Milliseconds } from '@kerf/apis'
import type { UnavailableOfferings } from '@kerf/provider-kit'
import type { FailureKind } from '../failures/failure-kind.ts'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'
import type { DiskRefusals } from '../offers/disk-refusals.ts'
import { optionZone } from './launch-candidates.ts'
import type { LaunchPlan } from './launch-request.ts'
import type { VSwitchAddresses } from './vswitch-addresses.ts'

/** How long an offering stays unavailable after it was out of stock. Upstream uses the same duration. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000
/**
 * How long an instance type stays unavailable if it does not support the image or is not sold in the region. Such a mismatch rarely ends.
 */
const UNFIT_FOR: Milliseconds = 6 * 3_600_000
/**
 * How long an instance type stays unavailable in a zone for node classes with disks that it does not support there. Upstream uses the same
 * duration.
 */
const NO_DISK_FOR: Milliseconds = 30 * 60_000

/** A refused offering. */
export interface Refused {
  readonly type: string
  readonly zone: string
  readonly capacityType: string
  /** The error code of the API. */
  readonly reason: string
  /** The number of offerings that the refusal may concern, if the API does not identify the refused one. */
  readonly isOneOf?: number
}

export interface RefusedOfferingsDeps {
  readonly unavailable: UnavailableOfferings
  readonly disks: DiskRefusals
  readonly addresses: VSwitchAddresses
}

/**
 * Records which offerings, disks and vSwitches refused launches show to be unavailable (`providers/alibaba/docs/spec/alibaba.md#errors`).
 */
export class RefusedOfferings {
  readonly #deps: RefusedOfferingsDeps

  constructor(deps: RefusedOfferingsDeps) {
    this.#deps = deps
  }

  mark(kind: FailureKind, refused: Refused, plans: readonly LaunchPlan[], nodeClass: ECSNodeClass): void {
    const { unavailable, disks, addresses } = this.#deps
    const { type, zone, capacityType, reason, isOneOf = 1 } = refused
    // If the refusal may concern several offerings, most of them are probably usable, so they must become available again soon.
    const lasting = (time: Milliseconds): Milliseconds => (isOneOf === 1 ? time : UNAVAILABLE_FOR)
    switch (kind) {
      case 'no-stock':
      case 'quota':
        unavailable.mark({ instanceType: type, zone, capacityType }, reason)
        break
      case 'type-unfit':
        unavailable.mark({ instanceType: type }, reason, lasting(UNFIT_FOR))
        break
      case 'disk':
        disks.mark(nodeClass, { instanceType: type, zone }, reason, lasting(NO_DISK_FOR))
        break
      case 'addresses': {
        const full = plans.find(({ option }) => option.type.name === type && optionZone(option) === zone)
        if (full !== undefined) addresses.markFull(full.vSwitch)
        break
      }
      case 'credentials':
      case 'region':
      case 'cluster':
      case 'account':
      case 'configuration':
      case 'throttled':
      case 'not-found':
      case 'server':
      case 'other':
        break
    }
  }
}
