import { type DaemonSet, karpenterKinds, kinds, type Milliseconds, type NodePool, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, NodeState, PoolOption } from '@kerf/engine'
import type { InformerFactory } from '@kerf/runtime'
import { poolConsolidateAfter, quietSince } from '../nodeclaim/consolidatable.ts'
import { cachedList } from './cached-list.ts'
import type { ClusterState, MirrorDeps } from './cluster-state.ts'
import { daemonSetPod } from './daemon-pods.ts'
import { ifReadable } from './isolation/if-readable.ts'
import type { StateNode } from './state-node.ts'
import { largestCapacity } from './unlaunched-capacity.ts'

export interface SnapshotOptions {
  /** For consolidation simulations: marks nodes whose consolidateAfter has not passed yet. */
  readonly consolidation?: boolean
  /** For disruption simulations: with `FOREIGN_NODES=ignore`, nodes of other autoscalers accept no pods. */
  readonly disruption?: boolean
}

type PodOwner = NonNullable<ClusterSnapshot['podOwners']>[number]

/**
 * Returns whether the last pod was added to or removed from the node less than consolidateAfter ago. If Kerf moved pods to such a node, its
 * consolidateAfter would start again.
 */
const isUnderConsolidateAfter = (node: StateNode, pool: NodePool | undefined, now: Milliseconds): boolean => {
  const after = pool === undefined ? 0 : poolConsolidateAfter(pool)
  if (after === 'Never' || after <= 0) return false
  const since = node.claim === undefined ? undefined : quietSince(node.claim, now)
  return since !== undefined && now - since < after
}

/**
 * Creates the input of the engine from cluster state. The cost depends on the number of nodes, not on the number of pods, because an
 * unchanged list is the same array as in the previous snapshot.
 */
export class Snapshots {
  readonly #state: ClusterState
  readonly #deps: MirrorDeps
  readonly #lists
  /** The views of nodes that accept no pods, keyed by the normal view of the node. */
  readonly #closed = new WeakMap<NodeState, NodeState>()
  readonly #bare = new WeakMap<NodeState, NodeState>()

  readonly #daemonPods = new WeakMap<DaemonSet, { readonly newest: Pod | undefined; readonly pods: readonly Pod[] }>()

  constructor(deps: MirrorDeps, state: ClusterState) {
    this.#deps = deps
    this.#state = state
    this.#lists = createLists(deps)
  }

  /** Takes a snapshot. `pools` are the pools that may launch nodes, with their instance types. */
  take(pools: readonly PoolOption[], options: SnapshotOptions = {}): ClusterSnapshot {
    const lists = this.#lists
    const { isolation } = this.#state
    const sound = <Item extends object>(items: readonly Item[]): readonly Item[] =>
      isolation.sound('provisioning', items)
    const daemonSets = sound(lists.daemonSets())
    const ceilings = this.#state.ceilings.headroom()
    const commitments = this.#state.commitments.current()
    const { access } = this.#state.poolPolicies
    const asleep = this.#state.poolPolicies.sleepTexts(this.#deps.clock.now())
    return {
      pools: withSleep(
        pools.filter(({ nodePool }) => !isolation.isSetAside('provisioning', nodePool)),
        asleep,
      ),
      nodes: this.#nodes(pools, options, asleep),
      plannedFor: this.#state.placements.snapshot(),
      daemonPods: sound(daemonSets.flatMap((daemonSet) => this.#daemonPod(daemonSet))),
      namespaces: sound(lists.namespaces()),
      persistentVolumeClaims: sound(lists.persistentVolumeClaims()),
      persistentVolumes: sound(lists.persistentVolumes()),
      storageClasses: sound(lists.storageClasses()),
      csiNodes: sound(lists.csiNodes()),
      daemonSets,
      ...(ceilings === undefined ? {} : { ceilings }),
      ...(commitments === undefined ? {} : { commitments }),
      ...(access === undefined ? {} : { access }),
      ...(lists.owners === undefined
        ? {}
        : { services: sound(lists.owners.services()), podOwners: sound(lists.owners.podOwners()) }),
      ...(lists.devices === undefined
        ? {}
        : {
            resourceSlices: sound(lists.devices.resourceSlices()),
            resourceClaims: sound(lists.devices.resourceClaims()),
            deviceClasses: sound(lists.devices.deviceClasses()),
          }),
    }
  }

  #nodes(
    pools: readonly PoolOption[],
    { consolidation = false, disruption = false }: SnapshotOptions,
    asleep: ReadonlyMap<string, string>,
  ): readonly NodeState[] {
    const { others } = this.#state
    const { isolation } = this.#state
    const viewOf = (node: StateNode): NodeState => {
      const view = this.#countedView(this.#state.viewOf(node), node, pools)
      if (isolation.isSetAside('provisioning', view)) return this.#bareView(view)
      return asleep.size > 0 && asleep.has(view.nodePool ?? '') ? this.#closedView(view) : view
    }
    if (!consolidation && !(disruption && others.ignoresNodes)) return Array.from(this.#state.nodes(), viewOf)
    const now = this.#deps.clock.now()
    return Array.from(this.#state.nodes(), (node) => {
      const view = viewOf(node)
      if (view.takesNoPods === true) return view
      if (disruption && !node.isManaged && others.ignores(node.node)) return this.#closedView(view)
      if (!consolidation) return view
      const pool = this.#lists.pool(node.nodePool ?? '')
      return isUnderConsolidateAfter(node, pool, now) ? { ...view, underConsolidateAfter: true } : view
    })
  }

  /**
   * Returns the view of a node with the capacity that counts towards limits. For a claim that decisions no longer wait for, this is the
   * largest capacity that its instance may have.
   */
  #countedView(view: NodeState, { claim }: StateNode, pools: readonly PoolOption[]): NodeState {
    const { leftOut } = this.#state
    if (claim === undefined || leftOut.size === 0 || !leftOut.has(view.nodeClaim ?? '')) return view
    const types = pools.find(({ nodePool }) => nodePool.metadata.name === view.nodePool)?.instanceTypes ?? []
    return Object.freeze({ ...view, capacity: largestCapacity(claim, view.capacity, types) })
  }

  /** Returns a view of an unreadable node, without the fields that made an earlier decision fail. */
  #bareView(view: NodeState): NodeState {
    let bare = this.#bare.get(view)
    if (bare === undefined) {
      bare = Object.freeze({ ...view, labels: {}, taints: [], allocatable: {}, takesNoPods: true, pods: [] })
      this.#bare.set(view, bare)
    }
    return bare
  }

  /** Returns the same pod object until the DaemonSet changes, so that a pod that was set aside can be recognized. */
  #daemonPod(daemonSet: DaemonSet): readonly Pod[] {
    const newest = this.#state.pods.daemonPod(ifReadable(() => daemonSet.metadata.uid) ?? '')
    const known = this.#daemonPods.get(daemonSet)
    if (known !== undefined && known.newest === newest) return known.pods
    const { isolation } = this.#state
    const made = isolation.guard(
      daemonSet.kind ?? 'DaemonSet',
      'snapshot',
      daemonSet,
      () => daemonSetPod(daemonSet, newest),
      undefined,
    )
    const pods = made === undefined ? [] : [made]
    this.#daemonPods.set(daemonSet, { newest, pods })
    return pods
  }

  #closedView(view: NodeState): NodeState {
    let closed = this.#closed.get(view)
    if (closed === undefined) {
      closed = Object.freeze({ ...view, takesNoPods: true })
      this.#closed.set(view, closed)
    }
    return closed
  }
}

/** Returns the options. Adds the wake-up time to those whose NodePool is asleep. */
const withSleep = (pools: readonly PoolOption[], asleep: ReadonlyMap<string, string>): readonly PoolOption[] =>
  asleep.size === 0
    ? pools
    : pools.map((option) => {
        const sleepsUntil = asleep.get(option.nodePool.metadata.name)
        return sleepsUntil === undefined ? option : { ...option, sleepsUntil }
      })

/** Returns the lists of objects that are needed only with certain settings. Kerf watches these kinds only with these settings. */
const createLists = ({ informers, settings }: MirrorDeps) => {
  const needsOwners = settings.defaultSpreadConstraints.length > 0
  const pools = informers.of(karpenterKinds.NodePool)
  return {
    pool: (name: string): NodePool | undefined => pools.get(name),
    daemonSets: cachedList(informers.of(kinds.DaemonSet)),
    namespaces: cachedList(informers.of(kinds.Namespace)),
    persistentVolumeClaims: cachedList(informers.of(kinds.PersistentVolumeClaim)),
    persistentVolumes: cachedList(informers.of(kinds.PersistentVolume)),
    storageClasses: cachedList(informers.of(kinds.StorageClass)),
    csiNodes: cachedList(informers.of(kinds.CSINode)),
    owners: needsOwners ? listOwners(informers) : undefined,
    devices: settings.ignoreDraRequests
      ? undefined
      : {
          resourceSlices: cachedList(informers.of(kinds.ResourceSlice)),
          resourceClaims: cachedList(informers.of(kinds.ResourceClaim)),
          deviceClasses: cachedList(informers.of(kinds.DeviceClass)),
        },
  }
}

const listOwners = (informers: InformerFactory) => {
  const services = cachedList(informers.of(kinds.Service))
  const replicaSets = cachedList(informers.of(kinds.ReplicaSet))
  const statefulSets = cachedList(informers.of(kinds.StatefulSet))
  const replicationControllers = cachedList(informers.of(kinds.ReplicationController))
  return {
    services,
    podOwners: (): readonly PodOwner[] => [...replicaSets(), ...statefulSets(), ...replicationControllers()],
  }
}
