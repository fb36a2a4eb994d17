import { isConditionTrue, type Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '@kerf/runtime'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { Command } from '../commands/command.ts'

/** The maximum time to wait for the nodes to disappear. */
const TIMEOUT: Milliseconds = 10_000
/** How often to check whether the nodes are gone. */
const CHECK_EVERY: Milliseconds = 250

/**
 * Tracks nodes that commands have deleted but that still exist. The next command is chosen and validated as if they were gone. Otherwise,
 * the next command would use only the rest of the budget although the whole budget is about to be available again, or it would wait twice:
 * for the nodes, and then for its own validation.
 */
export class TerminatingNodes {
  readonly #clock: Clock
  readonly #state: Pick<ClusterState, 'byProviderID'>
  /** Keyed by provider ID. Some clouds reuse the ID of a deleted instance, so the ID alone does not identify a node. */
  #nodes: ReadonlyMap<string, StateNode> = new Map()

  constructor(clock: Clock, state: Pick<ClusterState, 'byProviderID'>) {
    this.#clock = clock
    this.#state = state
  }

  /** Replaces the recorded nodes by those of the commands that have just started. */
  begin(commands: readonly Command[]): void {
    const ids = commands.flatMap(({ candidates }) => candidates.map(({ providerID }) => providerID))
    this.#nodes = new Map(
      ids.flatMap((id) => {
        const node = this.#state.byProviderID(id)
        return node === undefined ? [] : [[id, node] as const]
      }),
    )
  }

  /** The provider IDs of the recorded nodes that still exist. Decisions treat these nodes as removed. */
  get nodes(): ReadonlySet<string> {
    return new Set(Array.from(this.#nodes).flatMap(([id, node]) => (this.#state.byProviderID(id) === node ? [id] : [])))
  }

  /** Waits until budgets no longer count any of the recorded nodes, but at most until the timeout. Afterwards, no node is recorded. */
  async wait(signal: AbortSignal): Promise<void> {
    const nodes = this.#nodes
    const end = this.#clock.monotonic() + TIMEOUT
    while ([...nodes].some(([id, node]) => this.#isThere(id, node)) && this.#clock.monotonic() < end) {
      await sleep(this.#clock, CHECK_EVERY, signal)
    }
    if (this.#nodes === nodes) this.#nodes = new Map()
  }

  #isThere(providerID: string, node: StateNode): boolean {
    if (this.#state.byProviderID(providerID) !== node) return false
    return node.claim === undefined || !isConditionTrue(node.claim, 'InstanceTerminating')
  }
}
