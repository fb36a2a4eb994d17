import {
  groupVersion,
  InvariantError,
  type KubeObject,
  karpenterKinds,
  kinds,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import {
  type ControllerSettings,
  defaultControllerSettings,
  NodeExplainer,
  type NodeExplanation,
} from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { type Clock, FixedInformers, PrometheusMetrics, silentLogger } from '@kerf/runtime'
import type { Manifest } from '../manifests/manifest.ts'
import { nodeGroupLabels } from '../node-group-labels.ts'
import { admitting, admittingDaemons } from './admitted-pods.ts'
import { withAllowedDisruptions } from './budget-status.ts'
import { buildSnapshot, type LoadedCluster } from './load-snapshot.ts'

const isOfKind = <T extends KubeObject>(kind: ResourceKind<T>, object: KubeObject): object is T =>
  object.kind === kind.kind && object.apiVersion === groupVersion(kind)

const READY = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '1970-01-01T00:00:00Z',
} as const

/** A hand-written NodePool has no status. It counts as ready, as in `kerf plan`. */
const withStatus = (pool: NodePool): NodePool =>
  pool.status?.conditions === undefined ? { ...pool, status: { ...pool.status, conditions: [READY] } } : pool

/** Returns the objects as a cluster would store them, in the order of the manifests. */
const storedObjects = (manifests: readonly Manifest[]): readonly KubeObject[] => {
  const admit = admitting(manifests)
  const pods = manifests.map(({ object }) => object).filter((object) => isOfKind(kinds.Pod, object))
  const admitDaemon = admittingDaemons(manifests)
  return manifests.flatMap(({ object }) => {
    if (isOfKind(kinds.Pod, object)) return withPodStatus(admit(object, object))
    if (isOfKind(kinds.DaemonSet, object)) return admitDaemon(object) ?? []
    if (isOfKind(karpenterKinds.NodePool, object)) return withStatus(object)
    if (!isOfKind(kinds.PodDisruptionBudget, object)) return object
    const { namespace = 'default', ...metadata } = object.metadata
    return withAllowedDisruptions({ ...object, metadata: { ...metadata, namespace } }, pods)
  })
}

/** A hand-written pod has no status. It counts as pending. */
const withPodStatus = (pod: Pod): Pod =>
  pod.status !== undefined || pod.spec.nodeName !== undefined
    ? pod
    : {
        ...pod,
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
        },
      }

/**
 * Returns a provider that supports all node classes of the NodePools, even those of different providers. It offers the instance
 * types of the loaded cluster.
 */
const observedProvider = (
  { snapshot, options }: LoadedCluster,
  objects: readonly KubeObject[],
  types: readonly InstanceType[],
  driftOf: (claim: NodeClaim) => string | undefined,
): CloudProvider => {
  const refs = new Map<string, ResourceKind>()
  for (const object of objects) {
    if (!isOfKind(karpenterKinds.NodePool, object) && !isOfKind(karpenterKinds.NodeClaim, object)) continue
    const ref = isOfKind(karpenterKinds.NodePool, object)
      ? object.spec.template.spec.nodeClassRef
      : object.spec.nodeClassRef
    const { group, kind } = ref
    refs.set(`${group}/${kind}`, { group, version: 'v1', kind, plural: `${kind.toLowerCase()}es`, namespaced: false })
  }
  const offered = new Map(snapshot.pools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]))
  const refuse = (): never => {
    throw new InvariantError('a cluster that is only observed launches nothing')
  }
  return {
    name: 'observed',
    nodeClasses: [...refs.values()],
    vocabulary: options.vocabulary,
    repairPolicies: [],
    create: async () => refuse(),
    delete: async () => refuse(),
    get: async () => refuse(),
    list: async () => [],
    instanceTypes: async (pool) => offered.get(pool.metadata.name) ?? types,
    isDrifted: async (claim) => driftOf(claim),
  }
}

export interface ObservedSettings {
  /** Whether the feature gate SpotToSpotConsolidation is enabled. */
  readonly spotToSpot?: boolean
}

/** A cluster that was read, and the instance types for it. */
export type ObservedCluster = LoadedCluster & { readonly instanceTypes: readonly InstanceType[] }

/**
 * Returns the deps that the controllers' code needs to run on a cluster that was read. `driftOf` returns the drift reason that a provider
 * would report for a claim.
 */
export const observedDeps = (
  loaded: ObservedCluster,
  clock: Clock,
  settings: ObservedSettings &
    Partial<
      Pick<
        ControllerSettings,
        'preferencePolicy' | 'minValuesPolicy' | 'planBudget' | 'nodeOverheadCost' | 'fewerNodesCostShare'
      >
    > = {},
  driftOf: (claim: NodeClaim) => string | undefined = () => undefined,
): ConstructorParameters<typeof NodeExplainer>[0] => {
  const objects = storedObjects(loaded.manifests)
  const { spotToSpot = false, ...planning } = settings
  return {
    clock,
    informers: new FixedInformers(objects),
    log: silentLogger,
    metrics: new PrometheusMetrics(),
    nodeGroupLabels,
    provider: observedProvider(loaded, objects, loaded.instanceTypes, driftOf),
    settings: {
      ...defaultControllerSettings,
      ...planning,
      ignoreDraRequests: loaded.options.ignoreDraRequests ?? true,
      featureGates: { ...defaultControllerSettings.featureGates, SpotToSpotConsolidation: spotToSpot },
    },
  }
}

/**
 * Explains why a node is kept, in a cluster that was read from files or from an API server. Returns undefined if the node is unknown.
 * Changes nothing.
 */
export const explainLoaded = async (
  loaded: ObservedCluster,
  name: string,
  clock: Clock,
  settings: ObservedSettings = {},
): Promise<NodeExplanation | undefined> =>
  await new NodeExplainer(observedDeps(loaded, clock, settings)).explain(name, new AbortController().signal)

/** Returns the cluster that these objects describe, with the default instance types. */
export const observeManifests = async (manifests: readonly Manifest[]): Promise<ObservedCluster> => {
  const instanceTypes = await loadInstanceTypes()
  return { ...buildSnapshot(manifests, () => instanceTypes), instanceTypes }
}

/** Runs `explainLoaded` for the cluster that these objects describe, with the default instance types. */
export const explainObserved = async (
  manifests: readonly Manifest[],
  name: string,
  clock: Clock,
): Promise<NodeExplanation | undefined> => await explainLoaded(await observeManifests(manifests), name, clock)
