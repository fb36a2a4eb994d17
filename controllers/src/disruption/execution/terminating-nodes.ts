import { isConditionTrue, type Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '@kerf/runtime'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Command } from '../commands/command.ts'

/** How long somebody who counted on the nodes to be gone waits for the last of them. */
const TIMEOUT: Milliseconds = 10_000
/** How often to check whether they are gone. */
const CHECK_EVERY: Milliseconds = 250

/**
 * Nodes that commands have deleted and that are not gone yet. The next command is chosen and validated meanwhile as if they
 * were: otherwise it would make the best of what they leave of a budget just before the whole of it is free again, or wait
 * for them first and for its own validation afterwards.
 */
export class TerminatingNodes {
  readonly #clock: Clock
  readonly #state: Pick<ClusterState, 'byProviderID'>
  #nodes = new Set<string>()

  constructor(clock: Clock, state: Pick<ClusterState, 'byProviderID'>) {
    this.#clock = clock
    this.#state = state
  }

  /** The commands that were begun just now; earlier ones are counted on no more. */
  begin(commands: readonly Command[]): void {
    this.#nodes = new Set(commands.flatMap(({ candidates }) => candidates.map(({ providerID }) => providerID)))
  }

  /** Provider IDs of nodes that are expected to be gone soon. */
  get nodes(): ReadonlySet<string> {
    return this.#nodes
  }

  /** Returns when budgets count none of them any more, or when that takes too long. Nobody counts on them afterwards. */
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
