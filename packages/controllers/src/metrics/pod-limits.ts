import { type Container, type Pod, parseQuantity, type ResourceList } from '@kerf/apis'

type Amounts = Map<string, bigint>

const readAmounts = (list: ResourceList | undefined): Amounts => {
  const amounts: Amounts = new Map()
  for (const name in list) amounts.set(name, parseQuantity(list[name] ?? 0))
  return amounts
}

const add = (to: Amounts, list: ReadonlyMap<string, bigint>): void => {
  for (const [name, amount] of list) to.set(name, (to.get(name) ?? 0n) + amount)
}

const raise = (to: Amounts, list: ReadonlyMap<string, bigint>): void => {
  for (const [name, amount] of list) if (amount > (to.get(name) ?? 0n)) to.set(name, amount)
}

const containerLimits = (container: Container): Amounts => readAmounts(container.resources?.limits)

/**
 * Returns the pod's limits, by the same rules as its requests (`docs/spec/scheduling.md#requests-of-a-pod`). Adds the overhead only
 * if the pod has limits.
 */
export const podLimits = (pod: Pod): ReadonlyMap<string, bigint> => {
  const { spec } = pod
  const main: Amounts = new Map()
  const sidecars: Amounts = new Map()
  const peak: Amounts = new Map()
  for (const container of spec.containers) add(main, containerLimits(container))
  for (const container of spec.initContainers ?? []) {
    const limits = containerLimits(container)
    if (container.restartPolicy === 'Always') {
      add(main, limits)
      add(sidecars, limits)
      raise(peak, sidecars)
    } else {
      add(limits, sidecars)
      raise(peak, limits)
    }
  }
  raise(main, peak)
  for (const [name, amount] of readAmounts(spec.resources?.limits)) main.set(name, amount)
  for (const [name, amount] of readAmounts(spec.overhead)) {
    const limit = main.get(name) ?? 0n
    if (limit > 0n) main.set(name, limit + amount)
  }
  return main
}
