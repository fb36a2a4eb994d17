import type { Container, ContainerStatus, KubeObject, Node, Pod, PodStatus, PodTemplateSpec, Volume } from '@kerf/apis'

/** Makes the object that the mirror keeps out of the one that came over the wire, which nobody else holds. */
export type Projection<T extends KubeObject> = (object: T) => T

const deepFreeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const item of Object.values(value)) deepFreeze(item)
}

/** Freezes an object with everything in it, so that what many share none can change. */
export const frozen = <T>(value: T): T => {
  deepFreeze(value)
  return value
}

/** Without `managedFields`, which outweigh many objects and matter to the server alone. A shallow copy: the input stays whole. */
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

// The sources of a projected volume (tokens, config maps) are long, the same in every pod, and place nothing.
const volumeCore = (volume: Volume): Volume =>
  volume['projected'] === undefined ? volume : { name: volume.name, projected: {} }

/** What containers were given matters while they are resized; images, states and identifiers never do. */
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
 * A pod as far as scheduling and disruption look at it: without environments, commands, mounts, probes, addresses and the
 * states of its containers. Such a pod can be patched, bound, evicted and deleted, but must not be sent back as a whole.
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
 * A Node without the list of its images, which is most of its weight. Such a node can be patched and deleted, but must not
 * be sent back as a whole.
 */
export const leanNode: Projection<Node> = (node) => {
  const lean = withoutManagedFields(node)
  if (lean.status === undefined || !('images' in lean.status)) return lean
  const { images: _images, ...status } = lean.status
  return { ...lean, status }
}

const noTemplate: PodTemplateSpec = { spec: { containers: [] } }

/**
 * A Deployment, ReplicaSet or StatefulSet as far as it says whose pods they are, how many, and that it has changed: with an
 * empty template and without annotations, which are nearly all of its weight. Must not be sent back as a whole.
 */
export const leanWorkload = <T extends KubeObject & { readonly spec: object }>(workload: T): T => {
  const { managedFields: _fields, annotations: _annotations, ...metadata } = workload.metadata
  return { ...workload, metadata, spec: { ...workload.spec, template: noTemplate } }
}
