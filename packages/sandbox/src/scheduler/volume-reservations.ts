import type { PersistentVolumeClaim } from '@kerf/apis'
import type { PendingPod } from './pending-queue.ts'
import type { PodClass } from './pod-class.ts'
import { SELECTED_NODE } from './volumes.ts'

/** A pod whose node is chosen and whose volumes are being provisioned there. */
export interface Reservation {
  readonly pending: PendingPod
  readonly podClass: PodClass
  readonly nodeName: string
}

/** Pods, by uid, that the scheduler will bind when their volumes exist. */
export class VolumeReservations {
  readonly #reserved = new Map<string, Reservation>()
  /** The uids of claims whose selected-node annotation has appeared in the informer. */
  readonly #selectedSeen = new Set<string>()

  values(): readonly Reservation[] {
    return [...this.#reserved.values()]
  }

  add(reservation: Reservation): void {
    this.#reserved.set(reservation.pending.uid, reservation)
  }

  drop(uid: string): void {
    this.#reserved.delete(uid)
  }

  forgetClaim(uid: string): void {
    this.#selectedSeen.delete(uid)
  }

  /**
   * Returns whether the claim is still waiting to be provisioned on the node. The selected-node annotation appears in the informer with a
   * delay. A missing annotation means that the provisioner has refused the node only if the informer has already shown the annotation.
   */
  holds(claim: PersistentVolumeClaim, nodeName: string): boolean {
    const uid = claim.metadata.uid ?? ''
    if (claim.metadata.annotations?.[SELECTED_NODE] === nodeName) {
      this.#selectedSeen.add(uid)
      return true
    }
    return !this.#selectedSeen.delete(uid)
  }
}
