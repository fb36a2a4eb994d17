import { isTerminal, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedPlacement } from '@kerf/engine'
import { ifReadable } from '../isolation/if-readable.ts'
import { podKey } from '../pods/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'

/** The cluster as it is when a plan is ready. */
export interface CurrentCluster {
  readonly state: Pick<ClusterState, 'byProviderID'>
  /** The pod of this key (`namespace/name`) as it is now. */
  readonly pod: (key: string) => Pod | undefined
  /** Pods that exist in memory only, and never change. */
  readonly isVirtual: (pod: Pod) => boolean
}

type Fate = 'as-planned' | 'bound' | 'gone'

/** What of a plan still holds, and the pods that need another pass. */
export interface CurrentPlan {
  readonly plan: Plan
  readonly again: readonly Pod[]
}

/**
 * Returns what of a plan still holds after the cluster has changed since its snapshot (`docs/spec/pending-pods.md#a-plan-and-its-cluster`):
 * nothing is said about pods that are gone or bound, no pod is sent to a node that is gone or being deleted, and no claim is
 * launched of which every pod is bound.
 */
export const currentPlan = (plan: Plan, snapshot: ClusterSnapshot, cluster: CurrentCluster): CurrentPlan => {
  const { state, pod: podOf, isVirtual } = cluster
  /** What has become of a pod; one that cannot be read is as it was. */
  const fateOf = (pod: Pod): Fate => {
    if (isVirtual(pod)) return 'as-planned'
    const read = (): Fate => {
      const now = podOf(podKey(pod))
      if (now === undefined || now.metadata.uid !== pod.metadata.uid || isTerminal(now)) return 'gone'
      return now.spec.nodeName === pod.spec.nodeName ? 'as-planned' : 'bound'
    }
    return ifReadable(read) ?? 'as-planned'
  }
  const isAsPlanned = (pod: Pod): boolean => fateOf(pod) === 'as-planned'
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
      claims: plan.claims.filter(({ pods }) => !pods.every((pod) => fateOf(pod) === 'bound')),
      unschedulable: plan.unschedulable.filter(({ pod }) => isAsPlanned(pod)),
    },
    again,
  }
}
