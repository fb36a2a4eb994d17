import { type Deployment, kinds, type Node, ownValue, type PodSpec } from '@kerf/apis'
import { isOfGroup } from '@kerf/controllers'
import type { FieldConversion, SourceGroup } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { nearest } from '@kerf/runtime'
import type { ObjectsByKind } from '../../doctor/objects-by-kind.ts'
import { nameOfWorkload, type Workload } from '../../doctor/workload.ts'
import { nodeGroupLabels } from '../../node-group-labels.ts'

/** The node groups that the migration does not change, with the reasons. */
export interface KeptGroups {
  /** Why each group is kept, by group name. */
  readonly because: ReadonlyMap<string, string>
  readonly conversions: readonly FieldConversion[]
}

export interface KeepContext {
  readonly groups: readonly SourceGroup[]
  /** Groups that the user named; `false` to keep none, undefined to detect them. */
  readonly asked: readonly string[] | false | undefined
  /** The Deployments of Cluster Autoscaler and of all Karpenter implementations. */
  readonly autoscalers: readonly Deployment[]
  readonly workloads: readonly Workload[]
  readonly objects: ObjectsByKind
  /** Returns the labels that only the nodes of this group have. */
  readonly ownLabels: (group: SourceGroup) => Readonly<Record<string, string>>
}

const hasAll = (own: Readonly<Record<string, string>> | undefined, asked: Readonly<Record<string, string>>): boolean =>
  Object.entries(asked).every(([key, value]) => ownValue(own, key) === value)

/** Returns whether nodes of the group have every label in the pod's node selector. A pod without a node selector matches every group. */
export const selectsGroup = (
  { nodeSelector = {} }: PodSpec,
  group: SourceGroup,
  own: Readonly<Record<string, string>>,
): boolean => hasAll({ ...group.labels, ...own }, nodeSelector)

const groupOfNode = (node: Node, { groups, ownLabels }: KeepContext): SourceGroup | undefined =>
  groups.find((group) => {
    const own = ownLabels(group)
    return (
      (Object.keys(own).length > 0 && hasAll(node.metadata.labels, own)) ||
      [group.name, ...(group.scalingGroups ?? [])].some((name) => isOfGroup(node, name, nodeGroupLabels))
    )
  })

/**
 * Returns the groups on whose nodes the pods of an autoscaler run. If the nodes are unknown, returns the group that matches the
 * autoscaler's node selector, provided that it is the only one.
 */
const groupsOfAutoscaler = (workload: Workload, context: KeepContext): readonly SourceGroup[] => {
  const nodes = new Map(context.objects.of(kinds.Node).map((node) => [node.metadata.name, node]))
  const there = workload.pods.flatMap(({ spec }) => {
    const node = nodes.get(spec.nodeName ?? '')
    return node === undefined ? [] : (groupOfNode(node, context) ?? [])
  })
  if (there.length > 0) return [...new Set(there)]
  if (Object.keys(workload.pod.spec.nodeSelector ?? {}).length === 0) return []
  const possible = context.groups.filter((group) => selectsGroup(workload.pod.spec, group, context.ownLabels(group)))
  return possible.length === 1 ? possible : []
}

const asAsked = (names: readonly string[], groups: readonly SourceGroup[]): ReadonlyMap<string, string> => {
  const known = groups.map(({ name }) => name)
  for (const name of names)
    if (!known.includes(name)) {
      const meant = nearest(name, known)
      throw new UsageError(
        `--keep ${name}: there is no such node group${meant === undefined ? '' : `; did you mean ${meant}?`} (${known.join(', ')})`,
      )
    }
  if (known.every((name) => names.includes(name)))
    throw new UsageError('--keep names every node group, so that nothing is left to migrate')
  return new Map([...fixedGroups(groups), ...names.map((name) => [name, 'you named it with --keep'] as const)])
}

/** Returns the groups that must be kept according to their provider, each with the reason. */
const fixedGroups = (groups: readonly SourceGroup[]): readonly (readonly [string, string])[] =>
  groups.flatMap(({ name, keptBecause }) => (keptBecause === undefined ? [] : [[name, keptBecause] as const]))

/** Returns the groups on which the autoscalers run, if pods, nodes or node selectors show that. */
const asFound = (context: KeepContext): KeptGroups => {
  const because = new Map(fixedGroups(context.groups))
  const conversions: FieldConversion[] = []
  for (const { metadata } of context.autoscalers) {
    const { name, namespace = 'default' } = metadata
    const workload = context.workloads.find(
      (each) => each.kind === 'Deployment' && each.namespace === namespace && each.name === name,
    )
    if (workload === undefined) continue
    const found = groupsOfAutoscaler(workload, context)
    if (found.length === 0)
      conversions.push(
        fieldConversion(nameOfWorkload(workload), 'node group', {
          because:
            'nothing shows on which node group its pods run (give nodes and pods too), so none is kept for it: name it with --keep GROUP',
        }),
      )
    for (const group of found)
      because.set(
        group.name,
        [because.get(group.name), `${nameOfWorkload(workload)} runs there`].filter(Boolean).join(', '),
      )
  }
  if (because.size === 0 || because.size < context.groups.length) return { because, conversions }
  return {
    because: new Map(),
    conversions: Array.from(because, ([name, why]) =>
      fieldConversion(`node group ${name}`, 'node group', {
        because: `it is not kept although ${why}: no other node group would be left. Give the autoscalers a fixed group of their own first`,
      }),
    ),
  }
}

/**
 * Returns the groups to keep: the groups that the user named, otherwise the groups on which the autoscalers run. A controller that
 * drained its own node would stop in the middle of its work (`docs/spec/coexistence.md#where-the-controller-runs`).
 *
 * @throws UsageError if a name is not a group, or if no group is left to migrate
 */
export const keptGroups = (context: KeepContext): KeptGroups => {
  if (context.asked === false) return { because: new Map(), conversions: [] }
  const kept =
    context.asked === undefined
      ? asFound(context)
      : { because: asAsked(context.asked, context.groups), conversions: [] }
  return {
    because: kept.because,
    conversions: [
      ...kept.conversions,
      ...Array.from(kept.because, ([name, why]) =>
        fieldConversion(`node group ${name}`, 'node group', { because: `it is kept: ${why}` }),
      ),
    ],
  }
}
