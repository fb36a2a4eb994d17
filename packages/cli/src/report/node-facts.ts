import { labels, ownValue, type Pod, type UsdPerHour } from '@kerf/apis'
import { isOwnedByDaemonSet, isReschedulable } from '@kerf/controllers'
import { cachedRequests, type NodeState } from '@kerf/engine'

/** Who creates and deletes the node. */
export type NodeOwner = 'karpenter' | 'node group' | 'by hand'

/** The data of a node in the report. */
export interface NodeFacts {
  readonly state: NodeState
  /** The name of the NodePool or of the node group. */
  readonly group: string
  readonly keeper: NodeOwner
  /** Undefined if the instance type or its price is unknown. */
  readonly price: UsdPerHour | undefined
  /** Pods that must run elsewhere if the node is deleted. */
  readonly movable: readonly Pod[]
  /** The requested share of cpu or memory, whichever is larger; 1 is full. */
  readonly used: number
  /** The same share as the metrics API measured it; absent if it was not read. */
  readonly measured?: number
  /** Why the node is not planned anew; undefined for a node that is. */
  readonly leftAlone?: string
}

/** Returns the share of a node that pods request. */
export const usedShare = ({ allocatable, pods }: NodeState): number => {
  const shareOf = (resource: string): number => {
    const free = ownValue(allocatable, resource) ?? 0n
    if (free <= 0n) return 0
    return Number(pods.reduce((sum, pod) => sum + (cachedRequests(pod).get(resource) ?? 0n), 0n)) / Number(free)
  }
  return Math.min(1, Math.max(shareOf('cpu'), shareOf('memory')))
}

/** Returns the pods that need another node when their node is deleted: all except DaemonSet pods and static pods. */
export const movablePods = ({ pods }: NodeState): readonly Pod[] =>
  pods.filter((pod) => isReschedulable(pod) && !isOwnedByDaemonSet(pod))

/**
 * Returns the workload of a pod. For example, a pod of `ReplicaSet shop/cart-5d9f` belongs to `shop/cart`: the name of the Deployment
 * is derived from the ReplicaSet.
 */
export const workloadOf = (pod: Pod): string => {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
  const namespace = pod.metadata.namespace ?? 'default'
  if (owner === undefined) return `${namespace}/${pod.metadata.name}`
  const hash = pod.metadata.labels?.['pod-template-hash']
  const isDeployments = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
  return `${namespace}/${isDeployments ? owner.name.slice(0, -hash.length - 1) : owner.name}`
}

export const instanceTypeOfNode = ({ labels: of }: NodeState): string => of[labels.instanceType] ?? 'unknown'
