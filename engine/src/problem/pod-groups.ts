import type { PodGroup, PodGroupRead } from '../model/pod-group.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import type { ProblemTopology } from './pod-topology.ts'

/** The third stage: pod groups as packing knows them, with their requests as rows and the topology groups they belong to. */
export const podGroupsOf = (
  read: readonly PodGroupRead[],
  { ofPodGroups }: Pick<ProblemTopology, 'ofPodGroups'>,
  table: ResourceTable,
): readonly PodGroup[] =>
  read.map((group, number): PodGroup => {
    const topology = ofPodGroups[number]
    if (topology === undefined) throw new RangeError(`no topology of pod group ${number}`)
    return {
      id: group.id,
      pod: group.pod,
      labels: group.labels,
      requests: group.requests,
      row: table.requestRow(group.requests),
      columns: table.columnsOf(group.requests.keys()),
      ports: group.ports,
      volumes: group.volumes,
      volumeAlternatives: group.volumeAlternatives,
      nodeAlternatives: group.nodeAlternatives,
      devices: group.devices,
      preferences: group.preferences,
      terms: group.terms,
      refusal: group.refusal,
      avoidsSettling: group.avoidsSettling,
      counting: topology.counting,
      inverseOwned: topology.inverseOwned,
      demanded: topology.demanded,
    }
  })
