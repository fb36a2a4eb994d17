import type { KubeObject } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import { ifReadable } from './isolation/if-readable.ts'
import type { Isolation } from './isolation/isolation.ts'
import { closedView, type StateNode } from './state-node.ts'

/**
 * Tracks Nodes and NodeClaims that cannot be read, and provides what decisions see of them (`docs/spec/isolation.md#nodes-and-nodeclaims`).
 */
export class UnreadableObjects {
  readonly #isolation: Isolation
  readonly #names = new Set<string>()
  readonly #closedViews = new WeakMap<StateNode, { readonly version: number; readonly view: NodeState }>()

  constructor(isolation: Isolation) {
    this.#isolation = isolation
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** Returns whether the informer has a Node or NodeClaim of this name that cannot be read. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Applies a change of one object. If that throws, only this object is affected. */
  apart(kind: string, object: KubeObject | undefined, apply: () => void): void {
    if (object === undefined) return
    const name = ifReadable(() => object.metadata.name)
    try {
      apply()
      if (name !== undefined) this.#names.delete(name)
    } catch (error) {
      this.#isolation.report({ kind, stage: 'state', object, error })
      if (name !== undefined) this.#names.add(name)
    }
  }

  /** Returns what decisions see of the node. If it cannot be read, they only see that it exists and takes no pods. */
  viewOf(node: StateNode): NodeState {
    const closed = this.#closedViews.get(node)
    if (closed?.version === node.version) return closed.view
    try {
      return node.view
    } catch (error) {
      const [object, kind] = node.node === undefined ? [node.claim, 'NodeClaim'] : [node.node, 'Node']
      this.#isolation.report({ kind, stage: 'snapshot', object: object ?? node, error })
      const view = closedView(node)
      this.#closedViews.set(node, { version: node.version, view })
      this.#names.add(view.name)
      if (view.nodeClaim !== undefined) this.#names.add(view.nodeClaim)
      return view
    }
  }
}
