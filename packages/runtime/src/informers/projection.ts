import type { Container, ContainerStatus, KubeObject, Node, Pod, PodStatus, PodTemplateSpec, Volume } from '@kerf/apis'

/** Returns an object with only the fields that the informer keeps. The given object was just received and is not shared yet. */
export type Projection<T extends KubeObject> = (object: T) => T

const deepFreeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const item of Object.values(value)) deepFreeze(item)
}

/** Freezes an object and everything in it, so that no consumer can change the shared object. */
export const frozen = <T>(value: T): T => {
  deepFreeze(value)
  return value
}

/** Returns a shallow copy of the object without `managedFields`, which are often its largest part and matter only to the server. */
export const withoutManagedFields = <T extends KubeObject>(object: T): T => {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _dropped, ...metadata } = object.metadata
  return { ...object, metadata }
}

const containerCore = (container: Container): Container => ({
  name: container.name,
  ...(container.image !== undefined && { image: container.image }),
  ...(container.ports !== undefined && { ports: container.ports }),
  ...(container.resources !== undefined && { resources: container.resources }),
  ...(container.restartPolicy !== undefined && { restartPolicy: container.restartPolicy }),
})

// The sources of a projected volume (tokens, config maps) are long, the same in every pod, and do not affect scheduling.
const volumeCore = (volume: Volume): Volume =>
  volume['projected'] === undefined ? volume : { name: volume.name, projected: {} }

/** Returns the resources in the statuses of containers, which matter during a resize. Drops images, states and identifiers. */
const resourcesOf = (statuses: readonly ContainerStatus[] | undefined): readonly ContainerStatus[] =>
  (statuses ?? []).flatMap(({ name, resources, allocatedResources }) =>
    resources === undefined && allocatedResources === undefined
      ? []
      : [
          {
            name,
            ...(resources !== undefined && { resources }),
            ...(allocatedResources !== undefined && { allocatedResources }),
          },
        ],
  )

const statusCore = (status: PodStatus): PodStatus => {
  const { phase, reason, message, conditions, nominatedNodeName, startTime, resourceClaimStatuses } = status
  const containerStatuses = resourcesOf(status.containerStatuses)
  const initContainerStatuses = resourcesOf(status.initContainerStatuses)
  return {
    ...(phase !== undefined && { phase }),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(conditions !== undefined && { conditions }),
    ...(nominatedNodeName !== undefined && { nominatedNodeName }),
    ...(startTime !== undefined && { startTime }),
    ...(resourceClaimStatuses !== undefined && { resourceClaimStatuses }),
    ...(containerStatuses.length > 0 && { containerStatuses }),
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
  }
}

/**
 * Returns a pod with only the fields that scheduling and disruption read. Drops environments, commands, mounts, probes, addresses and
 * container states. Kerf can patch, bind, evict and delete such a pod, but must not send it back in an update.
 */
export const leanPod: Projection<Pod> = (pod) => {
  const lean = withoutManagedFields(pod)
  const { initContainers, volumes } = pod.spec
  return {
    ...lean,
    spec: {
      ...pod.spec,
      containers: pod.spec.containers.map(containerCore),
      ...(initContainers !== undefined && { initContainers: initContainers.map(containerCore) }),
      ...(volumes !== undefined && { volumes: volumes.map(volumeCore) }),
    },
    ...(pod.status !== undefined && { status: statusCore(pod.status) }),
  }
}

/**
 * Returns a Node without the list of its images, which is its largest part. Such a Node can be patched and deleted, but must not be
 * sent back in an update.
 */
export const leanNode: Projection<Node> = (node) => {
  const lean = withoutManagedFields(node)
  if (lean.status === undefined || !('images' in lean.status)) return lean
  const { images: _images, ...status } = lean.status
  return { ...lean, status }
}

const noTemplate: PodTemplateSpec = { spec: { containers: [] } }

/** Returns a template with only its scheduling gates. */
const leanTemplate = (template: unknown): PodTemplateSpec => {
  const gates = (template as Partial<PodTemplateSpec> | undefined)?.spec?.schedulingGates ?? []
  return gates.length === 0 ? noTemplate : { spec: { containers: [], schedulingGates: gates } }
}

/**
 * Returns an owner of pods, such as a Deployment, ReplicaSet or Job, with only its pod selector, its number of pods, and the fields that
 * show a change. Drops annotations and the pod template, which are nearly all of its size, but keeps the scheduling gates of the template.
 * Kerf must not send the result back in an update.
 */
export const leanWorkload = <T extends KubeObject & { readonly spec: object }>(workload: T): T => {
  const { managedFields: _fields, annotations: _annotations, ...metadata } = workload.metadata
  const template = leanTemplate('template' in workload.spec ? workload.spec.template : undefined)
  return { ...workload, metadata, spec: { ...workload.spec, template } }
}
