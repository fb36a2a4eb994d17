import type { Container, ContainerStatus, Pod, ResourceList } from '@kerf/apis'
import { amountOf, CPU, MEMORY, type ResourceNames } from './quantities.ts'

/** What a pod takes of its node. */
export interface PodRequests {
  /** By resource index. */
  readonly amounts: readonly number[]
  /** CPU and memory with a small default for containers that ask for none; only scoring looks at them. */
  readonly scoringCpu: number
  readonly scoringMemory: number
}

const DEFAULT_CPU = 100
const DEFAULT_MEMORY = 200 * 1024 * 1024

const add = (to: number[], amounts: readonly number[]): void => {
  while (to.length < amounts.length) to.push(0)
  for (let index = 0; index < amounts.length; index++) to[index] = (to[index] ?? 0) + (amounts[index] ?? 0)
}

const raise = (to: number[], amounts: readonly number[]): void => {
  while (to.length < amounts.length) to.push(0)
  for (let index = 0; index < amounts.length; index++) to[index] = Math.max(to[index] ?? 0, amounts[index] ?? 0)
}

/** While a resize is under way a container counts with the larger of what it has and what it wants. */
const containerAmounts = (
  names: ResourceNames,
  container: Container,
  status: ContainerStatus | undefined,
  infeasible: boolean,
): number[] => {
  const wanted = names.vector(container.resources?.requests)
  if (status?.resources === undefined) return wanted
  const actual = names.vector(status.resources.requests)
  raise(actual, names.vector(status.allocatedResources))
  if (!infeasible) raise(actual, wanted)
  return actual
}

const POD_LEVEL = /^(cpu|memory|hugepages-.*)$/

/**
 * The requests of a pod: main containers and sidecars together, or the most that any moment of the initialisation
 * takes, whichever is larger; pod-level values replace that; overhead comes on top
 * (`docs/spec/scheduling.md#requests-of-a-pod`).
 */
export const podRequests = (names: ResourceNames, pod: Pod): PodRequests => {
  const infeasible =
    pod.status?.conditions?.some((c) => c.type === 'PodResizePending' && c.reason === 'Infeasible') ?? false
  const statuses = new Map<string, ContainerStatus>()
  for (const status of pod.status?.containerStatuses ?? []) {
    if (status.resources !== undefined) statuses.set(status.name, status)
  }
  for (const status of pod.status?.initContainerStatuses ?? []) {
    if (status.resources !== undefined) statuses.set(status.name, status)
  }
  const main: number[] = [0, 0]
  let scoringCpu = 0
  let scoringMemory = 0
  const score = (requests: ResourceList | undefined): void => {
    scoringCpu += requests?.cpu === undefined ? DEFAULT_CPU : amountOf('cpu', requests.cpu)
    scoringMemory += requests?.memory === undefined ? DEFAULT_MEMORY : amountOf('memory', requests.memory)
  }
  for (const container of pod.spec.containers) {
    add(main, containerAmounts(names, container, statuses.get(container.name), infeasible))
    score(container.resources?.requests)
  }
  const sidecars: number[] = [0, 0]
  const most: number[] = [0, 0]
  for (const container of pod.spec.initContainers ?? []) {
    const use = containerAmounts(names, container, statuses.get(container.name), infeasible)
    if (container.restartPolicy === 'Always') {
      add(main, use)
      add(sidecars, use)
      score(container.resources?.requests)
      raise(most, sidecars)
    } else {
      add(use, sidecars)
      raise(most, use)
    }
  }
  raise(main, most)
  const podLevel = pod.spec.resources?.requests
  for (const name in podLevel) {
    const quantity = podLevel[name]
    if (quantity === undefined || !POD_LEVEL.test(name)) continue
    const index = names.indexOf(name)
    while (main.length <= index) main.push(0)
    main[index] = amountOf(name, quantity)
  }
  add(main, names.vector(pod.spec.overhead))
  return {
    amounts: main,
    scoringCpu: Math.max(scoringCpu, main[CPU] ?? 0),
    scoringMemory: Math.max(scoringMemory, main[MEMORY] ?? 0),
  }
}
