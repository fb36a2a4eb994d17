import { type NodePool, ownValue, type Pod, podRequests, toNumber, toQuantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { TypesOf } from '../../doctor/serving.ts'
import type { Workload } from '../../doctor/workload.ts'

/** Returns the largest fraction (0 to 1) of any resource of the instance type that the pod requests. */
const podPart = (pod: Pod, type: InstanceType): number => {
  let part = 0
  for (const [name, amount] of podRequests(pod)) {
    const whole = ownValue(type.capacity, name)
    if (whole !== undefined && toNumber(whole) > 0)
      part = Math.max(part, toNumber(toQuantity(amount, 'nano')) / toNumber(whole))
  }
  return part
}

const namesTypes = (pool: NodePool): ReadonlySet<string> | undefined => {
  const found = pool.spec.template.spec.requirements?.find(({ key }) => key === 'node.kubernetes.io/instance-type')
  return found?.values === undefined ? undefined : new Set(found.values)
}

/**
 * Returns a function that returns the hourly cost, in USD, of a workload's pods on the cheapest instance type of its pools. The cost is 0
 * if no price is known.
 */
export const workloadCost =
  (pools: readonly NodePool[], typesOf: TypesOf) =>
  ({ pod, replicas, pods }: Workload, names: readonly string[]): number => {
    const costs = pools
      .filter(({ metadata }) => names.includes(metadata.name))
      .flatMap((pool) => {
        const own = namesTypes(pool)
        return (typesOf(pool) ?? [])
          .filter(({ name }) => own?.has(name) ?? true)
          .flatMap((type) =>
            type.offerings.flatMap(({ price }) => (price === undefined ? [] : [price * podPart(pod, type)])),
          )
      })
    return costs.length === 0 ? 0 : Math.min(...costs) * Math.max(replicas, pods.length)
  }
