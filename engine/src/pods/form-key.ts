import type { Container, Pod } from '@kerf/apis'

const containerKey = ({ resources, ports, restartPolicy }: Container): unknown => [
  resources?.requests,
  resources?.claims?.length,
  restartPolicy,
  ports?.some(({ hostPort }) => hostPort) ? ports : undefined,
]

const hasClaims = (pod: Pod): boolean =>
  pod.spec.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim || ephemeral) === true

const hasResize = (pod: Pod): boolean =>
  pod.status?.containerStatuses?.some(({ resources }) => resources !== undefined) === true ||
  pod.status?.initContainerStatuses?.some(({ resources }) => resources !== undefined) === true

/** Text of what a pod takes from its node. Equal texts mean equal requests; equal requests may have different texts. */
export const requestsKey = (pod: Pod): string => {
  const { containers, initContainers, resources, overhead } = pod.spec
  const [only] = containers
  if (containers.length === 1 && only && !initContainers && !resources && !overhead && !hasResize(pod)) {
    const { requests } = only.resources ?? {}
    let key = ''
    for (const name in requests) key += `${name}=${requests[name]};`
    return key
  }
  return JSON.stringify([
    containers.map(({ name, resources: own }) => [name, own?.requests]),
    initContainers?.map(({ name, resources: own, restartPolicy }) => [name, own?.requests, restartPolicy]),
    resources?.requests,
    overhead,
    hasResize(pod) ? [pod.status?.containerStatuses, pod.status?.initContainerStatuses, pod.status?.conditions] : 0,
  ])
}

/**
 * Text of everything about a pod that a decision can depend on, besides its place in the queue. Pods with equal texts are
 * interchangeable. @throws if the object is not a complete pod
 */
export const formKey = (pod: Pod): string => {
  const { metadata, spec } = pod
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    requestsKey(pod),
    spec.containers.map(containerKey),
    spec.initContainers?.map(containerKey),
    spec.nodeSelector,
    spec.affinity,
    spec.tolerations,
    spec.topologySpreadConstraints,
    hasClaims(pod) ? [metadata.name, spec.volumes] : 0,
    spec.resourceClaims?.length ?? 0,
    // A pod that runs already is not checked again (`problem/pod-group-reader.ts`), so it is not the same as a pending one.
    spec.nodeName ? 1 : 0,
  ])
}
