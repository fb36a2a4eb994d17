import {
  apiVersionOf,
  type CronJob,
  type Deployment,
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

/** A workload whose number of pods is written into it. */
export type ReplicatedWorkload = Deployment | ReplicaSet | StatefulSet | ReplicationController

/** A workload that makes pods wherever they fit. A DaemonSet is none: it makes one on each node. */
export type Workload = ReplicatedWorkload | Job | CronJob

const isOf =
  <T extends KubeObject>(kind: ResourceKind<T>) =>
  (object: KubeObject): object is T =>
    object.kind === kind.kind && object.apiVersion === apiVersionOf(kind)

const isDeployment = isOf(kinds.Deployment)
const isReplicaSet = isOf(kinds.ReplicaSet)
const isReplicationController = isOf(kinds.ReplicationController)
export const isStatefulSet = isOf(kinds.StatefulSet)
export const isJob = isOf(kinds.Job)
export const isCronJob = isOf(kinds.CronJob)
export const isPod = isOf(kinds.Pod)
const isDaemonSet = isOf(kinds.DaemonSet)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A workload with what its pods are made of; one without a template makes none. */
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
 * Whether it looks like a workload and is none that Kerf knows: of another API, such as Argo's Rollout, or of a version
 * that clusters no longer serve.
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

/** What the pods of the workload are made of. */
export const templateOf = (workload: Workload): PodTemplateSpec => templateIn(workload) ?? { spec: { containers: [] } }

export const jobSpecOf = (workload: Job | CronJob): JobSpec =>
  isCronJob(workload) ? workload.spec.jobTemplate.spec : workload.spec

/** What selects the pods of the workload. Jobs get theirs from the API server. */
export const selectorOf = (workload: Workload): LabelSelector | undefined => {
  if (isJob(workload) || isCronJob(workload)) return undefined
  if (isReplicationController(workload)) {
    const matchLabels = workload.spec.selector ?? workload.spec.template?.metadata?.labels
    return matchLabels === undefined ? undefined : { matchLabels }
  }
  return workload.spec.selector
}

export const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default'

/** `Deployment shop/web`, as texts name an object. */
export const workloadName = (object: KubeObject): string =>
  `${object.kind} ${namespaceOf(object)}/${object.metadata.name}`
