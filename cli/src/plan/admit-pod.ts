import type { Container, Pod, RuntimeClass } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

const withImpliedRequests = (container: Container): Container => {
  const { limits, requests } = container.resources ?? {}
  if (limits === undefined) return container
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } }
}

const needsRequests = (container: Container): boolean => {
  const { limits, requests } = container.resources ?? {}
  return limits !== undefined && Object.keys(limits).some((name) => ownValue(requests, name) === undefined)
}

/**
 * What the API server would have filled in when the pod was created, for pods that come from a file: namespace, requests
 * implied by limits, the overhead of the runtime class. The same object when nothing is missing.
 */
export const admitPod = (pod: Pod, runtimeClasses: ReadonlyMap<string, RuntimeClass>): Pod => {
  const { spec, metadata } = pod
  const { containers, initContainers, overhead, runtimeClassName } = spec
  const implied =
    spec.overhead === undefined && runtimeClassName !== undefined
      ? runtimeClasses.get(runtimeClassName)?.overhead?.podFixed
      : undefined
  const hasGaps =
    metadata.namespace === undefined ||
    (implied !== undefined && overhead === undefined) ||
    containers.some(needsRequests) ||
    (initContainers?.some(needsRequests) ?? false)
  if (!hasGaps) return pod
  return {
    ...pod,
    metadata: { ...metadata, namespace: metadata.namespace ?? 'default' },
    spec: {
      ...spec,
      containers: containers.map(withImpliedRequests),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withImpliedRequests) }),
      ...(implied === undefined ? {} : { overhead: implied }),
    },
  }
}
