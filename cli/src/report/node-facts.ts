import { labels, ownValue, type Pod, type UsdPerHour } from '@kerf/apis'
import { isOwnedByDaemonSet, isReschedulable } from '@kerf/controllers'
import { cachedRequests, type NodeState } from '@kerf/engine'

/** Who decides whether a node is there. */
export type NodeOwner = 'karpenter' | 'node group' | 'by hand'

/** A node as the report looks at it. */
export interface NodeFacts {
  readonly state: NodeState
  /** The NodePool, or the node group. */
  readonly group: string
  readonly keeper: NodeOwner
  /** Undefined where nobody knows its type or its price. */
  readonly price: UsdPerHour | undefined
  /** Pods that would have to run elsewhere if the node went. */
  readonly movable: readonly Pod[]
  /** The share of its cpu or memory that pods ask for, whichever is larger; 1 is full. */
  readonly used: number
  /** The same as the metrics API measured it; absent where it was not read. */
  readonly measured?: number
  /** Why it is not planned anew; undefined for a node that is. */
  readonly leftAlone?: string
}

/** The part of a node that pods ask for. */
export const usedShare = ({ allocatable, pods }: NodeState): number => {
  const shareOf = (resource: string): number => {
    const room = ownValue(allocatable, resource) ?? 0n
    if (room <= 0n) return 0
    return Number(pods.reduce((sum, pod) => sum + (cachedRequests(pod).get(resource) ?? 0n), 0n)) / Number(room)
  }
  return Math.min(1, Math.max(shareOf('cpu'), shareOf('memory')))
}

/** Pods that need another node when theirs goes: neither those of DaemonSets nor those of the kubelet. */
export const movablePods = ({ pods }: NodeState): readonly Pod[] =>
  pods.filter((pod) => isReschedulable(pod) && !isOwnedByDaemonSet(pod))

/** `ReplicaSet shop/cart-5d9f` is the workload `shop/cart`: a Deployment is told by the name of its ReplicaSets. */
export const workloadOf = (pod: Pod): string => {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
  const namespace = pod.metadata.namespace ?? 'default'
  if (owner === undefined) return `${namespace}/${pod.metadata.name}`
  const hash = pod.metadata.labels?.['pod-template-hash']
  const isDeployments = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
  return `${namespace}/${isDeployments ? owner.name.slice(0, -hash.length - 1) : owner.name}`
}

export const instanceTypeOfNode = ({ labels: of }: NodeState): string => of[labels.instanceType] ?? 'unknown'
