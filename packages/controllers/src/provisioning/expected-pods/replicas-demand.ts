import {
  isActive,
  type Milliseconds,
  type Pod,
  parseTime,
  type ReplicaSet,
  type ReplicationController,
} from '@kerf/apis'
import { type Demand, newestPod, noDemand } from './demand.ts'

/** The label that a Deployment adds to its ReplicaSets and their pods. */
const REVISION = 'pod-template-hash'

/**
 * Returns the pods that a ReplicaSet or ReplicationController has not created yet. `pods` are the pods that it controls. `templateSince` is
 * the Unix time in milliseconds when Kerf last saw a change of its template, or 0. A ReplicaSet without a Deployment keeps pods of older
 * templates. Therefore only pods that are newer than the last change show what the next pod will look like.
 */
export const replicasDemand = (
  owner: ReplicaSet | ReplicationController,
  pods: readonly Pod[],
  templateSince: Milliseconds,
): Demand => {
  const active = pods.filter(isActive)
  const count = (owner.spec.replicas ?? 1) - active.length
  if (count <= 0) return noDemand(count < 0 ? 'surplus' : 'complete')
  if (owner.status?.conditions?.some(({ type, status }) => type === 'ReplicaFailure' && status === 'True') === true) {
    return noDemand('replica-failure')
  }
  const revision = owner.metadata.labels?.[REVISION]
  const isCurrent = ({ metadata }: Pod): boolean =>
    (revision === undefined || metadata.labels?.[REVISION] === revision) &&
    // Timestamps of the API server have a resolution of one second.
    (templateSince === 0 || (parseTime(metadata.creationTimestamp) ?? 0) >= Math.floor(templateSince / 1000) * 1000)
  const template = newestPod(active.filter(isCurrent))
  return template === undefined ? noDemand('no-pod-of-revision') : { kind: 'missing', template, count }
}
