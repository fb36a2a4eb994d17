import { type Pod, type ResourceList, podRequests as requestsOf } from '@kerf/apis'
import { CPU, MEMORY, type ResourceNames, schedulerAmount } from './quantities.ts'

/** The resources that a pod uses on its node. */
export interface PodRequests {
  /** The requested amounts by resource index: CPU in millicores, everything else in whole units, rounded up. */
  readonly amounts: readonly number[]
  /** The pod's CPU and memory, with a small default for each container without requests. Used only for scoring. */
  readonly scoringCpu: number
  readonly scoringMemory: number
}

const DEFAULT_CPU = 100
const DEFAULT_MEMORY = 200 * 1024 * 1024

/** Converts an amount in billionths to `unit`. Rounds up, as kube-scheduler does with the sum of the containers. */
const roundedUp = (billionths: bigint, unit: bigint): number => Number((billionths + unit - 1n) / unit)

/** Returns the pod's requests with kube-scheduler's precision and with its default requests for scoring. */
export const podRequests = (names: ResourceNames, pod: Pod): PodRequests => {
  const amounts = [0, 0]
  for (const [name, amount] of requestsOf(pod)) {
    if (name === 'pods') continue
    const index = names.indexOf(name)
    while (amounts.length <= index) amounts.push(0)
    amounts[index] = roundedUp(amount, name === 'cpu' ? 1_000_000n : 1_000_000_000n)
  }
  let scoringCpu = 0
  let scoringMemory = 0
  const score = (requests: ResourceList | undefined): void => {
    scoringCpu += requests?.['cpu'] === undefined ? DEFAULT_CPU : schedulerAmount('cpu', requests['cpu'])
    scoringMemory += requests?.['memory'] === undefined ? DEFAULT_MEMORY : schedulerAmount('memory', requests['memory'])
  }
  for (const container of pod.spec.containers) score(container.resources?.requests)
  for (const container of pod.spec.initContainers ?? [])
    if (container.restartPolicy === 'Always') score(container.resources?.requests)
  return {
    amounts,
    scoringCpu: Math.max(scoringCpu, amounts[CPU] ?? 0),
    scoringMemory: Math.max(scoringMemory, amounts[MEMORY] ?? 0),
  }
}
