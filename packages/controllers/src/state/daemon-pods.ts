import type { Container, DaemonSet, Pod, PodSpec } from '@kerf/apis'

/** Adds the requests that follow from limits. The API server does this for pods but not for templates. */
const withImpliedRequests = (container: Container): Container => {
  const limits = container.resources?.limits
  if (limits === undefined) return container
  return {
    ...container,
    resources: { ...container.resources, requests: { ...limits, ...container.resources?.requests } },
  }
}

/** Adds the host ports of pods on the host network. The API server does this for pods but not for templates. */
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

/**
 * Replaces the node affinity of an existing pod with the affinity of the template, because the DaemonSet controller uses node affinity to
 * bind each pod to one node.
 */
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
 * Returns the pod that a DaemonSet would run on a new node (`docs/spec/pending-pods.md#daemonset-pods`). It is based on the newest existing
 * pod, which has passed admission. If there is none, it is based on the template.
 */
export const daemonSetPod = (daemonSet: DaemonSet, newest: Pod | undefined): Pod =>
  unbound(withTemplateAffinity(newest ?? fromTemplate(daemonSet), daemonSet))
