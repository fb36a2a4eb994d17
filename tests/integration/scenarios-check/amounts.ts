import { type Container, type Pod, parseQuantity, type ResourceList } from '@kerf/apis'

/** Exact amounts in billionths, keyed by resource. */
export type Amounts = Readonly<Record<string, bigint>>

export const parseAmounts = (list: ResourceList | undefined): Amounts =>
  Object.fromEntries(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]))

export const sum = (...lists: readonly Amounts[]): Amounts => {
  const total: Record<string, bigint> = {}
  for (const list of lists)
    for (const [name, amount] of Object.entries(list)) total[name] = (total[name] ?? 0n) + amount
  return total
}

const largest = (a: Amounts, b: Amounts): Amounts => {
  const result: Record<string, bigint> = { ...a }
  for (const [name, amount] of Object.entries(b)) if (amount > (result[name] ?? 0n)) result[name] = amount
  return result
}

export const minus = (a: Amounts, b: Amounts): Amounts =>
  Object.fromEntries(Object.entries(a).map(([name, amount]) => [name, amount - (b[name] ?? 0n)]))

/** Returns the resources whose available amount is too small. */
export const lacking = (wanted: Amounts, available: Amounts): readonly string[] =>
  Object.entries(wanted)
    .filter(([name, amount]) => amount > 0n && amount > (available[name] ?? 0n))
    .map(([name]) => name)

const containerRequests = ({ resources }: Container): Amounts => ({
  ...parseAmounts(resources?.limits),
  ...parseAmounts(resources?.requests),
})

const POD: Amounts = { pods: 1_000_000_000n }

/**
 * Returns the requests that kube-scheduler counts for a pod (Kubernetes documentation, "Init containers" and "Sidecar containers"). For
 * each resource this is the larger of two amounts: containers and sidecars together, or one init container with the sidecars that started
 * before it. The pod's overhead is added. A request at pod level replaces the amount for its resource.
 */
export const podRequests = ({ spec }: Pod): Amounts => {
  let sidecars: Amounts = {}
  let peak: Amounts = {}
  for (const container of spec.initContainers ?? []) {
    const requests = containerRequests(container)
    if (container.restartPolicy === 'Always') {
      sidecars = sum(sidecars, requests)
      peak = largest(peak, sidecars)
    } else {
      peak = largest(peak, sum(sidecars, requests))
    }
  }
  const running = largest(sum(sidecars, ...spec.containers.map(containerRequests)), peak)
  const whole = { ...running, ...parseAmounts(spec.resources?.requests) }
  return sum(whole, parseAmounts(spec.overhead), POD)
}
