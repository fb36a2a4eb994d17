import {
  type KubeObject,
  type Node,
  type NodeClaim,
  ownValue,
  type Pod,
  parseQuantity,
  podRequests,
  type UsdPerHour,
} from '@kerf/apis'
import type { ClaimRow, ClaimStage, ClusterView, PodCounts, WaitingPod } from './cluster-view.ts'

/** The objects that a view shows. */
export interface Observed {
  readonly pods: Iterable<Pod>
  readonly nodes: Iterable<Node>
  readonly claims: Iterable<NodeClaim>
  /** Deployments, StatefulSets and ReplicaSets. Some of their pods may not exist yet. */
  readonly workloads: Iterable<KubeObject>
}

/** Kerf's own state, which the API objects do not contain. */
export interface Knowledge {
  priceOf(labels: Readonly<Record<string, string>>): UsdPerHour | undefined
  whyClaim(name: string): string | undefined
  /** Returns why the last pass could not schedule the pod, as one sentence. */
  whyPending(podKey: string): string | undefined
}

const objectKey = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`
const condition = (
  object: { readonly status?: { readonly conditions?: readonly { type: string; status: string }[] } },
  type: string,
): boolean => object.status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false

const claimStage = (claim: NodeClaim): ClaimStage => {
  if (claim.metadata.deletionTimestamp !== undefined) return 'going'
  if (condition(claim, 'Initialized')) return 'ready'
  if (condition(claim, 'Registered')) return 'initialising'
  return condition(claim, 'Launched') ? 'registering' : 'launching'
}

type PodState = 'pending' | 'starting' | 'running' | 'terminating' | 'ended'

const podState = (pod: Pod): PodState => {
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return 'ended'
  if (pod.metadata.deletionTimestamp !== undefined) return 'terminating'
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return 'pending'
  return pod.status?.phase === 'Running' && condition(pod, 'Ready') ? 'running' : 'starting'
}

/** Returns the requests of a pod in the same way as the engine: with sidecars, init containers and overhead. */
const requestsOf = (pod: Pod): ReadonlyMap<string, bigint> => {
  try {
    return podRequests(pod)
  } catch {
    // A pod with a quantity that cannot be parsed does not count as usage.
    return new Map()
  }
}

const sumOf = (requests: readonly ReadonlyMap<string, bigint>[], resource: string): bigint =>
  requests.reduce((sum, each) => sum + (each.get(resource) ?? 0n), 0n)

const share = (used: bigint, node: Node | undefined, resource: string): number | undefined => {
  const text = ownValue(node?.status?.allocatable, resource)
  if (text === undefined) return undefined
  const total = parseQuantity(text)
  return total === 0n ? 0 : Number((used * 10_000n) / total) / 10_000
}

/** Returns why kube-scheduler ignores the pod, or undefined if it does not. Kerf launches nothing for a pod that kube-scheduler ignores. */
const heldBack = ({ spec }: Pod): string | undefined => {
  const gates = (spec.schedulingGates ?? []).map(({ name }) => name)
  return gates.length === 0
    ? undefined
    : `blocked by its scheduling ${gates.length === 1 ? 'gate' : 'gates'} ${gates.join(', ')}`
}

const replicasReady = (workload: KubeObject): boolean => {
  const { spec, status } = workload as KubeObject & {
    readonly spec?: { readonly replicas?: number }
    readonly status?: {
      readonly observedGeneration?: number
      readonly replicas?: number
      readonly updatedReplicas?: number
    }
  }
  if (workload.metadata.deletionTimestamp !== undefined) return false
  return (
    (status?.observedGeneration ?? 0) >= (workload.metadata.generation ?? 1) &&
    (status?.replicas ?? 0) === (spec?.replicas ?? 1)
  )
}

/**
 * Returns the current view of the cluster. `quiet` is true if nothing is changing: no pod starts or terminates, no NodeClaim launches or
 * terminates, every workload has its pods, and Kerf has found every pending pod unschedulable. The caller decides how long this must last
 * before the cluster counts as settled.
 */
export const observeCluster = (
  observed: Observed,
  knowledge: Knowledge,
): Omit<ClusterView, 'seconds' | 'settled'> & { readonly quiet: boolean } => {
  const counts: Record<Exclude<PodState, 'ended'>, number> = { pending: 0, starting: 0, running: 0, terminating: 0 }
  const byNode = new Map<string, Pod[]>()
  const waiting: WaitingPod[] = []
  let undecided = 0
  for (const pod of observed.pods) {
    const state = podState(pod)
    if (state === 'ended') continue
    counts[state] += 1
    const node = pod.spec.nodeName
    if (node !== undefined && node !== '') byNode.set(node, [...(byNode.get(node) ?? []), pod])
    if (state !== 'pending') continue
    const why = heldBack(pod) ?? knowledge.whyPending(objectKey(pod))
    if (why === undefined) undecided += 1
    else waiting.push({ pod: objectKey(pod), why })
  }
  const nodes = new Map([...observed.nodes].map((node) => [node.metadata.name, node]))
  const claims = [...observed.claims]
    .map((claim) => claimRow(claim, nodes, byNode, knowledge))
    .sort((a, b) => a.claim.localeCompare(b.claim))
  const pods: PodCounts = counts
  const quiet =
    undecided === 0 &&
    counts.starting === 0 &&
    counts.terminating === 0 &&
    claims.every((row) => row.stage === 'ready') &&
    [...nodes.values()].every((node) => node.metadata.deletionTimestamp === undefined) &&
    [...observed.workloads].every(replicasReady)
  return {
    pods,
    claims,
    waiting: waiting.sort((a, b) => a.pod.localeCompare(b.pod)),
    hourlyCost: claims.reduce((sum, row) => sum + (row.hourlyPrice ?? 0), 0),
    quiet,
  }
}

const claimRow = (
  claim: NodeClaim,
  nodes: ReadonlyMap<string, Node>,
  byNode: ReadonlyMap<string, readonly Pod[]>,
  knowledge: Knowledge,
): ClaimRow => {
  const name = claim.metadata.name
  const labels = claim.metadata.labels ?? {}
  const nodeName = claim.status?.nodeName
  const node = nodeName === undefined ? undefined : nodes.get(nodeName)
  const pods = nodeName === undefined ? [] : (byNode.get(nodeName) ?? [])
  const requests = pods.map(requestsOf)
  return {
    claim: name,
    node: node === undefined ? undefined : nodeName,
    nodePool: labels['karpenter.sh/nodepool'] ?? '',
    stage: claimStage(claim),
    instanceType: labels['node.kubernetes.io/instance-type'],
    zone: labels['topology.kubernetes.io/zone'],
    capacityType: labels['karpenter.sh/capacity-type'],
    hourlyPrice: knowledge.priceOf(labels),
    pods: pods.length,
    cpuUsed: share(sumOf(requests, 'cpu'), node, 'cpu'),
    memoryUsed: share(sumOf(requests, 'memory'), node, 'memory'),
    why: knowledge.whyClaim(name),
  }
}
