import type { EquivalenceGroup, EquivalenceGroupRead } from '../model/equivalence-group.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import type { ProblemTopology } from './pod-topology.ts'

/**
 * The third stage of reading a problem: returns the equivalence groups for packing, with their requests as rows and with their topology
 * groups.
 */
export const buildEquivalenceGroups = (
  read: readonly EquivalenceGroupRead[],
  { ofEquivalenceGroups }: Pick<ProblemTopology, 'ofEquivalenceGroups'>,
  table: ResourceTable,
): readonly EquivalenceGroup[] => {
  const rowOf = rowsOnce(table)
  return read.map((group, number): EquivalenceGroup => {
    const topology = ofEquivalenceGroups[number]
    if (topology === undefined) throw new RangeError(`no topology of equivalence group ${number}`)
    const { row, columns } = rowOf(group.requests)
    return {
      id: group.id,
      pod: group.pod,
      demand: group.demand,
      labels: group.labels,
      requests: group.requests,
      row,
      columns,
      ports: group.ports,
      volumes: group.volumes,
      volumeAlternatives: group.volumeAlternatives,
      nodeAlternatives: group.nodeAlternatives,
      devices: group.devices,
      usablePools: group.usablePools,
      preferences: group.preferences,
      terms: group.terms,
      refusal: group.refusal,
      avoidsSettling: group.avoidsSettling,
      counting: topology.counting,
      inverseOwned: topology.inverseOwned,
      demanded: topology.demanded,
      affinity: topology.affinity,
    }
  })
}

type Row = Pick<EquivalenceGroup, 'row' | 'columns'>

/** Returns a function that computes the row of an `Amounts` object once. Equal amounts are mostly the same object. */
const rowsOnce = (table: ResourceTable): ((requests: Amounts) => Row) => {
  const rows = new Map<Amounts, Row>()
  return (requests) => {
    let row = rows.get(requests)
    if (row === undefined) {
      row = { row: table.requestRow(requests), columns: table.columnsOf(requests.keys()) }
      rows.set(requests, row)
    }
    return row
  }
}
