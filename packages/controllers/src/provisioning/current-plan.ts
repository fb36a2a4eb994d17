import { isTerminal, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedPlacement } from '@kerf/engine'
import { podKey } from '../pod/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import { ifReadable } from '../state/isolation/if-readable.ts'

/** The cluster after a plan was computed, which may differ from the snapshot of the plan. */
export interface CurrentCluster {
  readonly state: Pick<ClusterState, 'byProviderID'>
  /** Returns the current pod with this key (`namespace/name`). */
  readonly pod: (key: string) => Pod | undefined
  /** Returns whether a pod exists only in memory. Such pods do not change. */
  readonly isVirtual: (pod: Pod) => boolean
}

/** What has happened to a pod since the snapshot. */
type PodChange = 'none' | 'bound' | 'gone'

/** The part of a plan that is still valid, and the pods that need another pass. */
export interface CurrentPlan {
  readonly plan: Plan
  readonly again: readonly Pod[]
}

/**
 * Returns the part of a plan that is still valid if the cluster has changed since its snapshot
 * (`docs/spec/pending-pods.md#a-plan-and-its-cluster`). Drops pods that are deleted or bound, nodes that are deleted or being deleted, and
 * claims whose pods are all bound.
 */
export const currentPlan = (plan: Plan, snapshot: ClusterSnapshot, cluster: CurrentCluster): CurrentPlan => {
  const { state, pod: podOf, isVirtual } = cluster
  /** Returns what has happened to a pod since the snapshot. A pod that cannot be read counts as unchanged. */
  const podChange = (pod: Pod): PodChange => {
    if (isVirtual(pod)) return 'none'
    const read = (): PodChange => {
      const now = podOf(podKey(pod))
      if (now === undefined || now.metadata.uid !== pod.metadata.uid || isTerminal(now)) return 'gone'
      return now.spec.nodeName === pod.spec.nodeName ? 'none' : 'bound'
    }
    return ifReadable(read) ?? 'none'
  }
  const isAsPlanned = (pod: Pod): boolean => podChange(pod) === 'none'
  const idOf = new Map(snapshot.nodes.map(({ name, providerID }) => [name, providerID]))
  const again: Pod[] = []
  const placements = plan.placements.flatMap(({ node, pods }): readonly PlannedPlacement[] => {
    const left = pods.filter(isAsPlanned)
    const id = idOf.get(node)
    if (id === undefined || state.byProviderID(id)?.isMarkedForDeletion === false) return [{ node, pods: left }]
    again.push(...left.filter((pod) => !isVirtual(pod)))
    return []
  })
  return {
    plan: {
      ...plan,
      placements,
      claims: plan.claims.filter(({ pods }) => !pods.every((pod) => podChange(pod) === 'bound')),
      unschedulable: plan.unschedulable.filter(({ pod }) => isAsPlanned(pod)),
    },
    again,
  }
}
