import {
  type CronJob,
  type Deployment,
  groupVersion,
  type Job,
  type JobSpec,
  type KubeObject,
  kinds,
  type LabelSelector,
  type PodTemplateSpec,
  type ReplicaSet,
  type ReplicationController,
  type ResourceKind,
  type StatefulSet,
} from '@kerf/apis'

/** A workload whose spec has a number of replicas. */
export type ReplicatedWorkload = Deployment | ReplicaSet | StatefulSet | ReplicationController

/** A workload that creates a certain number of pods. DaemonSets are excluded, because they create one pod on each node. */
export type Workload = ReplicatedWorkload | Job | CronJob

const isOfKind =
  <T extends KubeObject>(kind: ResourceKind<T>) =>
  (object: KubeObject): object is T =>
    object.kind === kind.kind && object.apiVersion === groupVersion(kind)

const isDeployment = isOfKind(kinds.Deployment)
const isReplicaSet = isOfKind(kinds.ReplicaSet)
const isReplicationController = isOfKind(kinds.ReplicationController)
export const isStatefulSet = isOfKind(kinds.StatefulSet)
export const isJob = isOfKind(kinds.Job)
export const isCronJob = isOfKind(kinds.CronJob)
export const isPod = isOfKind(kinds.Pod)
const isDaemonSet = isOfKind(kinds.DaemonSet)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether the object is a workload with a pod template. Without a template it creates no pods. */
export const isWorkload = (object: KubeObject): object is Workload => {
  const isOne =
    isDeployment(object) ||
    isReplicaSet(object) ||
    isStatefulSet(object) ||
    isReplicationController(object) ||
    isJob(object) ||
    isCronJob(object)
  return isOne && isRecord(object.spec) && templateIn(object) !== undefined
}

/**
 * Returns whether the object looks like a workload but is unknown to Kerf. It belongs to another API, such as Argo's Rollout, or to a
 * version that Kubernetes no longer serves.
 */
export const isUnknownWorkload = (object: KubeObject): boolean => {
  const { spec } = object as { readonly spec?: unknown }
  const template = isRecord(spec) && isRecord(spec['template']) ? spec['template']['spec'] : undefined
  return isRecord(template) && Array.isArray(template['containers']) && !isWorkload(object) && !isDaemonSet(object)
}

const templateIn = (workload: Workload): PodTemplateSpec | undefined => {
  const template = isCronJob(workload) ? workload.spec.jobTemplate?.spec?.template : workload.spec.template
  return isRecord(template) && isRecord(template.spec) && Array.isArray(template.spec.containers) ? template : undefined
}

/** Returns the pod template of the workload. */
export const podTemplate = (workload: Workload): PodTemplateSpec => templateIn(workload) ?? { spec: { containers: [] } }

export const jobSpec = (workload: Job | CronJob): JobSpec =>
  isCronJob(workload) ? workload.spec.jobTemplate.spec : workload.spec

/** Returns the selector for the pods of the workload. The API server generates the selectors of Jobs. */
export const workloadSelector = (workload: Workload): LabelSelector | undefined => {
  if (isJob(workload) || isCronJob(workload)) return undefined
  if (isReplicationController(workload)) {
    const matchLabels = workload.spec.selector ?? workload.spec.template?.metadata?.labels
    return matchLabels === undefined ? undefined : { matchLabels }
  }
  return workload.spec.selector
}

export const objectNamespace = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default'

/** Returns kind, namespace and name for messages, for example `Deployment shop/web`. */
export const workloadName = (object: KubeObject): string =>
  `${object.kind} ${objectNamespace(object)}/${object.metadata.name}`
