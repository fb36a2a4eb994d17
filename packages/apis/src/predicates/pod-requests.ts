import type { ResourceList } from '../kubernetes/object.ts'
import type { Container, Pod, PodSpec } from '../kubernetes/pod.ts'
import { parseQuantity } from '../quantity.ts'

/** Amounts in billionths, by resource name. */
type Amounts = Map<string, bigint>

const add = (to: Amounts, list: ReadonlyMap<string, bigint>): void => {
  for (const [name, amount] of list) to.set(name, (to.get(name) ?? 0n) + amount)
}

const raise = (to: Amounts, list: ReadonlyMap<string, bigint>): void => {
  for (const [name, amount] of list) if (amount > (to.get(name) ?? -1n)) to.set(name, amount)
}

const amountsOf = (list: ResourceList | undefined): Amounts => {
  const amounts: Amounts = new Map()
  for (const name in list) amounts.set(name, parseQuantity(list[name] ?? 0))
  return amounts
}

type RequestsOf = (container: Container) => Amounts

/**
 * Returns a container's requests during a resize: the maximum of the desired, allocated and actual resources
 * (`docs/spec/scheduling.md#requests-of-a-pod`).
 */
const withResize = (pod: Pod): RequestsOf => {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])]
  if (!statuses.some((status) => status.resources !== undefined))
    return (container) => amountsOf(container.resources?.requests)
  const isInfeasible = pod.status?.conditions?.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  )
  return (container) => {
    const asked = amountsOf(container.resources?.requests)
    const status = statuses.find(({ name }) => name === container.name)
    if (status?.resources === undefined) return asked
    const amounts = isInfeasible === true ? new Map<string, bigint>() : asked
    raise(amounts, amountsOf(status.resources.requests))
    raise(amounts, amountsOf(status.allocatedResources))
    return amounts
  }
}

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')

const requestsOfSpec = (spec: PodSpec, requestsOf: RequestsOf): Amounts => {
  const main: Amounts = new Map()
  const sidecars: Amounts = new Map()
  const peak: Amounts = new Map()
  for (const container of spec.containers ?? []) add(main, requestsOf(container))
  for (const container of spec.initContainers ?? []) {
    const requests = requestsOf(container)
    if (container.restartPolicy === 'Always') {
      add(main, requests)
      add(sidecars, requests)
      raise(peak, sidecars)
    } else {
      add(requests, sidecars)
      raise(peak, requests)
    }
  }
  raise(main, peak)
  for (const [name, amount] of amountsOf(spec.resources?.requests)) if (isPodLevel(name)) main.set(name, amount)
  add(main, amountsOf(spec.overhead))
  return main
}

const ONE = 1_000_000_000n

/**
 * Returns the resources that a pod uses on its node (`docs/spec/scheduling.md#requests-of-a-pod`). The result includes the overhead and one
 * unit of the resource `pods`. The requests of containers, sidecars and init containers are combined in their order of execution, or
 * replaced by pod-level requests.
 * @throws QuantityError if an amount cannot be parsed.
 */
export const podRequests = (pod: Pod): ReadonlyMap<string, bigint> => {
  const requests = requestsOfSpec(pod.spec, withResize(pod))
  requests.set('pods', (requests.get('pods') ?? 0n) + ONE)
  return requests
}
