import { isConditionTrue, labels, type Node, type Quantity, tryParseQuantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { leastResources } from './least.ts'

/** The facts about a MachineDeployment's machines that its Nodes report. */
export interface ObservedMachine {
  /** The smallest amounts of cpu, memory, ephemeral-storage and pods among the Nodes. */
  readonly capacity: Resources
  /** The smallest allocatable amounts. */
  readonly allocatable: Resources
  /** Set if all Nodes agree. */
  readonly architecture: string | undefined
  readonly operatingSystem: string | undefined
  readonly zone: string | undefined
}

/** Resources that every kubelet reports. Other resources depend on device plugins that may not be running yet. */
const OWN = ['cpu', 'memory', 'ephemeral-storage', 'pods'] as const

/**
 * Returns the facts that Nodes report about the machines (`providers/cluster-api/docs/spec/cluster-api.md#capacity-from-nodes`). Returns
 * undefined without a ready Node, because a starting kubelet reports no disk at first.
 */
export const observedMachine = (nodes: readonly Node[]): ObservedMachine | undefined => {
  const ready = nodes.filter((node) => isConditionTrue(node, 'Ready'))
  if (ready.length === 0) return undefined
  return {
    capacity: leastResources(ready.map(({ status }) => amountsOf(status?.capacity))),
    allocatable: leastResources(ready.map(({ status }) => amountsOf(status?.allocatable))),
    architecture: commonOf(ready.map(({ status }) => status?.nodeInfo?.['architecture'])),
    operatingSystem: commonOf(ready.map(({ status }) => status?.nodeInfo?.['operatingSystem'])),
    zone: commonOf(ready.map(({ metadata }) => metadata.labels?.[labels.zone])),
  }
}

const amountsOf = (texts: Readonly<Record<string, string | number>> | undefined): Resources => {
  const amounts: Record<string, Quantity> = {}
  for (const name of OWN) {
    const amount = tryParseQuantity(texts?.[name])
    if (amount !== undefined && amount > 0n) amounts[name] = amount
  }
  return amounts
}

const commonOf = (texts: readonly (string | undefined)[]): string | undefined =>
  new Set(texts).size === 1 && texts[0] !== '' ? texts[0] : undefined
