import { isConditionTrue, type Milliseconds } from '@kerf/apis'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** Of a NodePool's nodes this share may drain at a time because they drifted, one at least. */
const SHARE = 0.02
/** A node that takes longer than this to drain holds up the others no more: upstream begins a node in ten seconds. */
const LONGEST_HOLD: Milliseconds = 10_000

type PacedCandidate = Pick<Candidate, 'providerID' | 'poolName' | 'reschedulable'>

interface Draining {
  readonly poolName: string
  readonly since: Milliseconds
}

/**
 * Spreads the drains of drifted nodes over time. Their commands begin together, as many as budgets allow, so the
 * replacements come up together, and without a pace all of the nodes would give up their pods in the same second: twice
 * as many pods were not running at the worst moment as with upstream, which begins one command in ten seconds.
 */
export class DrainPace {
  readonly #state: Pick<ClusterState, 'byProviderID' | 'nodes'>
  readonly #draining = new Map<string, Draining>()

  constructor(state: Pick<ClusterState, 'byProviderID' | 'nodes'>) {
    this.#state = state
  }

  /** Whether these nodes may drain now, or others of their pools have to be done first. Nodes without pods always may. */
  mayBegin(candidates: readonly PacedCandidate[], now: Milliseconds): boolean {
    for (const [providerID, { since }] of this.#draining) {
      if (now - since >= LONGEST_HOLD || this.#isDrained(providerID)) this.#draining.delete(providerID)
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
    for (const { nodePool } of this.#state.nodes()) if (nodePool === poolName) nodes++
    return Math.max(1, Math.floor(nodes * SHARE))
  }

  #isDrained(providerID: string): boolean {
    const node = this.#state.byProviderID(providerID)
    return node === undefined || (node.claim !== undefined && isConditionTrue(node.claim, 'Drained'))
  }
}
