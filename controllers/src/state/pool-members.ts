import { addResources } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import type { StateNode } from './state-node.ts'

const NOTHING: Resources = Object.freeze({})

/** The nodes of each NodePool, and what those that stay amount to. */
export class PoolMembers {
  readonly #share: (node: StateNode) => Resources | undefined
  readonly #members = new Map<string, Set<StateNode>>()
  readonly #usage = new Map<string, Resources>()

  /** `share`: what a node counts with; nothing if it leaves. */
  constructor(share: (node: StateNode) => Resources | undefined) {
    this.#share = share
  }

  nodes(pool: string): Iterable<StateNode> {
    return this.#members.get(pool) ?? []
  }

  /** What the pool's nodes that stay amount to: capacities by resource, and `nodes`. */
  usage(pool: string): Resources {
    let sum = this.#usage.get(pool)
    if (sum === undefined) {
      sum = NOTHING
      for (const node of this.nodes(pool)) sum = addResources(sum, this.#share(node) ?? NOTHING)
      this.#usage.set(pool, sum)
    }
    return sum
  }

  /** A node has changed. `before` and `after`: the pool that it was in, and is in. */
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
