import type { KubeObject } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import { ifReadable } from './isolation/if-readable.ts'
import type { Isolation } from './isolation/isolation.ts'
import { closedView, type StateNode } from './state-node.ts'

/**
 * Tracks unreadable Nodes and NodeClaims, and provides the views of them that decisions use
 * (`docs/spec/isolation.md#nodes-and-nodeclaims`).
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

  /** Returns whether the informer has an unreadable Node or NodeClaim of this name. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Applies a change of one object. An error affects only this object. */
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

  /**
   * Returns the view of the node that decisions use. If the node is unreadable, the view only shows that the node exists and accepts no
   * pods.
   */
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
