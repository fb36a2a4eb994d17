import { labels, type Node } from '@kerf/apis'
import type { NodeState, Resources } from '@kerf/engine'
import { isOnlyHeartbeat } from './heartbeat.ts'
import { ifReadable } from './isolation/if-readable.ts'
import { PoolMembers } from './pool-members.ts'
import { StateNode } from './state-node.ts'

interface JoinedNodesDeps {
  readonly viewOf: (node: StateNode) => NodeState
  readonly podsOn: (node: string) => StateNode['pods']
  /** Called with the provider ID before each change of a state node. */
  readonly changing: (id: string) => void
  /** Called after a change that may make consolidation possible. */
  readonly unconsolidated: () => void
  /** Called with the provider ID when both the Node and the NodeClaim are gone. */
  readonly gone: (id: string) => void
}

/**
 * Returns whether a Node lacks the fields by which it is joined to a claim. In this case, cluster state uses the claim in its place
 * (`docs/spec/cluster-state.md#updates`).
 */
export const isUnjoinable = (node: Node): boolean => {
  const carried = node.metadata.labels ?? {}
  if (carried[labels.nodePool] === undefined) return false
  if ((node.spec.providerID ?? '') === '') return true
  return (carried[labels.instanceType] ?? '') === '' && carried[labels.initialized] === undefined
}

const nodeName = ({ metadata }: Node): string => metadata.name ?? ''

/** Stores Nodes and launched NodeClaims, joined by provider ID, and the nodes of each pool. */
export class JoinedNodes {
  readonly #deps: JoinedNodesDeps
  readonly #byID = new Map<string, StateNode>()
  readonly #idOfNode = new Map<string, string>()
  readonly #members: PoolMembers

  constructor(deps: JoinedNodesDeps) {
    this.#deps = deps
    // The resources of an unreadable node still count towards the limits of its pool.
    this.#members = new PoolMembers((node) =>
      ifReadable(() => node.isMarkedForDeletion) === true ? undefined : deps.viewOf(node).capacity,
    )
  }

  values(): Iterable<StateNode> {
    return this.#byID.values()
  }

  get size(): number {
    return this.#byID.size
  }

  byProviderID(id: string): StateNode | undefined {
    return this.#byID.get(id)
  }

  byNodeName(name: string): StateNode | undefined {
    return this.#byID.get(this.#idOfNode.get(name) ?? '')
  }

  /** Returns whether a Node with this name is known. */
  tracks(name: string): boolean {
    return this.#idOfNode.has(name)
  }

  poolUsage(pool: string): Resources {
    return this.#members.usage(pool)
  }

  poolNodes(pool: string): Iterable<StateNode> {
    return this.#members.nodes(pool)
  }

  /** Applies a change of a Node. Ignores heartbeats of the kubelet, because a large cluster has many of them per second. */
  see(before: Node | undefined, after: Node): void {
    const state = this.byNodeName(nodeName(after))
    if (before !== undefined && state?.node === before && isOnlyHeartbeat(before, after)) state.renewNode(after)
    else this.#put(after)
  }

  #put(node: Node): void {
    if (isUnjoinable(node)) return
    const name = nodeName(node)
    const given = node.spec.providerID ?? ''
    const id = given === '' ? name : given
    const before = this.#idOfNode.get(name)
    if (before !== undefined && before !== id) this.remove(name)
    this.#idOfNode.set(name, id)
    this.change(id, (state) => {
      state.node = node
      state.pods = this.#deps.podsOn(name)
    })
  }

  remove(name: string): void {
    const id = this.#idOfNode.get(name)
    if (id === undefined) return
    this.#idOfNode.delete(name)
    this.change(id, (state) => {
      if (state.node === undefined || nodeName(state.node) !== name) return
      state.node = undefined
      state.pods = []
    })
  }

  /** Applies a change to one state node and updates all totals. */
  change(id: string, apply: (state: StateNode) => void): void {
    this.#deps.changing(id)
    let state = this.#byID.get(id)
    const existed = state !== undefined
    state ??= new StateNode(id)
    const before = { pool: state.nodePool, initialized: state.isInitialized, marked: state.isMarkedForDeletion }
    apply(state)
    const exists = state.node !== undefined || state.claim !== undefined
    if (!existed && !exists) return
    if (exists) this.#byID.set(id, state)
    else {
      this.#byID.delete(id)
      this.#deps.gone(id)
    }
    const pool = exists ? state.nodePool : undefined
    this.#members.changed(state, before.pool, pool)
    const isSame =
      existed === exists && before.initialized === state.isInitialized && before.marked === state.isMarkedForDeletion
    if (!isSame) this.#deps.unconsolidated()
  }
}
