import type { Node } from '@kerf/apis'
import type { InstanceView } from '@kerf/provider-contract'
import { type Clock, sleep } from '@kerf/runtime'
import { isOwnNode } from './instance-node.ts'
import { nodeView } from './instance-view.ts'

/** How many Nodes are processed before the function yields to other work. Processing them takes a few milliseconds. */
export const NODES_PER_TURN = 250

/**
 * Converts Nodes to instances. Parses each version of a Node only once, because only a few of thousands of Nodes change between two rounds
 * (`docs/spec/process.md#turns-of-the-event-loop`).
 */
export class NodeViews {
  readonly #clock: Clock
  readonly #known = new WeakMap<Node, InstanceView>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Returns the instances of this provider among the Nodes, in the same order. In a large cluster, yields to other work between batches of
   * Nodes.
   */
  async of(nodes: readonly Node[], signal: AbortSignal): Promise<readonly InstanceView[]> {
    const views: InstanceView[] = []
    for (let start = 0; start < nodes.length; start += NODES_PER_TURN) {
      if (start > 0) await sleep(this.#clock, 0, signal)
      for (const node of nodes.slice(start, start + NODES_PER_TURN)) {
        const view = this.#viewOf(node)
        if (view !== undefined) views.push(view)
      }
    }
    return views
  }

  #viewOf(node: Node): InstanceView | undefined {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    if (!isOwnNode(node)) return undefined
    const view = nodeView(node)
    this.#known.set(node, view)
    return view
  }
}
