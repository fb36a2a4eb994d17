import { type Milliseconds, type Pod, parseTime } from '@kerf/apis'
import { isReady, readySince } from '../../objects/pod-state.ts'

const DELETION_COST_ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost'

const phaseRank = (pod: Pod): number => {
  switch (pod.status?.phase) {
    case 'Running':
      return 2
    case 'Unknown':
      return 1
    default:
      return 0
  }
}

const deletionCost = (pod: Pod): number => {
  const text = pod.metadata.annotations?.[DELETION_COST_ANNOTATION]
  return text !== undefined && /^(0|[+-]?[1-9]\d*)$/.test(text) ? Number(text) : 0
}

const restarts = (pod: Pod): number =>
  Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount ?? 0))

/** Returns the order of magnitude of an age. With exact ages, scaling down would always remove the newest pods. */
const magnitude = (since: Milliseconds | undefined, now: Milliseconds): number => {
  const seconds = since === undefined ? 0 : Math.max(0, Math.floor((now - since) / 1000))
  return seconds === 0 ? 0 : Math.floor(Math.log2(seconds)) + 1
}

/**
 * Returns the pods in the order in which a replica controller deletes them. Pods without a node come first. The further criteria, in order
 * of precedence, are: phase, readiness, deletion cost, number of ready pods on the same node, time since ready, number of restarts, age,
 * and uid.
 */
export const deletionOrder = (pods: readonly Pod[], now: Milliseconds): Pod[] => {
  const readyPerNode = new Map<string, number>()
  for (const pod of pods) {
    const node = pod.spec.nodeName ?? ''
    if (isReady(pod)) readyPerNode.set(node, (readyPerNode.get(node) ?? 0) + 1)
  }
  const rows = pods.map((pod) => ({
    pod,
    order: [
      pod.spec.nodeName ? 1 : 0,
      phaseRank(pod),
      isReady(pod) ? 1 : 0,
      deletionCost(pod),
      -(readyPerNode.get(pod.spec.nodeName ?? '') ?? 0),
      isReady(pod) ? magnitude(readySince(pod), now) : 0,
      -restarts(pod),
      magnitude(parseTime(pod.metadata.creationTimestamp), now),
    ],
  }))
  rows.sort((a, b) => {
    for (let index = 0; index < a.order.length; index++) {
      const difference = (a.order[index] ?? 0) - (b.order[index] ?? 0)
      if (difference !== 0) return difference
    }
    return (a.pod.metadata.uid ?? '') < (b.pod.metadata.uid ?? '') ? -1 : 1
  })
  return rows.map((row) => row.pod)
}
