import type { Pod } from '@kerf/apis'
import { isReschedulable } from '@kerf/controllers'
import { type ClusterSnapshot, type ScheduleOptions, schedule } from '@kerf/engine'
import { counted } from '../terminal/amounts.ts'
import { podName, type SleepingPool } from './plan-document.ts'

/** Returns the pod as if it had never been bound to a node. */
const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec
  const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' } as const
  return { ...pod, spec, status: { phase: 'Pending', conditions: [unscheduled] } }
}

/**
 * Returns the NodePools that sleep, with the number of their running pods that would have to wait until the NodePool wakes. To find this
 * number, plans these pods together with the pending pods, without the nodes of these NodePools.
 */
export const sleepingPoolUse = (
  snapshot: ClusterSnapshot,
  pending: readonly Pod[],
  options: ScheduleOptions,
): readonly SleepingPool[] => {
  const asleep = snapshot.pools.flatMap(({ nodePool: { metadata }, sleepsUntil: until }) =>
    until === undefined ? [] : [{ nodePool: metadata.name, until }],
  )
  if (asleep.length === 0) return []
  const names = new Set(asleep.map(({ nodePool }) => nodePool))
  const isAsleep = (nodePool: string | undefined): boolean => nodePool !== undefined && names.has(nodePool)
  const evicted = new Map(
    asleep.map(({ nodePool }) => [
      nodePool,
      snapshot.nodes.filter((node) => node.nodePool === nodePool).flatMap(({ pods }) => pods.filter(isReschedulable)),
    ]),
  )
  const nodes = snapshot.nodes.map((node) => (isAsleep(node.nodePool) ? { ...node, markedForDeletion: true } : node))
  const batch = [...pending, ...[...evicted.values()].flat().map(unbound)]
  const plan = schedule({ ...snapshot, nodes }, batch, { ...options, planBudget: 0 })
  const unplaced = new Set(plan.unschedulable.map(({ pod }) => podName(pod)))
  return asleep.map(({ nodePool, until }) => {
    const pods = evicted.get(nodePool) ?? []
    return {
      nodePool,
      until,
      nodes: snapshot.nodes.filter((node) => node.nodePool === nodePool).length,
      pods: pods.length,
      waiting: pods.filter((pod) => unplaced.has(podName(pod))).length,
    }
  })
}

/** Returns a sentence about a NodePool that sleeps. */
export const sleepingPoolLine = ({ nodePool, until, nodes, pods, waiting }: SleepingPool): string => {
  const sleeps = `NodePool ${nodePool} sleeps until ${until}.`
  if (nodes === 0) return sleeps
  const moved = pods - waiting
  const outcomes = [
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'waits' : 'wait'} until then`]),
    ...(moved === 0 ? [] : [`${moved} ${moved === 1 ? 'gets another node' : 'get other nodes'}`]),
  ]
  const what = outcomes.length === 0 ? '' : `: ${outcomes.join(', ')}`
  return `${sleeps} Kerf removes its ${counted(nodes, 'node')} and evicts ${counted(pods, 'running pod')}${what}.`
}
