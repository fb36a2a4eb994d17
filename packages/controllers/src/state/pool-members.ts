import { addResources } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import type { StateNode } from './state-node.ts'

const NOTHING: Resources = Object.freeze({})

/** Tracks the nodes of each NodePool, and the total resources of those that are not being removed. */
export class PoolMembers {
  readonly #share: (node: StateNode) => Resources | undefined
  readonly #members = new Map<string, Set<StateNode>>()
  readonly #usage = new Map<string, Resources>()

  /** `share` returns the resources of a node, or undefined if the node is being removed. */
  constructor(share: (node: StateNode) => Resources | undefined) {
    this.#share = share
  }

  nodes(pool: string): Iterable<StateNode> {
    return this.#members.get(pool) ?? []
  }

  /** Returns the total resources of the pool's nodes that are not being removed. The number of these nodes is the resource `nodes`. */
  usage(pool: string): Resources {
    let sum = this.#usage.get(pool)
    if (sum === undefined) {
      sum = NOTHING
      for (const node of this.nodes(pool)) sum = addResources(sum, this.#share(node) ?? NOTHING)
      this.#usage.set(pool, sum)
    }
    return sum
  }

  /** Handles a change of a node. `before` and `after` are the node's pools before and after the change. */
  changed(node: StateNode, before: string | undefined, after: string | undefined): void {
    if (before !== undefined) {
      this.#usage.delete(before)
      if (before !== after) this.#leave(node, before)
    }
    if (after === undefined) return
    this.#usage.delete(after)
    const members = this.#members.get(after)
    if (members === undefined) this.#members.set(after, new Set([node]))
    else members.add(node)
  }

  #leave(node: StateNode, pool: string): void {
    const members = this.#members.get(pool)
    members?.delete(node)
    if (members?.size === 0) this.#members.delete(pool)
  }
}
