import type { Container, ContainerStatus, Pod } from '@kerf/apis'

/**
 * Returns everything in a pod that can affect a decision, except its position in the queue, as one string. This is a simple but slow way to
 * compare pods. Tests use it to verify the fast way.
 */
export const formText = (pod: Pod): string => JSON.stringify([podDemand(pod), podRequests(pod)])

const containerHostPorts = ({ ports }: Container) => (ports?.some(({ hostPort }) => hostPort) ? ports : null)

const containerSpecial = (containers: readonly Container[] | undefined) =>
  (containers ?? []).map((container) => [
    container.resources?.claims?.length ?? 0,
    container.restartPolicy,
    containerHostPorts(container),
  ])

const isPlain = (special: readonly (readonly unknown[])[]): boolean =>
  special.every(([claims, restartPolicy, ports]) => claims === 0 && (restartPolicy ?? null) === null && ports === null)

const podDemand = ({ metadata, spec }: Pod) => {
  const special = [containerSpecial(spec.containers), containerSpecial(spec.initContainers)]
  const hasClaims = spec.volumes?.some((volume) => volume.persistentVolumeClaim || volume.ephemeral) === true
  return [
    metadata.namespace,
    metadata.labels,
    // The number and order of containers that request only amounts do not matter.
    special.every(isPlain) ? [] : special,
    spec.nodeSelector,
    spec.affinity,
    spec.tolerations,
    spec.topologySpreadConstraints,
    hasClaims ? [metadata.name, spec.volumes] : [],
    spec.resourceClaims?.length ?? 0,
    Boolean(spec.nodeName),
  ]
}

const ofStatus = ({ name, resources, allocatedResources }: ContainerStatus) => [
  name,
  resources === undefined ? [] : [resources.requests],
  allocatedResources,
]

const podRequests = ({ spec, status }: Pod) => {
  const { containers, initContainers, resources, overhead } = spec
  const statuses = [status?.containerStatuses ?? [], status?.initContainerStatuses ?? []]
  const isResized = statuses.flat().some((each) => each.resources || each.allocatedResources)
  const first = containers[0]?.resources?.requests ?? {}
  if (containers.length === 1 && !initContainers && !resources && !overhead && !isResized) return Object.entries(first)
  const own = (each: Container) => [each.name, each.resources?.requests, each.restartPolicy]
  return [
    containers.map(own),
    (initContainers ?? []).map(own),
    resources?.requests,
    overhead,
    isResized ? statuses.map((list) => list.map(ofStatus)) : [],
    isResized &&
      status?.conditions?.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible') === true,
  ]
}
