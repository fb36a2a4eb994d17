import { labels, ownValue, type Pod, type UsdPerHour } from '@kerf/apis'
import { isOwnedByDaemonSet, isReschedulable } from '@kerf/controllers'
import { cachedRequests, type NodeState } from '@kerf/engine'

/** The owner that creates and deletes the node. */
export type NodeOwner = 'karpenter' | 'node group' | 'by hand'

/** Facts about a node in the report. */
export interface NodeFacts {
  readonly state: NodeState
  /** The name of the NodePool or node group to which the node belongs. */
  readonly group: string
  readonly keeper: NodeOwner
  /** The hourly price, or undefined if the instance type or its price is unknown. */
  readonly price: UsdPerHour | undefined
  /** Pods that must run elsewhere if the node is deleted. */
  readonly movable: readonly Pod[]
  /** The fraction (0 to 1) of the node's CPU or memory, whichever is larger, that its pods request. */
  readonly used: number
  /** The fraction that the pods use, as measured by the metrics API. Absent if it was not measured. */
  readonly measured?: number
  /** Why the node is left out of the new plan. Undefined if it is included. */
  readonly leftAlone?: string
}

/** Returns the fraction (0 to 1) of a node's CPU or memory, whichever is larger, that its pods request. */
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
 * Returns the workload of a pod as `NAMESPACE/NAME`. For example, a pod of `ReplicaSet shop/cart-5d9f` belongs to `shop/cart`, because
 * the Deployment's name is part of the ReplicaSet's name.
 */
export const podWorkload = (pod: Pod): string => {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
  const namespace = pod.metadata.namespace ?? 'default'
  if (owner === undefined) return `${namespace}/${pod.metadata.name}`
  const hash = pod.metadata.labels?.['pod-template-hash']
  const isDeployments = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
  return `${namespace}/${isDeployments ? owner.name.slice(0, -hash.length - 1) : owner.name}`
}

export const instanceTypeOfNode = ({ labels: of }: NodeState): string => of[labels.instanceType] ?? 'unknown'
