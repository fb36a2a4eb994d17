import { isConditionTrue, type Milliseconds, type Pod, parseTime } from '@kerf/apis'
import type { ClusterState } from '../../state/cluster-state.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** The fraction of a NodePool's nodes that may drain at the same time because of drift. At least one node always may. */
const SHARE = 0.02
/**
 * A draining node delays the drains of other nodes until its pods run again, but at most for this long. Upstream starts one drain every ten
 * seconds.
 */
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
 * Spreads the drains of drifted nodes over time. Budgets let many commands start together, so their replacements become ready together.
 * Without `DrainPace`, all nodes would evict their pods in the same second, and up to twice as many pods would be down as with upstream,
 * which starts one command every ten seconds. A drain ends when all pods that were created since its start are running. Otherwise, the next
 * node would evict its pods while the pods of the previous node are still starting.
 */
export class DrainPace {
  readonly #state: PacedState
  readonly #draining = new Map<string, Draining>()

  constructor(state: PacedState) {
    this.#state = state
  }

  /**
   * Returns whether these nodes may drain now, or must wait for other nodes of their pools. Nodes without pods never wait.
   */
  mayBegin(candidates: readonly PacedCandidate[], now: Milliseconds): boolean {
    const drained = [...this.#draining].filter(([providerID]) => this.#isDrained(providerID))
    // Runs only if a drain has ended, because it reads every pod.
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

  /** Records that these nodes have started to drain. */
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

  /**
   * Returns the creation time of the youngest pod that is not running yet. Creation times have a resolution of one second, so the result is
   * the end of that second.
   */
  #youngestWaiting(): Milliseconds {
    let youngest = NEVER
    const look = (pod: Pod): void => {
      if (pod.status?.phase === 'Running') return
      youngest = Math.max(youngest, (parseTime(pod.metadata.creationTimestamp) ?? 0) + 999)
    }
    // Skips pods that cannot be read. Cluster state reports them.
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
