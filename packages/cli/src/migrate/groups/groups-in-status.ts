import type { Fate } from '@kerf/provider-contract'
import { fateOf } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'
import { groupOfNode } from './read-kwok-templates.ts'
import type { Question, SourceGroup } from './source-group.ts'

/** Returns the groups that only Cluster Autoscaler's status and their own nodes describe. */
export const groupsInStatus = (
  autoscaler: ClusterAutoscaler | undefined,
  described: readonly SourceGroup[],
): {
  readonly groups: readonly SourceGroup[]
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
} => {
  const groups: SourceGroup[] = []
  const fates: Fate[] = []
  const questions: Question[] = []
  const known = (name: string): boolean =>
    described.some(
      (group) =>
        group.name === name || name.startsWith(`eks-${group.name}-`) || group.scalingGroups?.includes(name) === true,
    )
  for (const { name, size, nodes } of autoscaler?.groups ?? []) {
    if (known(name)) continue
    const [first] = nodes
    const object = `node group ${name}`
    if (first === undefined) {
      fates.push(
        fateOf(object, 'node group', { because: 'nothing describes it: no export, and none of its nodes is there' }),
      )
      questions.push({
        object,
        message: 'give an export of it; Cluster Autoscaler lists it, and nothing says what its nodes are',
      })
      continue
    }
    const count = nodes.length
    const described = groupOfNode(
      name,
      first as unknown as Readonly<Record<string, unknown>>,
      { min: size?.min ?? 0, max: size?.max ?? count, desired: count },
      { origin: 'status and nodes', at: 'the status of Cluster Autoscaler' },
    )
    const zones = [...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'] ?? []))]
    const types = [
      ...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'] ?? [])),
    ]
    groups.push({ ...described, zones, instanceTypes: types })
    if (size === undefined)
      questions.push({
        object,
        message: `how large may it become? Its ${count} nodes of now are the limit of its NodePool`,
      })
  }
  return { groups, fates, questions }
}
