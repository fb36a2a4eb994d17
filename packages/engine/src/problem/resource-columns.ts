import type { Daemon } from '../model/daemon.ts'
import type { EquivalenceGroupRead } from '../model/equivalence-group.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { Template } from '../model/template.ts'
import type { Amounts } from '../resources/amounts.ts'
import { ResourceTable } from '../resources/resource-table.ts'

/**
 * Returns a table with a column for each resource that a pod or a daemon requests. The unit of a column is the largest unit in which all
 * requests and all amounts of nodes and instance types are whole numbers.
 */
export const buildResourceTable = (
  equivalenceGroups: readonly EquivalenceGroupRead[],
  daemons: readonly Daemon[],
  templates: readonly Template[],
  nodes: readonly ExistingNode[],
): ResourceTable => {
  const amounts = new Map<string, Set<bigint>>([
    ['cpu', new Set()],
    ['memory', new Set()],
    ['pods', new Set()],
  ])
  const ask = (requests: Amounts) => {
    for (const [name, amount] of requests) {
      const seen = amounts.get(name)
      if (seen !== undefined) seen.add(amount)
      else if (amount !== 0n) amounts.set(name, new Set([amount]))
    }
  }
  for (const requests of new Set(equivalenceGroups.map((equivalenceGroup) => equivalenceGroup.requests))) ask(requests)
  for (const daemon of daemons) ask(daemon.requests)
  const seen = new Set<Amounts>()
  const offer = (free: Amounts) => {
    if (seen.has(free)) return
    seen.add(free)
    for (const [name, set] of amounts) {
      const amount = free.get(name)
      if (amount !== undefined) set.add(amount)
    }
  }
  for (const { offerings } of templates) for (const { allocatable } of offerings) offer(allocatable)
  for (const { free } of nodes) offer(free)
  return new ResourceTable(amounts)
}
