import type { DaemonSet, Namespace, Node, NodeClaim, NodePool, Pod } from '@kerf/apis'
import {
  claimJoinKey,
  countNodes,
  daemonSetPod,
  isProvisionable,
  PodIndex,
  type PoolCount,
  StateNode,
} from '@kerf/controllers/cluster-view'
import {
  type CeilingHeadroom,
  type ClusterSnapshot,
  HOURLY_COST,
  hourlyCost,
  type InstanceType,
  labelledPrice,
  type NodeState,
  type PoolOption,
} from '@kerf/engine'
import { type BrowserPolicies, NO_POLICIES } from './browser-policies.ts'
import { isTrue } from './conditions.ts'
import { pendingState } from './pending-pods.ts'
import { at, fieldsAt, isDeleting, listAt, objectName, textAt, withSoundStatus } from './read.ts'

/** The objects that the page has loaded. If the user is not allowed to list a resource kind, its list is empty. */
export interface ClusterObjects {
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[]
  readonly nodes: readonly unknown[]
  readonly pods: readonly unknown[]
  readonly daemonSets: readonly unknown[]
  readonly namespaces: readonly unknown[]
  readonly persistentVolumeClaims: readonly unknown[]
  readonly persistentVolumes: readonly unknown[]
  readonly storageClasses: readonly unknown[]
}

/** The instance types that each pool may launch, keyed by the pool's name. */
export type InstanceTypesByPool = ReadonlyMap<string, readonly InstanceType[]>

export interface BrowserCluster {
  readonly snapshot: ClusterSnapshot
  /** Pods for which a new node may be planned. */
  readonly pending: readonly Pod[]
  /** Pods that their scheduler has not reported as unschedulable yet. No node is planned for them until then. */
  readonly untried: readonly Pod[]
}

/** Returns whether an object has the fields that the engine requires of a pod. Objects that lack them are omitted. */
const isPod = (object: unknown): object is Pod =>
  objectName(object) !== '' &&
  listAt(object, 'spec', 'containers').every((each) => textAt(each, 'name') !== undefined) &&
  at(object, 'spec', 'containers') !== undefined
const isPool = (object: unknown): object is NodePool =>
  objectName(object) !== '' && at(object, 'spec', 'template', 'spec', 'nodeClassRef') !== undefined
const isClaim = (object: unknown): object is NodeClaim => objectName(object) !== '' && at(object, 'spec') !== undefined
const isNode = (object: unknown): object is Node => objectName(object) !== '' && at(object, 'spec') !== undefined
const isDaemonSet = (object: unknown): object is DaemonSet =>
  objectName(object) !== '' && Array.isArray(at(object, 'spec', 'template', 'spec', 'containers'))

interface Joined {
  readonly id: string
  node: Node | undefined
  claim: NodeClaim | undefined
}

/** Joins nodes and claims in the same way as the controller's cluster state. */
const joinById = (nodes: readonly unknown[], claims: readonly unknown[]): readonly Joined[] => {
  const joined = new Map<string, Joined>()
  const withId = (id: string): Joined => {
    const known = joined.get(id) ?? { id, node: undefined, claim: undefined }
    joined.set(id, known)
    return known
  }
  for (const node of nodes.filter(isNode)) withId(node.spec.providerID ?? objectName(node)).node = node
  for (const claim of claims.filter(isClaim)) {
    const id = claimJoinKey(claim)
    if (id !== '') withId(id).claim = claim
  }
  return [...joined.values()]
}

/** Returns the nodes with their pods, in the form that decisions use. */
const stateNodes = (nodes: readonly unknown[], claims: readonly unknown[], index: PodIndex): readonly StateNode[] =>
  joinById(nodes, claims).map(({ id, node, claim }) => {
    const state = new StateNode(id)
    state.node = node
    state.claim = claim
    if (node !== undefined) state.pods = index.on(objectName(node))
    return state
  })

/**
 * Caches the state of each node without its pods, keyed by its Node object or, if there is no Node, by its NodeClaim
 * object. A changed object of the cluster is a new JavaScript object, so a state is computed again only when one of the
 * two objects has changed.
 */
const bareStates = new WeakMap<object, StateNode>()

const bareState = ({ id, node, claim }: Joined): readonly StateNode[] => {
  const key = node ?? claim
  if (key === undefined) return []
  const known = bareStates.get(key)
  if (known !== undefined && known.providerID === id && known.claim === claim) return [known]
  const made = new StateNode(id)
  made.node = node
  made.claim = claim
  bareStates.set(key, made)
  return [made]
}

/**
 * Counts the nodes of each pool with the controller's own function, in the same way as for budgets. The cost of a call depends on the
 * objects that have changed since the last one.
 */
export const poolCounts = (nodes: readonly unknown[], claims: readonly unknown[]): ReadonlyMap<string, PoolCount> => {
  return countNodes(joinById(nodes.map(withSoundStatus), claims.map(withSoundStatus)).flatMap(bareState))
}

const withName = (objects: readonly unknown[]): readonly unknown[] => objects.filter((each) => objectName(each) !== '')

/**
 * Returns the namespaces for the engine, which matches them by labels. Adds the label that contains a namespace's
 * name.
 */
const namespacesOf = (listed: readonly unknown[], pods: readonly Pod[]): readonly Namespace[] => {
  const labels = new Map<string, Readonly<Record<string, unknown>>>()
  for (const pod of pods) labels.set(pod.metadata.namespace ?? 'default', {})
  for (const each of withName(listed)) labels.set(objectName(each), fieldsAt(each, 'metadata', 'labels'))
  return Array.from(labels, ([name, own]) => ({
    apiVersion: 'v1' as const,
    kind: 'Namespace' as const,
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...(own as Readonly<Record<string, string>>) } },
  }))
}

const VOLUME_LISTS = ['persistentVolumeClaims', 'persistentVolumes', 'storageClasses'] as const

/** Returns the pod without the volumes that use a PersistentVolumeClaim. */
const withoutClaims = (pod: Pod): Pod => {
  const volumes = (pod.spec.volumes ?? []).filter(
    (each) => each.persistentVolumeClaim === undefined && each.ephemeral === undefined,
  )
  return volumes.length === (pod.spec.volumes ?? []).length ? pod : { ...pod, spec: { ...pod.spec, volumes } }
}

/** Adds the prices of the nodes to the ceilings, if one of them is in US dollars. An unknown price counts as 0, as in the controller. */
const withPrices = (
  ceilings: CeilingHeadroom,
  nodes: readonly NodeState[],
  instanceTypesByPool: InstanceTypesByPool,
): CeilingHeadroom => {
  if (!ceilings.most.has(HOURLY_COST)) return ceilings
  const typesOf = (nodePool: string) =>
    new Map((instanceTypesByPool.get(nodePool) ?? []).map((type) => [type.name, type]))
  const prices = nodes.flatMap(({ name, nodePool, labels }) => {
    const price = nodePool === undefined ? undefined : labelledPrice(labels, typesOf(nodePool))
    return price === undefined ? [] : [[name, hourlyCost(price)] as const]
  })
  return { ...ceilings, prices: new Map(prices) }
}

/**
 * Returns the cluster snapshot for the engine, made from the page's objects. Omits pools that launch no nodes for pods (not Ready, static,
 * being deleted), as the controller does, and pools whose instance types are unknown. If a list about volumes is not known (`notKnown`),
 * volume claims are ignored, because the engine would treat them as missing. Without `policies`, new nodes are decided as if there were none.
 */
export const browserCluster = (
  objects: ClusterObjects,
  instanceTypesByPool: InstanceTypesByPool,
  notKnown: ReadonlySet<keyof ClusterObjects> = new Set(),
  { ceilings, access, asleep }: BrowserPolicies = NO_POLICIES,
): BrowserCluster => {
  const areVolumesKnown = VOLUME_LISTS.every((name) => !notKnown.has(name))
  const found = objects.pods.filter(isPod)
  const pods = areVolumesKnown ? found : found.map(withoutClaims)
  const index = new PodIndex()
  for (const pod of pods) index.put(pod)
  const pools = objects.pools.filter(isPool).flatMap((nodePool): readonly PoolOption[] => {
    const instanceTypes = instanceTypesByPool.get(objectName(nodePool)) ?? []
    const launches = isTrue(nodePool, 'Ready') && !isDeleting(nodePool) && nodePool.spec.replicas === undefined
    const sleepsUntil = asleep.get(objectName(nodePool))
    const sleep = sleepsUntil === undefined ? {} : { sleepsUntil }
    return launches && instanceTypes.length > 0 ? [{ nodePool, instanceTypes, ...sleep }] : []
  })
  const daemonSets = objects.daemonSets.filter(isDaemonSet)
  const nodes = stateNodes(objects.nodes, objects.claims, index).map(({ view }) => view)
  return {
    snapshot: {
      pools,
      nodes,
      daemonPods: daemonSets.map((each) => daemonSetPod(each, index.daemonPod(each.metadata.uid ?? ''))),
      namespaces: namespacesOf(objects.namespaces, pods),
      persistentVolumeClaims: withName(objects.persistentVolumeClaims) as ClusterSnapshot['persistentVolumeClaims'],
      persistentVolumes: withName(objects.persistentVolumes) as ClusterSnapshot['persistentVolumes'],
      storageClasses: withName(objects.storageClasses) as ClusterSnapshot['storageClasses'],
      csiNodes: [],
      daemonSets,
      ...(ceilings === undefined ? {} : { ceilings: withPrices(ceilings, nodes, instanceTypesByPool) }),
      ...(access.size === 0 ? {} : { access }),
    },
    pending: pods.filter(isProvisionable),
    untried: pods.filter((pod) => pendingState(pod) === 'untried' && !isProvisionable(pod)),
  }
}
