import type { Container, ContainerStatus, Pod } from '@kerf/apis'

/** One element of the sequence that describes a pod. */
export type Token = string | number | boolean | symbol | null | undefined

/** Receives the tokens of a pod, one after the other. */
export interface TokenSink {
  add(token: Token): void
}

const OBJECT = Symbol('object')
const LIST = Symbol('list')
const END = Symbol('end')
const ONE_CONTAINER = Symbol('one container')

/**
 * Adds a value that can be represented in JSON. Different values give different sequences of tokens, and no sequence is a prefix of another
 * one. @throws TypeError if the value cannot be represented in JSON
 */
const addValue = (sink: TokenSink, value: unknown): void => {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      sink.add(value)
      return
    case 'object':
      if (value === null) sink.add(null)
      else if (Array.isArray(value)) addList(sink, value)
      else addObject(sink, value)
      return
    default:
      throw new TypeError(`a ${typeof value} is in the place of a value`)
  }
}

const addList = (sink: TokenSink, list: readonly unknown[]): void => {
  sink.add(LIST)
  for (const value of list) addValue(sink, value)
  sink.add(END)
}

const addObject = (sink: TokenSink, object: object): void => {
  const fields = object as Readonly<Record<string, unknown>>
  if (typeof fields['toJSON'] === 'function') throw new TypeError('an object that is more than data')
  sink.add(OBJECT)
  for (const key in fields) {
    sink.add(key)
    addValue(sink, fields[key])
  }
  sink.add(END)
}

/** Returns whether a field is set. Treats absent fields and `null` alike. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const hasStatusOfResources = ({ resources, allocatedResources }: ContainerStatus): boolean =>
  isGiven(resources) || isGiven(allocatedResources)

const hasResize = ({ status }: Pod): boolean =>
  status?.containerStatuses?.some(hasStatusOfResources) === true ||
  status?.initContainerStatuses?.some(hasStatusOfResources) === true

const addStatuses = (sink: TokenSink, statuses: readonly ContainerStatus[] | undefined): void => {
  sink.add(LIST)
  for (const { name, resources, allocatedResources } of statuses ?? []) {
    addValue(sink, name)
    sink.add(isGiven(resources))
    addValue(sink, resources?.requests)
    addValue(sink, allocatedResources)
  }
  sink.add(END)
}

const addContainers = (sink: TokenSink, containers: readonly Container[] | undefined): void => {
  sink.add(LIST)
  for (const { name, resources, restartPolicy } of containers ?? []) {
    addValue(sink, name)
    addValue(sink, resources?.requests)
    addValue(sink, restartPolicy)
  }
  sink.add(END)
}

/**
 * Adds the resource requests of a pod. Equal tokens mean that the requests, and any errors in them, are equal. Equal requests may have
 * different tokens.
 * @throws if the object is not a complete pod
 */
export const addRequests = (sink: TokenSink, pod: Pod): void => {
  const { containers, initContainers, resources, overhead } = pod.spec
  const [only] = containers
  const resized = hasResize(pod)
  if (containers.length === 1 && only && !initContainers && !resources && !overhead && !resized) {
    const { requests } = only.resources ?? {}
    sink.add(ONE_CONTAINER)
    for (const name in requests) {
      sink.add(name)
      addValue(sink, requests[name])
    }
    sink.add(END)
    return
  }
  addContainers(sink, containers)
  addContainers(sink, initContainers)
  addValue(sink, resources?.requests)
  addValue(sink, overhead)
  if (!resized) return
  addStatuses(sink, pod.status?.containerStatuses)
  addStatuses(sink, pod.status?.initContainerStatuses)
  sink.add(pod.status?.conditions?.some(isInfeasibleResize) === true)
}

const isInfeasibleResize = ({ type, reason }: { readonly type: string; readonly reason?: string }): boolean =>
  type === 'PodResizePending' && reason === 'Infeasible'

/** Returns whether a container demands anything other than amounts of resources. */
const isSpecial = ({ resources, restartPolicy, ports }: Container): boolean =>
  (resources?.claims?.length ?? 0) > 0 || isGiven(restartPolicy) || hasHostPort(ports)

const hasHostPort = (ports: Container['ports']): boolean =>
  isGiven(ports) && ports?.some(({ hostPort }) => hostPort) === true

const addSpecial = (sink: TokenSink, containers: readonly Container[] | undefined): void => {
  sink.add(LIST)
  for (const { resources, restartPolicy, ports } of containers ?? []) {
    sink.add(resources?.claims?.length ?? 0)
    addValue(sink, restartPolicy)
    addValue(sink, hasHostPort(ports) ? ports : undefined)
  }
  sink.add(END)
}

const hasClaims = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim || ephemeral) === true

/**
 * Adds everything in a pod that can affect a decision, except its resource requests and its position in the queue. @throws if the object is
 * not a complete pod
 */
export const addDemand = (sink: TokenSink, pod: Pod): void => {
  const { metadata, spec } = pod
  const { containers, initContainers, affinity, nodeSelector, tolerations, topologySpreadConstraints: spread } = spec
  const special = containers.some(isSpecial) || initContainers?.some(isSpecial) === true
  const claims = hasClaims(pod)
  const devices = spec.resourceClaims?.length ?? 0
  // This token encodes which of the following sections are present.
  sink.add(
    (special ? 1 : 0) +
      (isGiven(nodeSelector) ? 2 : 0) +
      (isGiven(affinity) ? 4 : 0) +
      (isGiven(tolerations) ? 8 : 0) +
      (isGiven(spread) ? 16 : 0) +
      (claims ? 32 : 0) +
      // A running pod is not validated again (`problem/equivalence-group-reader.ts`). So its form must differ from that of a pending pod.
      (spec.nodeName ? 64 : 0) +
      128 * devices,
  )
  addValue(sink, metadata.namespace)
  if (special) {
    addSpecial(sink, containers)
    addSpecial(sink, initContainers)
  }
  if (isGiven(tolerations)) addValue(sink, tolerations)
  if (isGiven(nodeSelector)) addValue(sink, nodeSelector)
  if (isGiven(spread)) addValue(sink, spread)
  if (isGiven(affinity)) addValue(sink, affinity)
  addValue(sink, metadata.labels)
  if (!claims) return
  addValue(sink, metadata.name)
  // Volumes of different pods are practically never equal. A single token avoids a long branch of the trie for each pod.
  sink.add(JSON.stringify(spec.volumes))
}
