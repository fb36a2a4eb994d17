import { type KubeObject, labels, type NodePool, type Pod } from '@kerf/apis'
import { type ClusterSnapshot, type ScheduleOptions, schedule } from '@kerf/engine'
import { isStaticPool } from '../cluster/gated-objects.ts'
import { counted } from '../terminal/amounts.ts'
import type { InstanceTypesOf } from './load-snapshot.ts'
import { podName } from './plan-document.ts'

const isLaunchable = (object: KubeObject): object is NodePool =>
  isStaticPool(object) && object.metadata.deletionTimestamp === undefined

/** Returns a copy of the static pool that may launch nodes for pods, up to the number of replicas that are still missing. */
const unfinished = (pool: NodePool, lacking: number): NodePool => {
  const { replicas: _, ...spec } = pool.spec
  return { ...pool, spec: { ...spec, limits: { ...spec.limits, nodes: String(lacking) } } }
}

/**
 * Returns remarks about static NodePools for unschedulable pods, keyed by pod name. Static NodePools launch no nodes for pods, but if they
 * have fewer nodes than replicas, the missing nodes may have capacity for the pods.
 */
export const staticPoolRemarks = (
  objects: readonly KubeObject[],
  snapshot: ClusterSnapshot,
  unplaced: readonly Pod[],
  typesOf: InstanceTypesOf,
  options: ScheduleOptions,
): ReadonlyMap<string, string> => {
  const pools = objects.filter(isLaunchable)
  if (pools.length === 0 || unplaced.length === 0) return new Map()
  const remarks = new Map<string, string[]>(unplaced.map((pod) => [podName(pod), []]))
  for (const pool of pools) {
    const { name } = pool.metadata
    const there = snapshot.nodes.filter((node) => (node.nodePool ?? node.labels[labels.nodePool]) === name).length
    const lacking = Math.max(0, (pool.spec.replicas ?? 0) - there)
    const plan = schedule(
      { ...snapshot, pools: [{ nodePool: unfinished(pool, lacking), instanceTypes: typesOf(pool) }] },
      unplaced,
      options,
    )
    const placed = new Set(plan.claims.flatMap(({ pods }) => pods.map(podName)))
    for (const [pod, own] of remarks)
      own.push(
        `NodePool ${name} is static: it launches nodes only for spec.replicas${
          placed.has(pod)
            ? `; ${lacking === 1 ? 'the missing node' : `the ${counted(lacking, 'missing node')}`} would have room for the pod`
            : ''
        }`,
      )
  }
  return new Map(Array.from(remarks, ([pod, own]) => [pod, own.join('; ')]))
}
