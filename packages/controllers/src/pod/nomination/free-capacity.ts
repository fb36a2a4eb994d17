import { isTerminal, type Node, type Pod, parseResources, podRequests } from '@kerf/apis'
import type { Isolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'

/**
 * Returns the pods in `waiting` for which the node has no capacity left because of the pods in `bound`. kube-scheduler treats all pods that
 * are nominated for a node as if they ran there, so if one of them does not fit, it refuses all of them. Earlier pods of `waiting` get
 * capacity before later ones. Terminating pods are ignored, because kube-scheduler may have preempted them. A bound pod that cannot be read
 * counts as having no requests. A waiting pod that cannot be read is never returned.
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
