import type { KubeObject, OwnerReference, PersistentVolumeClaim, Pod, PodSpec, ReplicaSet } from '@kerf/apis'
import type { PresentPods } from './present-pods.ts'
import {
  isJob,
  isStatefulSet,
  jobSpec,
  objectNamespace,
  podTemplate,
  type Workload,
  workloadSelector,
} from './workload.ts'

const HASH = 'pod-template-hash'
/** The pod template hash to use if no existing pod has the real one. */
const UNSEEN = 'planned'

const workloadOwner = (workload: Workload): OwnerReference => ({
  apiVersion: workload.apiVersion,
  kind: workload.kind,
  name: workload.metadata.name,
  uid: workload.metadata.uid ?? '',
  controller: true,
})

/** Returns the pod template hash of the Deployment's pods. */
const templateHash = (present: readonly Pod[]): string => present.at(-1)?.metadata.labels?.[HASH] ?? UNSEEN

/** Returns the labels that the workload's controller adds to the template's labels. */
const workloadLabels = (
  workload: Workload,
  podName: string,
  index: number,
  present: readonly Pod[],
): Readonly<Record<string, string>> => {
  if (workload.kind === 'Deployment') return { [HASH]: templateHash(present) }
  if (isStatefulSet(workload))
    return { 'apps.kubernetes.io/pod-index': String(index), 'statefulset.kubernetes.io/pod-name': podName }
  if (workload.kind === 'Job' || workload.kind === 'CronJob') {
    const { name } = workload.metadata
    const isIndexed = jobSpec(workload as Parameters<typeof jobSpec>[0]).completionMode === 'Indexed'
    return {
      'batch.kubernetes.io/job-name': name,
      'job-name': name,
      ...(isIndexed ? { 'batch.kubernetes.io/job-completion-index': String(index) } : {}),
    }
  }
  return {}
}

/**
 * Returns the spec of a StatefulSet's pod, with one volume for each volume claim template. The volume has the template's name and refers to
 * the pod's own volume claim.
 */
const withOwnClaims = (workload: Workload, podName: string, spec: PodSpec): PodSpec => {
  const templates = isStatefulSet(workload) ? (workload.spec.volumeClaimTemplates ?? []) : []
  if (templates.length === 0) return spec
  const names = templates.map(({ metadata }) => metadata.name)
  return {
    ...spec,
    volumes: [
      ...(spec.volumes ?? []).filter(({ name }) => !names.includes(name)),
      ...names.map((name) => ({ name, persistentVolumeClaim: { claimName: `${name}-${podName}` } })),
    ],
  }
}

/**
 * Returns `count` more pods of a workload, as its controller would create them now. The name of each pod is the workload's name with a
 * number. In a cluster, the names of pods other than those of StatefulSets have a random suffix instead.
 */
export const morePods = (workload: Workload, count: number, present: PresentPods): readonly Pod[] => {
  const template = podTemplate(workload)
  const namespace = objectNamespace(workload)
  const own = present.of(workload)
  const first = isStatefulSet(workload) ? (workload.spec.ordinals?.start ?? 0) : isJob(workload) ? 0 : 1
  const pods: Pod[] = []
  for (let index = first; pods.length < count; index++) {
    const name = `${workload.metadata.name}-${index}`
    if (present.has(namespace, name)) continue
    pods.push({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...template.metadata,
        name,
        namespace,
        labels: { ...template.metadata?.labels, ...workloadLabels(workload, name, index, own) },
        ownerReferences: [workloadOwner(workload)],
      },
      spec: withOwnClaims(workload, name, template.spec),
    })
  }
  return pods
}

/**
 * Returns the PersistentVolumeClaims that are created for a pod: from the claim templates of its StatefulSet, and from its ephemeral
 * volumes.
 */
export const volumeClaims = (pod: Pod, workload: Workload | undefined): readonly PersistentVolumeClaim[] => {
  const namespace = objectNamespace(pod)
  const claim = (name: string, spec: unknown): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: (spec ?? {}) as PersistentVolumeClaim['spec'],
  })
  const templates = workload !== undefined && isStatefulSet(workload) ? (workload.spec.volumeClaimTemplates ?? []) : []
  return [
    ...templates.map((template) =>
      claim(`${template.metadata.name}-${pod.metadata.name}`, (template as { readonly spec?: unknown }).spec),
    ),
    ...(pod.spec.volumes ?? []).flatMap(({ name, ephemeral }) =>
      ephemeral?.volumeClaimTemplate === undefined
        ? []
        : [claim(`${pod.metadata.name}-${name}`, ephemeral.volumeClaimTemplate.spec)],
    ),
  ]
}

/**
 * Returns the ReplicaSet that the Deployment's controller would create. kube-scheduler uses the ReplicaSet's selector for
 * default topology spreading.
 */
export const findReplicaSet = (workload: Workload, present: PresentPods): ReplicaSet | undefined => {
  const selector = workloadSelector(workload)
  if (workload.kind !== 'Deployment' || selector === undefined) return undefined
  const hash = templateHash(present.of(workload))
  const replicaSet: ReplicaSet & KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${workload.metadata.name}-${hash}`,
      namespace: objectNamespace(workload),
      ownerReferences: [workloadOwner(workload)],
    },
    spec: { selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH]: hash } } },
  }
  return replicaSet
}
