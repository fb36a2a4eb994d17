import type { Container, DaemonSet, Pod, PodSpec } from '@kerf/apis'

/** Requests that a container's limits imply: the API server fills them in for real pods, not for templates. */
const withImpliedRequests = (container: Container): Container => {
  const limits = container.resources?.limits
  if (limits === undefined) return container
  return {
    ...container,
    resources: { ...container.resources, requests: { ...limits, ...container.resources?.requests } },
  }
}

/** The API server gives the ports of a real pod on the node's network their host port, but not those of a template. */
const withHostPorts = (container: Container): Container =>
  container.ports === undefined
    ? container
    : {
        ...container,
        ports: container.ports.map((port) => ({ ...port, hostPort: port.hostPort ?? port.containerPort })),
      }

const fromTemplate = (daemonSet: DaemonSet): Pod => {
  const { template } = daemonSet.spec
  const { initContainers, containers, hostNetwork } = template.spec
  const admitted = (container: Container): Container =>
    hostNetwork === true ? withHostPorts(withImpliedRequests(container)) : withImpliedRequests(container)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name: daemonSet.metadata.name,
      namespace: daemonSet.metadata.namespace ?? 'default',
    },
    spec: {
      ...template.spec,
      containers: containers.map(admitted),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(admitted) }),
    },
  }
}

/** The DaemonSet controller pins each real pod to one host by affinity; what counts elsewhere is the template's own. */
const withTemplateAffinity = (pod: Pod, daemonSet: DaemonSet): Pod => {
  const required = daemonSet.spec.template.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const { requiredDuringSchedulingIgnoredDuringExecution: pinned, ...rest } = pod.spec.affinity?.nodeAffinity ?? {}
  if (required === undefined && pinned === undefined) return pod
  const nodeAffinity =
    required === undefined ? rest : { ...rest, requiredDuringSchedulingIgnoredDuringExecution: required }
  return { ...pod, spec: { ...pod.spec, affinity: { ...pod.spec.affinity, nodeAffinity } } }
}

const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec }: PodSpec = pod.spec
  return { ...pod, spec }
}

/**
 * The pod that a DaemonSet would run on a new node: its newest real pod, which went through admission, or one made from
 * its template (`docs/spec/pending-pods.md#daemonset-pods`).
 */
export const daemonPodOf = (daemonSet: DaemonSet, newest: Pod | undefined): Pod =>
  unbound(withTemplateAffinity(newest ?? fromTemplate(daemonSet), daemonSet))
