import {
  type Job,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Pod,
  type ReplicaSet,
  type ReplicationController,
  type ResourceKind,
  type StatefulSet,
} from '@kerf/apis'
import { type Demand, noDemand } from './demand.ts'
import { jobDemand } from './job-demand.ts'
import { replicasDemand } from './replicas-demand.ts'
import { statefulSetDemand } from './stateful-set-demand.ts'

/** A resource kind whose objects create pods, with a function that returns the missing pods of an object. */
export interface PodOwnerKind {
  readonly kind: ResourceKind<PodOwner>
  /** Returns the missing pods. `templateSince` is the time when Kerf last saw a change of the template, or 0 if it saw none. */
  demand(owner: PodOwner, pods: readonly Pod[], templateSince: Milliseconds): Demand
}

/** An owner of pods, as the informer stores it. It contains no pod template except for the template's scheduling gates. */
export type PodOwner = KubeObject & { readonly spec: { readonly replicas?: number } }

const ownerKind = <T extends PodOwner>(
  kind: ResourceKind<T>,
  demand: (owner: T, pods: readonly Pod[], templateSince: Milliseconds) => Demand,
): PodOwnerKind => ({
  kind,
  // The informer of this kind contains only objects of this kind.
  demand: (owner, pods, templateSince) => {
    if (owner.metadata.deletionTimestamp !== undefined) return noDemand('being-deleted')
    return demand(owner as T, pods, templateSince)
  },
})

/** The owner kinds whose missing pods Kerf expects (`docs/spec/expected-pods.md#which-pods-are-expected`). */
export const podOwnerKinds: readonly PodOwnerKind[] = [
  ownerKind<ReplicaSet>(kinds.ReplicaSet, replicasDemand),
  ownerKind<ReplicationController>(kinds.ReplicationController, replicasDemand),
  ownerKind<StatefulSet>(kinds.StatefulSet, statefulSetDemand),
  ownerKind<Job & PodOwner>(kinds.Job, jobDemand),
]
