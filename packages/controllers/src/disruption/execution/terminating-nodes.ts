import { isConditionTrue, type Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '@kerf/runtime'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Command } from '../commands/command.ts'

/** The longest wait for the last node to be gone. */
const TIMEOUT: Milliseconds = 10_000
/** How often to check whether the nodes are gone. */
const CHECK_EVERY: Milliseconds = 250

/**
 * Tracks nodes that commands have deleted and that still exist. The next command is chosen and validated as if they were gone.
 * Otherwise the next command could use only the rest of the budget, although the whole budget is about to be available again. Or
 * it would wait twice: for the nodes, and then for its own validation.
 */
export class TerminatingNodes {
  readonly #clock: Clock
  readonly #state: Pick<ClusterState, 'byProviderID'>
  #nodes = new Set<string>()

  constructor(clock: Clock, state: Pick<ClusterState, 'byProviderID'>) {
    this.#clock = clock
    this.#state = state
  }

  /** Records the nodes of the commands that were just started. Nodes of earlier commands do not count as gone any more. */
  begin(commands: readonly Command[]): void {
    this.#nodes = new Set(commands.flatMap(({ candidates }) => candidates.map(({ providerID }) => providerID)))
  }

  /** The provider IDs of the nodes that count as gone. */
  get nodes(): ReadonlySet<string> {
    return this.#nodes
  }

  /** Waits until budgets count none of these nodes, or until the timeout. Afterwards none of them counts as gone. */
  async wait(signal: AbortSignal): Promise<void> {
    const nodes = this.#nodes
    const end = this.#clock.monotonic() + TIMEOUT
    while ([...nodes].some((node) => this.#isThere(node)) && this.#clock.monotonic() < end) {
      await sleep(this.#clock, CHECK_EVERY, signal)
    }
    if (this.#nodes === nodes) this.#nodes = new Set()
  }

  #isThere(providerID: string): boolean {
    const node = this.#state.byProviderID(providerID)
    if (node === undefined) return false
    return node.claim === undefined || !isConditionTrue(node.claim, 'InstanceTerminating')
  }
}
