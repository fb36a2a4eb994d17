import type { Demand, NoDemand } from './demand.ts'

/** Reasons why an owner no longer needs the pods that it lacked, unless it has created them. */
const NEEDS_NONE: ReadonlySet<NoDemand> = new Set(['complete', 'surplus', 'suspended', 'being-deleted'])

interface Lacked {
  /** How many pods the owner lacked at the latest reading. */
  readonly count: number
  /** How many pods the owner has created since then. */
  readonly created: number
}

/**
 * Remembers how many pods each owner lacks. So it can tell an owner that has created its pods from an owner that no longer needs them. The
 * keys are UIDs of owners.
 */
export class LackedPods {
  readonly #byOwner = new Map<string, Lacked>()

  /** Records that the owner has created a pod. */
  created(uid: string): void {
    const lacked = this.#byOwner.get(uid)
    if (lacked !== undefined) this.#byOwner.set(uid, { ...lacked, created: lacked.created + 1 })
  }

  /**
   * Records the current demand of an owner, or `deleted`. Returns whether the owner lacked pods at the latest reading, has not created all
   * of them, and does not need them any more.
   */
  read(uid: string, demand: Demand | 'deleted' | undefined): boolean {
    const before = this.#byOwner.get(uid)
    if (demand !== undefined && demand !== 'deleted' && demand.kind === 'missing') {
      this.#byOwner.set(uid, { count: demand.count, created: 0 })
      return false
    }
    this.#byOwner.delete(uid)
    const needsNone = demand === 'deleted' || (demand !== undefined && NEEDS_NONE.has(demand.reason))
    return needsNone && before !== undefined && before.created < before.count
  }
}
