import {
  apiVersionOf,
  type KubeObject,
  karpenterKinds,
  kinds,
  type NodePool,
  type ResourceKind,
  type RuntimeClass,
} from '@kerf/apis'
import { defaultControllerSettings, NodeExplainer, type NodeExplanation } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { type Clock, FixedInformers, PrometheusMetrics, silentLogger } from '@kerf/runtime'
import type { Manifest } from '../manifests/manifest.ts'
import { admitPod } from '../plan/admit-pod.ts'
import { type LoadedCluster, snapshotOf } from '../plan/load-snapshot.ts'

const isOf = <T extends KubeObject>(kind: ResourceKind<T>, object: KubeObject): object is T =>
  object.kind === kind.kind && object.apiVersion === apiVersionOf(kind)

const READY = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '1970-01-01T00:00:00Z',
} as const

/** A person's manifest says nothing about its status; it counts as ready, as in `kerf plan`. */
const withStatus = (pool: NodePool): NodePool =>
  pool.status?.conditions === undefined ? { ...pool, status: { ...pool.status, conditions: [READY] } } : pool

/** The objects as a cluster would have them, in the order of the manifests. */
const objectsOf = (manifests: readonly Manifest[]): readonly KubeObject[] => {
  const classes = new Map<string, RuntimeClass>()
  for (const { object } of manifests) {
    if (isOf(kinds.RuntimeClass, object)) classes.set(object.metadata.name, object)
  }
  return manifests.map(({ object }) => {
    if (isOf(kinds.Pod, object)) return admitPod(object, classes)
    if (isOf(karpenterKinds.NodePool, object)) return withStatus(object)
    const isHomeless = isOf(kinds.PodDisruptionBudget, object) && object.metadata.namespace === undefined
    return isHomeless ? { ...object, metadata: { ...object.metadata, namespace: 'default' } } : object
  })
}

/** Serves the node classes that the pools name, of any provider, and offers the instance types of the loaded cluster. */
const observedProvider = (
  { snapshot, options }: LoadedCluster,
  objects: readonly KubeObject[],
  types: readonly InstanceType[],
): CloudProvider => {
  const refs = new Map<string, ResourceKind>()
  for (const object of objects) {
    if (!isOf(karpenterKinds.NodePool, object) && !isOf(karpenterKinds.NodeClaim, object)) continue
    const ref = isOf(karpenterKinds.NodePool, object)
      ? object.spec.template.spec.nodeClassRef
      : object.spec.nodeClassRef
    const { group, kind } = ref
    refs.set(`${group}/${kind}`, { group, version: 'v1', kind, plural: `${kind.toLowerCase()}es`, namespaced: false })
  }
  const offered = new Map(snapshot.pools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]))
  const refuse = (): never => {
    throw new Error('a cluster that is only looked at launches nothing')
  }
  return {
    name: 'observed',
    nodeClasses: [...refs.values()],
    wellKnownLabels: options.wellKnownLabels ?? [],
    repairPolicies: [],
    create: async () => refuse(),
    delete: async () => refuse(),
    get: async () => refuse(),
    list: async () => [],
    instanceTypes: async (pool) => offered.get(pool.metadata.name) ?? types,
    isDrifted: async () => undefined,
  }
}

export interface ObservedSettings {
  /** Feature gate SpotToSpotConsolidation. */
  readonly spotToSpot?: boolean
}

/**
 * Why a node of a cluster that was read from files or from an API server is kept. Undefined for a node that the cluster does not have.
 * Changes nothing.
 */
export const explainLoaded = async (
  loaded: LoadedCluster & { readonly instanceTypes: readonly InstanceType[] },
  name: string,
  clock: Clock,
  { spotToSpot = false }: ObservedSettings = {},
): Promise<NodeExplanation | undefined> => {
  const objects = objectsOf(loaded.manifests)
  const explainer = new NodeExplainer({
    clock,
    informers: new FixedInformers(objects),
    log: silentLogger,
    metrics: new PrometheusMetrics(),
    provider: observedProvider(loaded, objects, loaded.instanceTypes),
    settings: {
      ...defaultControllerSettings,
      ignoreDraRequests: loaded.options.ignoreDraRequests ?? true,
      featureGates: { ...defaultControllerSettings.featureGates, SpotToSpotConsolidation: spotToSpot },
    },
  })
  return await explainer.explain(name, new AbortController().signal)
}

/** The same of objects at hand, with the default instance types. */
export const explainObserved = async (
  manifests: readonly Manifest[],
  name: string,
  clock: Clock,
): Promise<NodeExplanation | undefined> => {
  const instanceTypes = await loadInstanceTypes()
  return await explainLoaded({ ...snapshotOf(manifests, () => instanceTypes), instanceTypes }, name, clock)
}
