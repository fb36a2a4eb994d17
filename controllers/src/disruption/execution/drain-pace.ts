import { isConditionTrue, type Milliseconds, type Pod, timeOf } from '@kerf/apis'
import { ifReadable } from '../../isolation/if-readable.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** Of a NodePool's nodes this share may drain at a time because they drifted, one at least. */
const SHARE = 0.02
/** A node that takes longer than this to drain, its pods' return included, holds up the others no more: upstream begins a node in ten seconds. */
const LONGEST_HOLD: Milliseconds = 10_000

const NEVER = Number.NEGATIVE_INFINITY

type PacedCandidate = Pick<Candidate, 'providerID' | 'poolName' | 'reschedulable'>

interface PacedState extends Pick<ClusterState, 'byProviderID' | 'nodes'> {
  readonly pods: Pick<ClusterState['pods'], 'provisionable'>
}

interface Draining {
  readonly poolName: string
  readonly since: Milliseconds
}

/**
 * Spreads the drains of drifted nodes over time. Their commands begin together, as many as budgets allow, so the
 * replacements come up together, and without a pace all of the nodes would give up their pods in the same second: twice
 * as many pods were not running at the worst moment as with upstream, which begins one command in ten seconds. A drain is over
 * when the pods that were created since it began run: the pods of one node that are still coming back and those of the next that are
 * leaving would be down together.
 */
export class DrainPace {
  readonly #state: PacedState
  readonly #draining = new Map<string, Draining>()

  constructor(state: PacedState) {
    this.#state = state
  }

  /** Whether these nodes may drain now, or others of their pools have to be done first. Nodes without pods always may. */
  mayBegin(candidates: readonly PacedCandidate[], now: Milliseconds): boolean {
    const drained = [...this.#draining].filter(([providerID]) => this.#isDrained(providerID))
    // Every pod is looked at, so only where somebody waits for the answer.
    const youngest = drained.length === 0 ? NEVER : this.#youngestWaiting()
    for (const [providerID, { since }] of this.#draining) {
      const isBack = drained.some(([id]) => id === providerID) && youngest < since
      if (now - since >= LONGEST_HOLD || isBack) this.#draining.delete(providerID)
    }
    if (this.#draining.size === 0) return true
    return candidates.every(({ poolName, reschedulable }) => {
      const busy = [...this.#draining.values()].filter((draining) => draining.poolName === poolName).length
      return reschedulable.length === 0 || busy < this.#most(poolName)
    })
  }

  /** These nodes give up their pods from now on. */
  begun(candidates: readonly PacedCandidate[], now: Milliseconds): void {
    for (const { providerID, poolName, reschedulable } of candidates) {
      if (reschedulable.length > 0) this.#draining.set(providerID, { poolName, since: now })
    }
  }

  #most(poolName: string): number {
    let nodes = 0
    for (const node of this.#state.nodes()) if (ifReadable(() => node.nodePool) === poolName) nodes++
    return Math.max(1, Math.floor(nodes * SHARE))
  }

  /** When the latest of the pods that do not run yet was created: to the second, as the API has it, and counted to its end. */
  #youngestWaiting(): Milliseconds {
    let youngest = NEVER
    const look = (pod: Pod): void => {
      if (pod.status?.phase === 'Running') return
      youngest = Math.max(youngest, (timeOf(pod.metadata.creationTimestamp) ?? 0) + 999)
    }
    // Cluster state reports a pod that cannot be read.
    const lookApart = (pod: Pod): void => ifReadable(() => look(pod))
    for (const pod of this.#state.pods.provisionable) lookApart(pod)
    for (const { pods } of this.#state.nodes()) for (const pod of pods) lookApart(pod)
    return youngest
  }

  #isDrained(providerID: string): boolean {
    const node = this.#state.byProviderID(providerID)
    return node === undefined || (node.claim !== undefined && isConditionTrue(node.claim, 'Drained'))
  }
}
