import type { FieldConversion, Question, SourceGroup } from '@kerf/provider-contract'
import { fieldConversion } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'
import { groupOfNode } from './node-group.ts'
import { isNamed, type ProviderSource } from './provider-sources.ts'

/** Returns the groups that no document describes, built from Cluster Autoscaler's status and the nodes of the groups. */
export const groupsInStatus = (
  autoscaler: ClusterAutoscaler | undefined,
  described: readonly SourceGroup[],
  sources: readonly ProviderSource[],
): {
  readonly groups: readonly SourceGroup[]
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
} => {
  const groups: SourceGroup[] = []
  const conversions: FieldConversion[] = []
  const questions: Question[] = []
  const describe = groupOfNode(sources)
  for (const { name, size, nodes } of autoscaler?.groups ?? []) {
    if (described.some((group) => isNamed(group, name))) continue
    const [first] = nodes
    const object = `node group ${name}`
    if (first === undefined) {
      conversions.push(
        fieldConversion(object, 'node group', {
          because: 'nothing describes it: there is neither an export nor one of its nodes',
        }),
      )
      questions.push({
        object,
        message: 'give an export of it; Cluster Autoscaler lists it, but nothing describes its nodes',
      })
      continue
    }
    const count = nodes.length
    const group = describe(first as unknown as Readonly<Record<string, unknown>>, {
      ...{ name, origin: 'status and nodes', at: 'the status of Cluster Autoscaler' },
      ...{ min: size?.min ?? 0, max: size?.max ?? count, desired: count },
    })
    const zones = [...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'] ?? []))]
    const types = [
      ...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'] ?? [])),
    ]
    groups.push({ ...group, zones, instanceTypes: types })
    if (size === undefined)
      questions.push({
        object,
        message: `how large may it become? Its ${count} current nodes are the limit of its NodePool`,
      })
  }
  return { groups, conversions, questions }
}
