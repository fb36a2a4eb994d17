import { type KubeObject, kinds, meansGroup, type NodePool, type PodSpec } from '@kerf/apis'
import type { FieldConversion, KnownByUser, Question, SourceGroup } from '@kerf/provider-contract'
import { CliError } from '@kerf/provider-kit/command-line'
import { stringify } from 'yaml'
import { type InstanceTypesChoice, openTypes } from '../cluster/instance-types.ts'
import { findClusterAutoscaler } from '../doctor/cluster-autoscaler.ts'
import { findControllers } from '../doctor/controllers.ts'
import { ObjectsByKind } from '../doctor/objects-by-kind.ts'
import { findWorkloads } from '../doctor/workload.ts'
import { writtenProblems } from '../manifests/validate-manifests.ts'
import { nodeGroupLabels } from '../node-group-labels.ts'
import { typesOfPools } from '../plan/types-of-pools.ts'
import { vocabularyFor } from '../vocabulary.ts'
import { autoscalerName, readAutoscaler } from './autoscaler/autoscaler-settings.ts'
import { withManagedSettings } from './autoscaler/managed-autoscaler.ts'
import { withNamedSizes } from './autoscaler/named-groups.ts'
import { groupWeights } from './autoscaler/priorities.ts'
import { alikeGroups, askedLabels } from './drafts/merged-pools.ts'
import { selectedGroups as namedInPod } from './drafts/moved-places.ts'
import { draftNodeClasses } from './drafts/node-class-drafts.ts'
import { draftPool, openedPool, type PoolContext, type PoolDraft } from './drafts/node-pool-draft.ts'
import { bufferFor, isPauseWorkload } from './drafts/pause-pods.ts'
import { poolNames } from './drafts/pool-name.ts'
import { workloadCost } from './drafts/workload-cost.ts'
import { workloadMoves } from './drafts/workload-moves.ts'
import { groupsInStatus } from './groups/groups-in-status.ts'
import { keptGroups, selectsGroup } from './groups/kept-groups.ts'
import { decidedSource, ownGroup } from './groups/provider-sources.ts'
import type { Sources } from './groups/read-sources.ts'
import { exportExample } from './groups/source-texts.ts'
import { cloudCommands } from './plan/cloud-commands.ts'
import type { MigrationPlan } from './plan/migration-plan.ts'
import { objectRef, planPhases } from './plan/phases.ts'
import { nodeLabels, planGroups } from './plan/plan-groups.ts'
import { planPage } from './plan/plan-page.ts'

/** The choices of the user. */
export interface DraftOptions extends InstanceTypesChoice {
  readonly outputDir: string
  readonly variant: 'faithful' | 'merged'
  readonly clusterName?: string
  readonly nodeRole?: string
  /** Node groups to keep; `false` to keep none, undefined to detect them. */
  readonly keep?: readonly string[] | false
}

/**
 * Returns the labels that identify a node's group, and a function that returns the group for one of these labels and its value.
 */
const groupNaming = (groups: readonly SourceGroup[], more: readonly string[]) => {
  const keys = new Set([...nodeGroupLabels.map(({ label }) => label), ...more])
  const isCalled = (name: string, value: string): boolean =>
    nodeGroupLabels.some((each) => meansGroup(each, value, name))
  return {
    keys,
    groupNamed: (key: string, value: string): string | undefined =>
      keys.has(key) ? groups.find(({ name }) => isCalled(name, value))?.name : undefined,
  }
}

const toYaml = (objects: readonly object[]): string =>
  objects
    .map((object) => stringify(object, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false }))
    .join('---\n')

/** Everything that `migrate cas` writes. `files` maps file names to texts. */
export interface MigrationFolder {
  readonly plan: MigrationPlan
  readonly conversions: readonly FieldConversion[]
  readonly files: ReadonlyMap<string, string>
}

/** Drafts the migration of the groups. Its only side effect is that it loads instance types. */
export const draftMigration = async (read: Sources, options: DraftOptions, now: number): Promise<MigrationFolder> => {
  const { sources } = read
  const objects = new ObjectsByKind(read.objects)
  const foreign = objects
    .of(kinds.Node)
    .filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === undefined)
  const { autoscaler, conversions: managedConversions } = withManagedSettings(
    findClusterAutoscaler(objects, foreign, now),
    read.managedAutoscaler,
  )
  const cloudProvider = autoscaler?.flags.get('cloud-provider')
  const inStatus = groupsInStatus(autoscaler, read.groups, sources)
  const named = withNamedSizes(
    [...read.groups, ...inStatus.groups],
    autoscaler,
    autoscaler === undefined ? 'Cluster Autoscaler' : autoscalerName(autoscaler),
    sources,
  )
  const { groups } = named
  if (groups.length === 0)
    throw new CliError(
      `there is no node group in it${
        read.conversions.length === 0
          ? ''
          : ` (${read.conversions
              .map(({ object, because }) => `${object}: ${because}`)
              .slice(0, 3)
              .join('; ')})`
      }; give exports such as ${exportExample(sources)}, or the status of Cluster Autoscaler with the nodes`,
    )
  const source = decidedSource(groups, cloudProvider, sources)
  const opened = await openTypes({ instanceTypes: source.provider, ...options }, read.objects)
  const { settings, conversions: flagConversions } = readAutoscaler(autoscaler, sources)
  const all = findWorkloads(read.objects)
  const deployment = objects.of(kinds.Deployment).find((each) => each === autoscaler?.deployment)
  const ownLabels = (group: SourceGroup) => nodeLabels(group, groups)
  const kept = keptGroups({
    groups,
    asked: options.keep,
    autoscalers: [...(deployment === undefined ? [] : [deployment]), ...findControllers(objects)],
    workloads: all,
    objects,
    ownLabels,
  })
  const moving = groups.filter(({ name }) => !kept.because.has(name))
  const workloads = all.filter(({ object }) => object === undefined || object !== deployment)
  const pauses = workloads.filter(isPauseWorkload).map(bufferFor)
  const movable = workloads.filter((workload) => !isPauseWorkload(workload))
  const naming = groupNaming(groups, read.groupLabels)
  const selectedGroups = new Set(movable.flatMap(({ pod }) => namedInPod(pod.spec, naming.groupNamed)))
  const names = poolNames(moving, sources)
  const clusterName = options.clusterName ?? read.clusterName
  const known: KnownByUser = {
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(options.nodeRole === undefined ? {} : { role: options.nodeRole }),
  }
  const classes = draftNodeClasses(moving, names, source, known)
  const { weights, conversions: weightConversions } = groupWeights(
    groups,
    autoscaler,
    read.objects,
    sources,
    clusterName,
  )
  const context: PoolContext = {
    settings,
    weights,
    types: new Map(opened.types.map((type) => [type.name, type])),
    typesSource: opened.regionNote === undefined ? opened.source : `${opened.source} (${opened.regionNote})`,
    groupLabels: naming.keys,
    selectedGroups,
    whyNoLabel: (key) => sources.map((each) => each.whyNoLabel?.(key)).find((why) => why !== undefined),
  }
  const faithful = moving.map((group) =>
    draftPool(names.get(group.name) ?? group.name, [group], classes.classRef(group.name), context),
  )
  const merged = alikeGroups(moving, askedLabels(movable), (group) => classes.classRef(group).name, selectedGroups).map(
    (own) =>
      draftPool(
        own
          .map(({ name }) => names.get(name) ?? name)
          .join('-')
          .slice(0, 50)
          .replace(/-+$/, ''),
        own,
        classes.classRef(own[0]?.name ?? ''),
        context,
      ),
  )
  const drafts: readonly PoolDraft[] = options.variant === 'merged' ? merged : faithful
  const pools = drafts.map(({ pool }) => pool)
  const poolByGroup = new Map(
    drafts.flatMap(({ pool, groups: own }) => own.map(({ name }) => [name, pool.metadata.name] as const)),
  )
  const { typesOf, lists } = typesOfPools([...classes.classes, ...pools], opened)
  const vocabulary = vocabularyFor([...classes.classes, ...pools], ...lists)
  const moved = workloadMoves(movable, {
    pools,
    typesOf: (pool: NodePool) => typesOf(pool),
    vocabulary,
    groupNamed: naming.groupNamed,
    groupLabels: naming.keys,
    capacityLabels: new Map(sources.flatMap(({ capacityLabels }) => Object.entries(capacityLabels))),
    poolByGroup,
    keptFor: (spec: PodSpec) =>
      groups.find((group) => kept.because.has(group.name) && selectsGroup(spec, group, ownLabels(group)))?.name,
    objects,
    movingCost: workloadCost(pools, (pool) => typesOf(pool)),
  })
  const inPlan = planGroups(groups, poolByGroup, kept.because, ownLabels)
  const account = source.accountNeeds?.(
    moving.map((group) => ownGroup(group, source)),
    known,
  )
  const buffers: readonly KubeObject[] = pauses.flatMap(({ buffer }) => buffer)
  const others = options.variant === 'merged' ? faithful : merged
  const written = [...classes.classes, ...pools, ...moved.budgets, ...buffers]
  // Also check the pools without their taint, and the pools of the variant (merged or faithful) that the user did not choose. They mostly
  // have the same problems, and the map below removes duplicates.
  const more = [...drafts.map(openedPool), ...others.map(({ pool }) => pool)]
  const problems = [...writtenProblems(written, vocabulary), ...writtenProblems(more, vocabulary)]
  const invalid = new Map(
    problems.map(({ object, message }) => [
      `${object} ${message}`,
      { object, message: `an API server refuses it: ${message}` },
    ]),
  )
  const questions: readonly Question[] = [
    ...read.questions,
    ...inStatus.questions,
    ...named.questions,
    ...classes.questions,
    ...(account?.questions ?? []),
    ...drafts.flatMap((draft) => draft.questions),
    ...moved.questions,
    ...invalid.values(),
  ]
  const conversions: readonly FieldConversion[] = [
    ...read.conversions,
    ...read.groupConversions,
    ...inStatus.conversions,
    ...kept.conversions,
    ...flagConversions,
    ...managedConversions,
    ...named.conversions,
    ...weightConversions,
    ...classes.conversions,
    ...drafts.flatMap((draft) => draft.conversions),
    ...moved.conversions,
    ...pauses.map(({ conversion }) => conversion),
  ]
  const autoscalerRef = deployment === undefined ? undefined : objectRef(deployment)
  const plan: MigrationPlan = {
    version: 1,
    variant: options.variant,
    autoscaler: {
      ...(autoscalerRef === undefined ? {} : { deployment: autoscalerRef }),
      flags: Object.fromEntries(autoscaler?.flags ?? []),
    },
    ...inPlan,
    questions,
    phases: planPhases({
      hasBudgets: moved.budgets.length > 0,
      hasBuffers: buffers.length > 0,
      moves: moved.moves,
      pauses,
      ...inPlan,
      autoscaler: autoscalerRef,
      folder: options.outputDir,
      cloud: cloudCommands(groups, sources, clusterName),
      ...(account === undefined ? {} : { account: account.work }),
    }),
  }
  const files = new Map<string, string>([
    ['nodeclasses.yaml', toYaml(classes.classes)],
    ['nodepools.yaml', toYaml(pools)],
    ['nodepools-open.yaml', toYaml(drafts.map(openedPool))],
    [`nodepools-${options.variant === 'merged' ? 'faithful' : 'merged'}.yaml`, toYaml(others.map(({ pool }) => pool))],
    ...(moved.budgets.length === 0 ? [] : [['budgets.yaml', toYaml(moved.budgets)] as const]),
    ...(buffers.length === 0 ? [] : [['buffers.yaml', toYaml(buffers)] as const]),
    ...moved.moves.map(
      ({ object, workload, patch }) =>
        [
          `patches/${workload.namespace}-${object.kind.toLowerCase()}-${workload.name}.yaml`,
          toYaml([
            {
              apiVersion: object.apiVersion,
              kind: object.kind,
              metadata: { name: workload.name, namespace: workload.namespace },
              ...patch,
            },
          ]),
        ] as const,
    ),
    ['plan.yaml', stringify(plan, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })],
    ['report.json', `${JSON.stringify({ fates: conversions, questions }, null, 2)}\n`],
    // The initial objects of a rehearsal. Secrets are left out.
    ['cluster.yaml', toYaml(read.objects.filter(({ kind }) => kind !== 'Secret'))],
    ...(account?.files ?? []),
    ['README.md', planPage(plan, conversions)],
  ])
  return { plan, conversions, files }
}
