import type { Deployment, PodTemplateSpec, ReplicaSet } from '@kerf/apis'
import { same } from '../../objects/same.ts'

export const REVISION = 'deployment.kubernetes.io/revision'
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas'
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas'
export const POD_TEMPLATE_HASH = 'pod-template-hash'

const withoutHash = (template: PodTemplateSpec | undefined): PodTemplateSpec | undefined => {
  if (template?.metadata?.labels?.[POD_TEMPLATE_HASH] === undefined) return template
  const { [POD_TEMPLATE_HASH]: _hash, ...labels } = template.metadata.labels
  return { ...template, metadata: { ...template.metadata, labels } }
}

const comparable = (template: PodTemplateSpec | undefined): unknown => {
  const plain = withoutHash(template)
  const { labels, annotations } = plain?.metadata ?? {}
  return { labels: labels ?? {}, annotations: annotations ?? {}, spec: plain?.spec }
}

export const replicaSetRevision = (replicaSet: ReplicaSet): number =>
  Number(replicaSet.metadata.annotations?.[REVISION] ?? '0') || 0

/** Compares by age, oldest first. ReplicaSets of the same age are compared by name, so that the order is stable. */
export const byAge = (a: ReplicaSet, b: ReplicaSet): number => {
  const [at, bt] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
  if (at !== bt) return at < bt ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}

/** Returns the ReplicaSet that runs the deployment's current template. If there are several, returns the oldest. */
export const currentReplicaSet = (deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined => {
  const template = comparable(deployment.spec.template)
  return sets.toSorted(byAge).find((set) => same(comparable(set.spec.template), template))
}
