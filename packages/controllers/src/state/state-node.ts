import {
  isEphemeralTaint,
  isSameTaint,
  isScheduled,
  labels,
  type Node,
  type NodeClaim,
  ownValue,
  type Pod,
  parseResources,
  type ResourceList,
  setOwnValue,
  type Taint,
  taints,
  toQuantity,
} from '@kerf/apis'
import type { NodeState, Resources } from '@kerf/engine'
import { ifReadable } from './isolation/if-readable.ts'

const NO_PODS: readonly Pod[] = Object.freeze([])

/** Returns whether only kube-scheduler should consider the taint. Plans ignore such taints. */
const isForKubeScheduler = (taint: Taint): boolean => isSameTaint(taint, taints.consolidating)

/** Returns a view of an unreadable node. The view shows only that the node exists, its capacity, and that it accepts no pods. */
export const closedView = (node: StateNode): NodeState => {
  const name = ifReadable(() => node.name) ?? node.providerID
  const nodePool = ifReadable(() => node.nodePool)
  const nodeClaim = ifReadable(() => node.claim?.metadata.name)
  return Object.freeze({
    name,
    hostName: name,
    labels: {},
    taints: [],
    capacity: ifReadable(() => node.capacity) ?? { nodes: toQuantity(1) },
    allocatable: {},
    initialized: false,
    managed: true,
    hasNode: node.node !== undefined,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(nodeClaim === undefined ? {} : { nodeClaim }),
    providerID: node.providerID,
    markedForDeletion: false,
    takesNoPods: true,
    pods: NO_PODS,
  })
}

/**
 * A node in the form that decisions use: a NodeClaim with an instance, a Node, or both, joined by provider ID
 * (`docs/spec/cluster-state.md`). Decisions read the frozen `view`, which is rebuilt only after a change.
 */
export class StateNode {
  readonly providerID: string
  #node: Node | undefined
  #claim: NodeClaim | undefined
  #pods: readonly Pod[] = NO_PODS
  #awaitedPod: Pod | 'unknown' | undefined
  #marked = false
  #view: NodeState | undefined
  #isMarkedForDeletion: boolean | undefined
  #version = 0

  constructor(providerID: string) {
    this.providerID = providerID
  }

  get node(): Node | undefined {
    return this.#node
  }

  set node(node: Node | undefined) {
    this.#node = node
    this.#changed()
  }

  /** Stores a newer version of the Node in which only the heartbeat has changed. Derived values do not change. */
  renewNode(node: Node): void {
    this.#node = node
  }

  get claim(): NodeClaim | undefined {
    return this.#claim
  }

  set claim(claim: NodeClaim | undefined) {
    this.#claim = claim
    this.#changed()
  }

  /** A pending pod that is nominated for this node. */
  get awaitedPod(): Pod | undefined {
    if (this.#awaitedPod === 'unknown') this.#awaitedPod = this.#pods.find((pod) => !isScheduled(pod))
    return this.#awaitedPod
  }

  /** Unfinished pods that are bound to or nominated for this node, including daemon pods. */
  get pods(): readonly Pod[] {
    return this.#pods
  }

  set pods(pods: readonly Pod[]) {
    this.#pods = pods
    this.#awaitedPod = 'unknown'
    this.#changed()
  }

  /** Whether Kerf has decided to delete this node. The API server might not show the decision yet. */
  get marked(): boolean {
    return this.#marked
  }

  set marked(marked: boolean) {
    this.#marked = marked
    this.#changed()
  }

  /** A version that increases with every change. */
  get version(): number {
    return this.#version
  }

  #changed(): void {
    this.#view = undefined
    this.#isMarkedForDeletion = undefined
    this.#version++
  }

  get isManaged(): boolean {
    return this.#claim !== undefined
  }

  get isRegistered(): boolean {
    return this.#node !== undefined && (!this.isManaged || this.#node.metadata.labels?.[labels.registered] === 'true')
  }

  get isInitialized(): boolean {
    return this.#node !== undefined && (!this.isManaged || this.#node.metadata.labels?.[labels.initialized] === 'true')
  }

  /**
   * Whether the node is being removed: Kerf has marked it, its claim is being deleted, its instance is terminating, or it has no claim and
   * its Node is being deleted. For a node with a claim, a deletionTimestamp on the Node has no effect here, because the claim will be
   * deleted next.
   */
  get isMarkedForDeletion(): boolean {
    this.#isMarkedForDeletion ??= this.#isLeaving()
    return this.#isMarkedForDeletion
  }

  #isLeaving(): boolean {
    if (this.#marked) return true
    const claim = this.#claim
    if (claim === undefined) return this.#node?.metadata.deletionTimestamp !== undefined
    if (claim.metadata.deletionTimestamp !== undefined) return true
    return (
      claim.status?.conditions?.some(
        (condition) => condition.type === 'InstanceTerminating' && condition.status === 'True',
      ) ?? false
    )
  }

  /** The object whose labels, annotations and taints apply: the claim until the node is registered, then the Node. */
  get #source(): Node | NodeClaim | undefined {
    if (this.#node === undefined) return this.#claim
    if (this.#claim !== undefined && !this.isRegistered) return this.#claim
    return this.#node
  }

  get name(): string {
    return this.#source?.metadata.name ?? this.providerID
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#source?.metadata.labels ?? {}
  }

  get annotations(): Readonly<Record<string, string>> {
    return this.#source?.metadata.annotations ?? {}
  }

  get nodePool(): string | undefined {
    return this.labels[labels.nodePool]
  }

  get hostName(): string {
    return this.labels[labels.hostname] ?? this.name
  }

  get taints(): readonly Taint[] {
    const fromClaim = this.#node === undefined || (this.isManaged && !this.isRegistered)
    const all = (fromClaim ? this.#claim?.spec.taints : this.#node?.spec.taints) ?? []
    if (!this.isManaged) return all
    if (this.isInitialized)
      return all.some(isForKubeScheduler) ? all.filter((taint) => !isForKubeScheduler(taint)) : all
    const startup = this.#claim?.spec.startupTaints ?? []
    return all.filter((taint) => !isEphemeralTaint(taint) && !startup.some((other) => isSameTaint(other, taint)))
  }

  /** The capacity. It always includes `nodes: 1`, for limits on the number of nodes. */
  get capacity(): Resources {
    return { ...this.#resources('capacity'), nodes: toQuantity(1) }
  }

  get allocatable(): Resources {
    return this.#resources('allocatable')
  }

  #resources(field: 'capacity' | 'allocatable'): Resources {
    const ofNode = parseResources(this.#node?.status?.[field])
    if (this.#claim === undefined || this.isInitialized) return ofNode
    const ofClaim = parseResources(this.#claim.status?.[field] ?? this.#requested)
    // A starting kubelet reports an extended resource as zero, or not at all, until the device plugin is ready.
    const merged = { ...ofNode }
    for (const [name, amount] of Object.entries(ofClaim))
      if ((ownValue(merged, name) ?? 0n) === 0n) setOwnValue(merged, name, amount)
    return merged
  }

  /** The requests that a claim without an instance was planned for. Its instance will have at least this capacity. */
  get #requested(): ResourceList | undefined {
    return (this.#claim?.status?.providerID ?? '') === '' ? this.#claim?.spec.resources?.requests : undefined
  }

  /**
   * The view of the node that decisions use. It is the same object until something changes, so that derived values can be cached for it.
   */
  get view(): NodeState {
    this.#view ??= this.#build()
    return this.#view
  }

  #build(): NodeState {
    const { nodePool } = this
    return Object.freeze({
      name: this.name,
      hostName: this.hostName,
      labels: this.labels,
      taints: this.taints,
      capacity: this.capacity,
      allocatable: this.allocatable,
      initialized: this.isInitialized,
      managed: this.isManaged,
      hasNode: this.#node !== undefined,
      ...(nodePool === undefined ? {} : { nodePool }),
      ...(this.#claim?.metadata.name === undefined ? {} : { nodeClaim: this.#claim.metadata.name }),
      ...(this.#node?.metadata.name === undefined ? {} : { nodeName: this.#node.metadata.name }),
      providerID: this.providerID,
      markedForDeletion: this.isMarkedForDeletion,
      pods: this.#pods,
    })
  }
}
