import { isActive, type Pod, type StatefulSet } from '@kerf/apis'
import { type Demand, newestPod, noDemand } from './demand.ts'

/** The label with the revision of a pod. */
const REVISION = 'controller-revision-hash'

/**
 * Returns the pods that a StatefulSet has not created yet. With `podManagementPolicy: Parallel`, these are all missing ordinals. With
 * `OrderedReady`, only the next ordinal is expected, and only if all earlier pods are Ready. `pods` are the pods that the StatefulSet
 * controls.
 */
export const statefulSetDemand = (set: StatefulSet, pods: readonly Pod[]): Demand => {
  const { replicas = 1, ordinals, podManagementPolicy = 'OrderedReady' } = set.spec
  const start = ordinals?.start ?? 0
  // Excludes terminating pods. The replacement of a terminating pod has the same name, so it is created only after the pod is gone.
  const byName = new Map(pods.filter(isActive).map((pod) => [pod.metadata.name, pod]))
  const missing: number[] = []
  for (let ordinal = start; ordinal < start + replicas; ordinal++) {
    const pod = byName.get(`${set.metadata.name}-${ordinal}`)
    if (pod === undefined) missing.push(ordinal)
    if (podManagementPolicy === 'Parallel') continue
    if (missing.length > 0) break
    if (pod !== undefined && !isReady(pod)) return noDemand('waits-for-ordinal')
  }
  if (missing.length === 0) return noDemand('complete')
  // Until the status is up to date, the revision of the next pods is unknown.
  if ((set.status?.observedGeneration ?? 0) < (set.metadata.generation ?? 0)) return noDemand('no-pod-of-revision')
  const revision = revisionOfNext(set, missing)
  const template = newestPod([...byName.values()].filter(({ metadata }) => metadata.labels?.[REVISION] === revision))
  if (revision === undefined || template === undefined) return noDemand('no-pod-of-revision')
  const names = missing
    .filter((ordinal) => statefulSetRevision(set, ordinal) === revision)
    .map((ordinal) => `${set.metadata.name}-${ordinal}`)
  return { kind: 'missing', template, count: names.length, names }
}

const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

/**
 * Returns the revision of most missing pods. This is the revision of the last ordinal, because a partition keeps the first ordinals at the
 * old revision.
 */
const revisionOfNext = (set: StatefulSet, missing: readonly number[]): string | undefined => {
  const last = missing.at(-1)
  return last === undefined ? undefined : statefulSetRevision(set, last)
}

/** Returns the revision of a new pod. Ordinals below `spec.updateStrategy.rollingUpdate.partition` keep the current revision. */
const statefulSetRevision = ({ spec, status }: StatefulSet, ordinal: number): string | undefined => {
  const partition = spec.updateStrategy?.rollingUpdate?.partition ?? 0
  return ordinal < partition + (spec.ordinals?.start ?? 0) ? status?.currentRevision : status?.updateRevision
}
