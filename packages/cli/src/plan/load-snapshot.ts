import {
  groupVersion,
  type KubeObject,
  karpenterKinds,
  kinds,
  type LabelVocabulary,
  type Namespace,
  type Node,
  type NodeClaim,
  type NodePool,
  ownValue,
  type Pod,
  policyKinds,
  type ResourceKind,
  validateNodeOverlay,
} from '@kerf/apis'
import {
  type AttachedPolicies,
  attachPolicies,
  claimJoinKey,
  daemonSetPod,
  evaluateOverlays,
  isProvisionable,
  OverlayStore,
  type PlannedCeilings,
  PodIndex,
  plannedCeilings,
  plannedCommitments,
  poolAccess,
  StateNode,
} from '@kerf/controllers'
import {
  type ClusterSnapshot,
  type InstanceType,
  LabelRules,
  type NodeState,
  type PoolOption,
  type ScheduleOptions,
} from '@kerf/engine'
import { SystemClock } from '@kerf/runtime'
import { readTypesFile } from '../cluster/types-file.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { ManifestError } from '../manifests/manifest-error.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { vocabularyFor } from '../vocabulary.ts'
import { admitting, admittingDaemons } from './admitted-pods.ts'
import { discountsIn, type PlannedCommitments, plannedUse, pricing, typesByName } from './commitments.ts'
import { type PlannedPrices, plannedPrices } from './price-book.ts'

/** A cluster from files, ready for `schedule`. */
export interface LoadedCluster {
  readonly snapshot: ClusterSnapshot
  /** Pending pods, in file order. */
  readonly pending: readonly Pod[]
  /** Settings for the engine that come from the provider of the instance types. */
  readonly options: ScheduleOptions
  /** The ceilings of the ClusterPolicy. Absent if there are none. */
  readonly ceilings?: PlannedCeilings
  /** The price book of the ClusterPolicy. Its prices are already part of the instance types. */
  readonly priceBook?: PlannedPrices
  /** The commitments of the ClusterPolicy. Absent if there are none. */
  readonly commitments?: PlannedCommitments
  /** Returns instance types with the prices of the price book and the discounts. Returns the same list if no price changes. */
  readonly withPrices: (types: readonly InstanceType[]) => readonly InstanceType[]
  /** The NodePools to which the NodePoolPolicies apply. */
  readonly poolPolicies: AttachedPolicies
  /** Every manifest that was read, for commands that print more about it. */
  readonly manifests: readonly Manifest[]
}

/** Returns the instance types that a NodePool may launch. Called once for each pool. */
export type InstanceTypesOf = (nodePool: NodePool) => readonly InstanceType[]

/** Objects by kind, in file order. If two objects have the same kind and name, the later one applies, as with `kubectl apply`. */
class ObjectIndex {
  readonly #byKind = new Map<string, Map<string, Manifest>>()

  constructor(manifests: readonly Manifest[]) {
    for (const manifest of manifests) {
      const { apiVersion, kind, metadata } = manifest.object
      const key = `${apiVersion}/${kind}`
      let objects = this.#byKind.get(key)
      if (objects === undefined) {
        objects = new Map()
        this.#byKind.set(key, objects)
      }
      objects.set(`${metadata.namespace ?? ''}/${metadata.name ?? `#${objects.size}`}`, manifest)
    }
  }

  /**
   * Returns the objects of the kind.
   * @throws ManifestError if `spec` is required and missing
   */
  of<T extends KubeObject>(kind: ResourceKind<T>, required?: 'spec'): readonly T[] {
    const found = this.#byKind.get(`${groupVersion(kind)}/${kind.kind}`)
    if (found === undefined) return []
    const isOfKind = ({ file, line, object }: Manifest): T => {
      if (required !== undefined && !hasObject(object, required)) {
        throw new ManifestError(`${file}:${line}: ${kind.kind} ${object.metadata.name}: ${required} is missing`)
      }
      return object as T
    }
    return Array.from(found.values(), isOfKind)
  }
}

const hasObject = (object: KubeObject, field: string): boolean => {
  const value = ownValue(object as unknown as Readonly<Record<string, unknown>>, field)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const objectName = (object: KubeObject): string => object.metadata.name

/**
 * Returns whether the pod is pending. A hand-written pod without a status, or with an empty one, counts as pending. For a pod from a
 * cluster, the conditions in its status decide.
 */
const isWaiting = (pod: Pod): boolean => {
  if (pod.status !== undefined && Object.keys(pod.status).length > 0) return isProvisionable(pod)
  // kube-scheduler ignores the pod until its scheduling gates are removed.
  if ((pod.spec.schedulingGates ?? []).length > 0) return false
  return isProvisionable({
    ...pod,
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  })
}

/**
 * Returns the Namespaces in the files, and a Namespace for each other namespace that an object in the files uses. Each has the label that
 * the API server sets.
 */
const listNamespaces = (objects: ObjectIndex, pods: readonly Pod[]): readonly Namespace[] => {
  const given = new Map(objects.of(kinds.Namespace).map((namespace) => [objectName(namespace), namespace]))
  const names = new Set([...given.keys(), ...pods.map((pod) => pod.metadata.namespace ?? 'default')])
  return Array.from(names, (name) => {
    const namespace = given.get(name) ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const labels = { 'kubernetes.io/metadata.name': name, ...namespace.metadata.labels }
    return { ...namespace, metadata: { ...namespace.metadata, labels } }
  })
}

const buildNodeStates = (
  nodes: readonly Node[],
  claims: readonly NodeClaim[],
  index: PodIndex,
): readonly NodeState[] => {
  const states = new Map<string, StateNode>()
  const stateOf = (id: string): StateNode => {
    const known = states.get(id)
    if (known !== undefined) return known
    const created = new StateNode(id)
    states.set(id, created)
    return created
  }
  for (const node of nodes) {
    const state = stateOf(node.spec.providerID ?? objectName(node))
    state.node = node
    state.pods = index.on(objectName(node))
  }
  for (const claim of claims) {
    // A claim that has not been launched yet has no provider ID.
    const id = claimJoinKey(claim)
    if (id !== '') stateOf(id).claim = claim
  }
  return Array.from(states.values(), (state) => state.view)
}

/** A pool that launches nodes for pods, with the instance types that its provider offers. */
interface OfferedPool {
  readonly pool: NodePool
  readonly types: readonly InstanceType[]
}

const offeredPools = (objects: ObjectIndex, instanceTypesOf: InstanceTypesOf): readonly OfferedPool[] =>
  objects
    .of(karpenterKinds.NodePool, 'spec')
    // Static pools launch nodes only for their replicas. Deleted pools launch none.
    .filter((pool) => pool.spec.replicas === undefined && pool.metadata.deletionTimestamp === undefined)
    .map((pool) => ({ pool, types: instanceTypesOf(pool) }))

/** Returns the pools with the prices and capacities that NodeOverlays set. */
const overlaidPools = (
  objects: ObjectIndex,
  offered: readonly OfferedPool[],
  vocabulary: LabelVocabulary,
): readonly PoolOption[] => {
  const rules = new LabelRules(vocabulary)
  const overlays = objects
    .of(karpenterKinds.NodeOverlay, 'spec')
    .filter((overlay) => validateNodeOverlay(overlay, vocabulary).errors.length === 0)
  const store = new OverlayStore(rules)
  store.replace(evaluateOverlays(overlays, offered, rules).overlays)
  return offered.map(({ pool, types }) => ({ nodePool: pool, instanceTypes: store.apply(pool, types) }))
}

/**
 * Returns the cluster snapshot for the engine. All NodePools count as ready. If the prices of the instance types already include the price
 * book, the discounts and the NodeOverlays (`arePriced`), they are used unchanged.
 * @throws ManifestError with the name of an object that cannot be used
 */
export const buildSnapshot = (
  manifests: readonly Manifest[],
  listedTypesOf: InstanceTypesOf,
  arePriced = false,
): LoadedCluster => {
  const given = manifests.map(({ object }) => object)
  const now = new SystemClock().now()
  const discounts = discountsIn(given)
  const priceBook = plannedPrices(given, now, discounts)
  const withPrices = arePriced ? (types: readonly InstanceType[]) => types : pricing(priceBook, discounts)
  const instanceTypesOf: InstanceTypesOf = (pool) => withPrices(listedTypesOf(pool))
  const objects = new ObjectIndex(manifests)
  const admit = admitting(manifests)
  const admitDaemon = admittingDaemons(manifests)
  const pods = objects.of(kinds.Pod, 'spec').map((pod) => {
    if (!Array.isArray(pod.spec.containers)) {
      throw new ManifestError(
        `Pod ${pod.metadata.namespace ?? 'default'}/${objectName(pod)}: spec.containers is missing`,
      )
    }
    return admit(pod, pod)
  })
  const index = new PodIndex()
  for (const pod of pods) index.put(pod)
  const daemonSets = objects.of(kinds.DaemonSet, 'spec')
  const daemons = daemonSets.flatMap((each) => admitDaemon(each) ?? [])
  const offered = offeredPools(objects, instanceTypesOf)
  // Most pools share the same list of instance types, so each list is passed only once.
  const vocabulary = vocabularyFor(
    manifests.map(({ object }) => object),
    ...new Set(offered.map(({ types }) => types)),
  )
  const pools = arePriced
    ? offered.map(({ pool, types }) => ({ nodePool: pool, instanceTypes: types }))
    : overlaidPools(objects, offered, vocabulary)
  const claims = objects.of(karpenterKinds.NodeClaim, 'spec')
  const nodes = buildNodeStates(objects.of(kinds.Node, 'spec'), claims, index)
  const ceilings = plannedCeilings({
    policies: objects.of(policyKinds.ClusterPolicy, 'spec'),
    ...{ nodes, claims },
    typesOf: (name) => {
      const offers = pools.find(({ nodePool }) => nodePool.metadata.name === name)?.instanceTypes
      const pool = objects.of(karpenterKinds.NodePool, 'spec').find(({ metadata }) => metadata.name === name)
      return offers ?? (pool === undefined ? [] : instanceTypesOf(pool))
    },
  })
  const poolPolicies = attachPolicies(
    objects.of(policyKinds.NodePoolPolicy, 'spec'),
    objects.of(karpenterKinds.NodePool, 'spec'),
  )
  const access = poolAccess(poolPolicies)
  const launched = new Set(nodes.map(({ nodeClaim }) => nodeClaim))
  const starting = claims.filter(
    ({ metadata: { name, deletionTimestamp } }) => !launched.has(name) && deletionTimestamp === undefined,
  )
  const types = typesByName(pools.flatMap(({ instanceTypes }) => instanceTypes))
  const commitments = plannedUse(given, nodes, starting, types, now)
  const active = plannedCommitments(commitments?.uses ?? [], types)
  return {
    snapshot: {
      pools,
      nodes,
      ...(ceilings === undefined ? {} : { ceilings: ceilings.headroom }),
      ...(active.length === 0 ? {} : { commitments: active }),
      ...(access.size === 0 ? {} : { access }),
      daemonPods: daemons.map((each) => daemonSetPod(each, index.daemonPod(each.metadata.uid ?? ''))),
      namespaces: listNamespaces(objects, pods),
      persistentVolumeClaims: objects.of(kinds.PersistentVolumeClaim, 'spec'),
      persistentVolumes: objects.of(kinds.PersistentVolume, 'spec'),
      storageClasses: objects.of(kinds.StorageClass),
      csiNodes: objects.of(kinds.CSINode, 'spec'),
      services: objects.of(kinds.Service, 'spec'),
      podOwners: [
        ...objects.of(kinds.ReplicaSet, 'spec'),
        ...objects.of(kinds.StatefulSet, 'spec'),
        ...objects.of(kinds.ReplicationController, 'spec'),
      ],
      daemonSets,
      resourceSlices: objects.of(kinds.ResourceSlice),
      resourceClaims: objects.of(kinds.ResourceClaim),
      resourceClaimTemplates: objects.of(kinds.ResourceClaimTemplate),
      deviceClasses: objects.of(kinds.DeviceClass),
    },
    pending: pods.filter(isWaiting),
    options: { vocabulary },
    manifests,
    poolPolicies,
    withPrices,
    ...(ceilings === undefined ? {} : { ceilings }),
    ...(commitments === undefined ? {} : { commitments }),
    ...(priceBook === undefined ? {} : { priceBook }),
  }
}

/** Returns the snapshot of a cluster in files. The paths are YAML or JSON files, gzip files of these, or directories. */
export const loadSnapshot = async (paths: readonly string[], instanceTypesFile: string): Promise<LoadedCluster> => {
  const [manifests, { types }] = await Promise.all([
    readManifests(paths, { repeated: () => {} }),
    readTypesFile(instanceTypesFile),
  ])
  return buildSnapshot(manifests, () => types)
}
