import type { PersistentVolumeClaim } from '@kerf/apis'
import type { PendingPod } from './pending-queue.ts'
import type { PodClass } from './pod-class.ts'
import { SELECTED_NODE } from './volumes.ts'

/** A pod whose node is chosen and whose volumes are being made there. */
export interface Reservation {
  readonly pending: PendingPod
  readonly podClass: PodClass
  readonly nodeName: string
}

/** Pods that are bound once their volumes are there, by uid. */
export class VolumeReservations {
  readonly #reserved = new Map<string, Reservation>()
  /** Claims (uid) whose choice of node has reached the mirror. */
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
   * Whether a claim is still to be made on the node. The annotation reaches the mirror a moment after it was written; only
   * its disappearance means a refusal.
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
