import {
  coreVocabulary,
  formatDuration,
  type KubeObject,
  labels,
  type NodePool,
  ownValue,
  type Taint,
  toNumber,
  tryParseQuantity,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { FieldConversion, Question, SourceGroup } from '@kerf/provider-contract'
import { fieldConversion, type GroupOptions, groupOptions, labelProblem } from '@kerf/provider-kit/migration'
import type { AutoscalerSettings } from '../autoscaler/autoscaler-settings.ts'
import type { NodeClassRef } from './node-class-drafts.ts'
import { GROUP_LABEL, SIDE_LABEL, SIDE_TAINT } from './side.ts'

type Requirement = NonNullable<NodePool['spec']['template']['spec']['requirements']>[number]

export interface PoolDraft {
  readonly pool: NodePool
  /** The groups that the NodePool replaces. */
  readonly groups: readonly SourceGroup[]
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

export interface PoolContext {
  readonly settings: AutoscalerSettings
  /** Weights by group name. Groups without a priority have no entry. */
  readonly weights: ReadonlyMap<string, number>
  /** Every instance type that can be launched, by name. */
  readonly types: ReadonlyMap<string, InstanceType>
  readonly typesSource: string
  /**
   * Labels that identify a node's group. NodePools do not set them, because Cluster Autoscaler treats nodes with these labels
   * as its own.
   */
  readonly groupLabels: ReadonlySet<string>
  /** Groups that workloads select by one of `groupLabels`. The NodePools for these groups get a label that identifies them. */
  readonly selectedGroups: ReadonlySet<string>
  /** Returns why a cloud forbids a label on a NodePool. Returns undefined if it allows the label. */
  readonly whyNoLabel: (key: string) => string | undefined
}

/**
 * Returns the smallest instance types whose capacity is at least that of the template's node, less 10%. Used for templates whose instance
 * types are all unknown.
 */
const asLarge = ({ allocatable }: SourceGroup, types: Iterable<InstanceType>): readonly string[] => {
  const cpu = amountIn(allocatable, 'cpu')
  const memory = amountIn(allocatable, 'memory')
  if (cpu === undefined || memory === undefined) return []
  const fitting = [...types].filter((type) => cpuMillis(type) >= cpu * 900 && memoryBytes(type) >= memory * 0.9)
  const smallest = fitting.toSorted((a, b) => cpuMillis(a) - cpuMillis(b) || memoryBytes(a) - memoryBytes(b))[0]
  if (smallest === undefined) return []
  return fitting
    .filter((type) => cpuMillis(type) === cpuMillis(smallest) && memoryBytes(type) === memoryBytes(smallest))
    .map(({ name }) => name)
}

const amount = (type: InstanceType, resource: string): number => {
  const found = ownValue(type.capacity, resource)
  return found === undefined ? 0 : toNumber(found)
}
const cpuMillis = (type: InstanceType): number => amount(type, 'cpu') * 1000
const memoryBytes = (type: InstanceType): number => amount(type, 'memory')

const amountIn = (list: SourceGroup['allocatable'], resource: string): number | undefined => {
  const found = tryParseQuantity(ownValue(list, resource))
  return found === undefined ? undefined : toNumber(found)
}

interface ChosenTypes {
  readonly names: readonly string[]
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

const typesFor = (group: SourceGroup, { types, typesSource }: PoolContext): ChosenTypes => {
  const object = `node group ${group.name}`
  const known = group.instanceTypes.filter((name) => types.has(name))
  const gone = group.instanceTypes.filter((name) => !types.has(name))
  const conversions = gone.map((name) =>
    fieldConversion(object, `instance type ${name}`, { because: `${typesSource} has no such type` }),
  )
  if (known.length > 0) return { names: known, conversions, questions: [] }
  if (group.attributes !== undefined)
    return {
      names: [],
      conversions,
      questions: [
        {
          object,
          message: `its instance types are chosen by attributes (${group.attributes.text}): look at the requirements of its NodePool, and add what is missing`,
        },
      ],
    }
  const large = asLarge(group, types.values())
  if (large.length > 0)
    return {
      names: large,
      conversions: [
        ...conversions,
        fieldConversion(object, 'size of its nodes', {
          to: 'NodePool requirement node.kubernetes.io/instance-type',
          because: `types with at least as much CPU and memory: ${large.join(', ')}`,
        }),
      ],
      questions: [],
    }
  return {
    names: [],
    conversions,
    questions: [
      { object, message: 'none of its instance types can be launched: write requirements into its NodePool' },
    ],
  }
}

/** Returns why the NodePool does not get a label of the group. Returns undefined if it gets the label. */
const whyNoLabel = (key: string, value: string, context: PoolContext): string | undefined => {
  const problem = labelProblem(key, value)
  if (problem !== undefined) return problem
  if (context.groupLabels.has(key))
    return 'it names the group: Cluster Autoscaler and other tools would treat nodes with this label as part of the group'
  if (coreVocabulary.isRestricted(key)) return 'only Karpenter sets labels of this domain'
  return context.whyNoLabel(key)
}

const totalCapacity = (
  names: readonly string[],
  count: number,
  { types }: PoolContext,
): { readonly cpu?: string; readonly memory?: string } => {
  const found = names.flatMap((name) => types.get(name) ?? [])
  if (found.length === 0) return {}
  const cpu = Math.max(...found.map(cpuMillis)) * count
  const memory = Math.max(...found.map(memoryBytes)) * count
  return { cpu: String(Math.ceil(cpu / 1000)), memory: `${Math.ceil(memory / 2 ** 20)}Mi` }
}

const poolDisruption = (
  groups: readonly SourceGroup[],
  settings: AutoscalerSettings,
): NonNullable<NodePool['spec']['disruption']> => {
  // If several groups become one NodePool, the most conservative setting applies.
  const most = (read: (options: GroupOptions) => number | undefined, otherwise: number): number =>
    Math.max(...groups.map(({ options }) => read(groupOptions(options)) ?? otherwise))
  const unneeded = most(({ unneededTime }) => unneededTime, settings.unneededTime)
  const threshold = most(({ utilizationThreshold }) => utilizationThreshold, settings.utilizationThreshold)
  const update = groups.map(({ maxUnavailable }) => maxUnavailable).find((each) => each !== undefined)
  return {
    consolidateAfter: formatDuration(Math.max(unneeded, settings.delayAfterAdd)),
    consolidationPolicy: threshold === 0 ? 'WhenEmpty' : 'WhenEmptyOrUnderutilized',
    budgets: settings.isScaleDownEnabled
      ? [
          { nodes: String(settings.emptyAtOnce), reasons: ['Empty'] },
          { nodes: String(settings.drainedAtOnce), reasons: ['Underutilized'] },
          { nodes: update ?? String(settings.drainedAtOnce), reasons: ['Drifted'] },
        ]
      : [
          { nodes: '0', reasons: ['Empty', 'Underutilized'] },
          { nodes: update ?? '1', reasons: ['Drifted'] },
        ],
  }
}

const unique = <T>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]

const requirement = (key: string, values: readonly string[]): readonly Requirement[] =>
  values.length === 0 ? [] : [{ key, operator: 'In', values: [...values].sort() }]

/** Drafts one NodePool that replaces the groups. Labels that differ between the groups are left out. */
export const draftPool = (
  name: string,
  groups: readonly SourceGroup[],
  nodeClassRef: NodeClassRef,
  context: PoolContext,
): PoolDraft => {
  const { settings } = context
  const conversions: FieldConversion[] = []
  const questions: Question[] = []
  const names: string[] = []
  for (const group of groups) {
    const chosen = typesFor(group, context)
    names.push(...chosen.names)
    conversions.push(...chosen.conversions)
    questions.push(...chosen.questions)
  }
  const [first] = groups
  const shared = Object.entries(first?.labels ?? {}).filter(([key, value]) =>
    groups.every(({ labels: own }) => ownValue(own, key) === value),
  )
  const kept = shared.filter(([key, value]) => whyNoLabel(key, value, context) === undefined)
  for (const group of groups)
    for (const [key, value] of Object.entries(group.labels)) {
      const why =
        whyNoLabel(key, value, context) ??
        (shared.some(([each]) => each === key) ? undefined : 'the merged groups have different values')
      if (why !== undefined)
        conversions.push(fieldConversion(`node group ${group.name}`, `label ${key}`, { because: why }))
    }
  const startup = unique<Taint>([
    ...groups.flatMap(({ startupTaints }) => startupTaints),
    ...groups.flatMap(({ taints }) => taints.filter(({ key }) => settings.startupTaints.includes(key))),
  ])
  const taints = unique(groups.flatMap((group) => group.taints)).filter(
    ({ key }) => !settings.startupTaints.includes(key),
  )
  const count = groups.reduce((sum, { max }) => sum + max, 0)
  const weights = groups.flatMap((group) => context.weights.get(group.name) ?? [])
  const lifetimes = groups.flatMap(({ options }) => options['maxInstanceLifetime'] ?? [])
  const isWindows = groups.some((group) => group.isWindows === true)
  const own = groups.some((group) => context.selectedGroups.has(group.name)) ? { [GROUP_LABEL]: name } : {}
  const pool: NodePool = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        metadata: {
          labels: { ...Object.fromEntries(kept), [SIDE_LABEL.key]: SIDE_LABEL.value, ...own },
          annotations: { 'k8s.io/cluster-autoscaler-enabled': 'false' },
        },
        spec: {
          nodeClassRef,
          requirements: [
            ...requirement(labels.instanceType, [...new Set(names)]),
            ...(names.length === 0 ? groups.flatMap(({ attributes }) => attributes?.requirements ?? []) : []),
            ...requirement(labels.capacityType, [...new Set(groups.flatMap(({ capacityTypes }) => capacityTypes))]),
            ...(groups.every(({ zones }) => zones.length > 0)
              ? requirement(labels.zone, [...new Set(groups.flatMap(({ zones }) => zones))])
              : []),
            ...requirement(labels.os, [isWindows ? 'windows' : 'linux']),
          ],
          taints: [...taints, SIDE_TAINT],
          ...(startup.length === 0 ? {} : { startupTaints: [...startup] }),
          expireAfter: lifetimes[0] ?? 'Never',
        },
      },
      disruption: poolDisruption(groups, settings),
      limits: { nodes: String(count), ...totalCapacity(names, count, context) },
      ...(weights.length === 0 ? {} : { weight: Math.max(...weights) }),
    },
  }
  return { pool, groups, conversions, questions }
}

/** Returns the NodePool without the taint that repels workloads that were not moved. */
export const openedPool = ({ pool }: PoolDraft): KubeObject => {
  const { taints = [], ...spec } = pool.spec.template.spec
  const others = taints.filter(({ key }) => key !== SIDE_TAINT.key)
  const opened: NodePool = {
    ...pool,
    metadata: { name: `${pool.metadata.name}-open` },
    spec: {
      ...pool.spec,
      template: { ...pool.spec.template, spec: { ...spec, ...(others.length === 0 ? {} : { taints: others }) } },
    },
  }
  return opened
}
