import { isTerminal, type Node, type Pod, parseResources, podRequests } from '@kerf/apis'
import type { Isolation } from '../isolation/isolation.ts'
import { unreported } from '../isolation/unreported.ts'

/**
 * The pods among `waiting` that find no room on the node any more, since others were bound there. kube-scheduler counts all pods
 * that are nominated for a node as if they ran there, so where one is too many it refuses each of them for the sake of the
 * others. The first keep their places. A bound pod that is ending makes room: kube-scheduler may have preempted it. A bound pod
 * that cannot be read takes nothing, and a waiting one keeps its place.
 */
export const beyondAllocatable = (
  node: Node,
  bound: readonly Pod[],
  waiting: readonly Pod[],
  isolation: Pick<Isolation, 'guard'> = unreported,
): readonly Pod[] => {
  const free = new Map<string, bigint>(Object.entries(parseResources(node.status?.allocatable)))
  const take = (requests: ReadonlyMap<string, bigint>): void => {
    for (const [name, amount] of requests) free.set(name, (free.get(name) ?? 0n) - amount)
  }
  const addBound = (pod: Pod): void => {
    if (!isTerminal(pod) && pod.metadata.deletionTimestamp === undefined) take(podRequests(pod))
  }
  for (const pod of bound) isolation.guard('Pod', 'nomination', pod, () => addBound(pod), undefined)
  const isBeyond = (pod: Pod): boolean => {
    const requests = podRequests(pod)
    const fits = [...requests].every(([name, amount]) => amount === 0n || amount <= (free.get(name) ?? 0n))
    if (fits) take(requests)
    return !fits
  }
  return waiting.filter((pod) => isolation.guard('Pod', 'nomination', pod, () => isBeyond(pod), false))
}
