import {
  isEphemeralTaint,
  type LabelVocabulary,
  labels,
  type Node,
  type NodePool,
  type Pod,
  parseResources,
} from '@kerf/apis'
import { type ClusterSnapshot, type InstanceType, type NodeState, type PoolOption, schedule } from '@kerf/engine'
import { knownProviders } from '../providers.ts'
import type { NodeGroup } from './cluster-autoscaler.ts'
import { SCALE_DOWN_TAINT } from './cluster-autoscaler-annotations.ts'
import { nameOfWorkload, type Workload } from './workload.ts'

/** Returns the instance types that a NodePool may launch. Returns undefined if the instance types of its node class are unknown. */
export type TypesOf = (pool: NodePool) => readonly InstanceType[] | undefined

/** Labels with the same topology domains as another label, for example zone IDs. */
const sameDomains = knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.untold ?? [])

/** Labels of locations such as zones. They are ignored, because the zones of an instance type differ by region. */
const PLACES: ReadonlySet<string> = new Set([
  labels.zone,
  labels.region,
  ...sameDomains.filter(({ sameDomainsAs }) => sameDomainsAs === labels.zone).map(({ label }) => label),
])

const withoutPlaces = <T extends { readonly key: string }>(
  requirements: readonly T[] | undefined,
  vocabulary: LabelVocabulary,
): T[] => (requirements ?? []).filter(({ key }) => !PLACES.has(vocabulary.normalize(key)))

/**
 * Returns a copy of the pod with only its requests, its tolerations and the node labels that it requires. Volumes, pod affinity, topology
 * spread and zones are removed.
 */
const alone = ({ metadata, spec }: Pod, index: number, vocabulary: LabelVocabulary): Pod => {
  const { nodeName: _n, volumes: _v, topologySpreadConstraints: _t, resourceClaims: _r, affinity, ...rest } = spec
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = (required?.nodeSelectorTerms ?? []).map((term) => ({
    ...term,
    matchExpressions: withoutPlaces(term.matchExpressions, vocabulary),
  }))
  // A term whose expressions were all removed matches every node.
  const isAny = terms.some(
    ({ matchExpressions, matchFields = [] }) => matchExpressions.length + matchFields.length === 0,
  )
  const nodeSelector = Object.fromEntries(
    Object.entries(spec.nodeSelector ?? {}).filter(([key]) => !PLACES.has(vocabulary.normalize(key))),
  )
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: String(index), namespace: metadata.namespace ?? 'default', uid: String(index) },
    spec: {
      ...rest,
      nodeSelector,
      ...(terms.length === 0 || isAny
        ? {}
        : {
            affinity: {
              nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
            },
          }),
    },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  }
}

const snapshot = (pools: readonly PoolOption[], nodes: readonly NodeState[]): ClusterSnapshot => ({
  pools,
  nodes,
  daemonPods: [],
  namespaces: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
})

/** Returns a copy of the NodePool without limits, location requirements and minimum values. */
const openPool = (pool: NodePool, vocabulary: LabelVocabulary): NodePool => {
  const { limits: _, ...spec } = pool.spec
  const { template } = spec
  const requirements = withoutPlaces(template.spec.requirements, vocabulary).map(({ minValues: _m, ...each }) => each)
  return { ...pool, spec: { ...spec, template: { ...template, spec: { ...template.spec, requirements } } } }
}

/** Returns the state of a new node in the same group as this node: without pods and without temporary taints. */
const emptyNode = (node: Node): NodeState => {
  const lasting = (node.spec.taints ?? []).filter(
    (taint) =>
      !isEphemeralTaint(taint) && taint.key !== 'node.kubernetes.io/unschedulable' && !SCALE_DOWN_TAINT.test(taint.key),
  )
  return {
    name: node.metadata.name,
    hostName: node.metadata.labels?.[labels.hostname] ?? node.metadata.name,
    labels: node.metadata.labels ?? {},
    taints: lasting,
    capacity: parseResources(node.status?.capacity),
    allocatable: parseResources(node.status?.allocatable),
    initialized: true,
    managed: false,
    hasNode: true,
    nodeName: node.metadata.name,
    markedForDeletion: false,
    pods: [],
  }
}

/**
 * Finds which NodePools and node groups could run the pods of each workload on an otherwise empty cluster. The engine decides this
 * in the same way as for a plan. Zones, volumes, limits and other pods are ignored.
 */
export class Serving {
  readonly #pools = new Map<string, readonly string[]>()
  readonly #groups = new Map<string, readonly string[]>()
  /** NodePools whose instance types are unknown. */
  readonly unknownPools: readonly string[]
  /** Node groups without nodes. Their future nodes are unknown. */
  readonly unknownGroups: readonly string[]

  constructor(
    workloads: readonly Workload[],
    pools: readonly NodePool[],
    groups: readonly NodeGroup[],
    typesOf: TypesOf,
    vocabulary: LabelVocabulary,
  ) {
    const pods = workloads.map(({ pod }, index) => alone(pod, index, vocabulary))
    const options = { planBudget: 0, vocabulary }
    const byPool = new Map<number, string[]>()
    const byGroup = new Map<number, string[]>()
    const add = (to: Map<number, string[]>, index: number, name: string): void => {
      to.set(index, [...(to.get(index) ?? []), name])
    }
    const unknownPools: string[] = []
    for (const pool of pools) {
      // A static NodePool does not launch nodes for pods.
      if (pool.spec.replicas !== undefined) continue
      const instanceTypes = typesOf(pool)
      if (instanceTypes === undefined) {
        unknownPools.push(pool.metadata.name)
        continue
      }
      const { unschedulable } = schedule(
        snapshot([{ nodePool: openPool(pool, vocabulary), instanceTypes }], []),
        pods,
        options,
      )
      const refused = new Set(unschedulable.map(({ pod }) => pod.metadata.name))
      for (const index of pods.keys()) if (!refused.has(String(index))) add(byPool, index, pool.metadata.name)
    }
    for (const { name, nodes } of groups) {
      const [first] = nodes
      if (first === undefined) continue
      const cluster = snapshot([], [emptyNode(first)])
      for (const [index, pod] of pods.entries()) {
        if (schedule(cluster, [pod], options).unschedulable.length === 0) add(byGroup, index, name)
      }
    }
    this.unknownPools = unknownPools
    this.unknownGroups = groups.flatMap(({ name, nodes }) => (nodes.length === 0 ? [name] : []))
    for (const [index, workload] of workloads.entries()) {
      this.#pools.set(nameOfWorkload(workload), byPool.get(index) ?? [])
      this.#groups.set(nameOfWorkload(workload), byGroup.get(index) ?? [])
    }
  }

  /** Returns the names of the NodePools that could run the workload. */
  poolsFor(workload: Workload): readonly string[] {
    return this.#pools.get(nameOfWorkload(workload)) ?? []
  }

  /** Returns the names of the node groups that could run the workload. */
  groupsFor(workload: Workload): readonly string[] {
    return this.#groups.get(nameOfWorkload(workload)) ?? []
  }
}
