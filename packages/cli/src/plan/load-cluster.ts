import { groupVersion, kinds, type Milliseconds, type NodePool } from '@kerf/apis'
import {
  type PlannedBuffers,
  planBuffers,
  planExpectedPods,
  podOwnerKinds,
  type SleepingPools,
} from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { UsageError } from '@kerf/provider-kit/command-line'
import { SystemClock } from '@kerf/runtime'
import { withInferredTypes } from '../cluster/inferred-provider.ts'
import { type InstanceTypesChoice, openTypes } from '../cluster/instance-types.ts'
import type { OpenedTypes } from '../cluster/opened-types.ts'
import { otherProvider } from '../cluster/other-provider.ts'
import { type FileChoice, readsFiles } from '../manifests/file-options.ts'
import { buildKustomization } from '../manifests/kustomize.ts'
import { lastApplied } from '../manifests/last-applied.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { type Validation, validateManifests } from '../manifests/validate-manifests.ts'
import { counted } from '../terminal/amounts.ts'
import { untoldLabels, vocabularyFor } from '../vocabulary.ts'
import type { ReplicaChoice } from '../workloads/desired-pods.ts'
import { expandWorkloads } from '../workloads/expand-workloads.ts'
import { gatedPods, nothingPlanned, withoutPool } from '../workloads/nothing-planned.ts'
import { buildSnapshot, type InstanceTypesOf, type LoadedCluster } from './load-snapshot.ts'
import { forbiddenPolicies, isPolicy, policyNotes } from './policy-notes.ts'
import { withSleepAt } from './sleeping-snapshot.ts'
import { suggestedPools } from './suggested-pools.ts'
import { type TypesOfPools, typesOfPools } from './types-of-pools.ts'

/** The source from which a read-only command reads the cluster. */
export interface ClusterSource extends InstanceTypesChoice, FileChoice {
  /** The value of `--replicas`; the default is `current`. */
  readonly replicas?: ReplicaChoice
  readonly kubeconfig?: string
  readonly context?: string
  /** Further resource kinds to read from a live cluster, for commands that need more than a plan, for example `apps/v1/Deployment`. */
  readonly alsoRead?: ReadonlySet<string>
  /** `on`: the pending pods include the pods that owners in a live cluster still have to create. Default `off`. */
  readonly planExpectedPods?: 'off' | 'on'
  /** Whether to suggest NodePools for a cluster that has none. */
  readonly suggestPools?: boolean
  /** The value of `--ignore-dra-requests`; the default is `true`, as for `kerf run`. */
  readonly ignoreDraRequests?: boolean
  /** The time for which to plan. It decides which NodePools are asleep. The default is the current time. */
  readonly at?: Milliseconds
}

/** A cluster that was read, with notes about how it was read. */
export interface ReadCluster extends LoadedCluster {
  readonly instanceTypes: readonly InstanceType[]
  /** NodePools that Kerf suggests because the cluster has none. */
  readonly suggested: readonly NodePool[]
  /** Returns the instance types that a NodePool may launch. */
  readonly typesOf: InstanceTypesOf
  /** The CapacityBuffers. A command that plans for them must add their pods. */
  readonly buffers: PlannedBuffers
  /** The NodePools whose policy has a `sleep` section, and whether they sleep at the time of the plan. */
  readonly sleep: SleepingPools
  /** Every policy in the files, including those that a later policy with the same name replaces. */
  readonly policyDefinitions: readonly Manifest[]
  /** The instance types, with their provider. */
  readonly opened: OpenedTypes
  /** Notes for the user, one line each. */
  readonly notes: readonly string[]
  /** The error to throw if the files contain no pods to plan. It lists what the files contain instead. */
  readonly nothing?: UsageError
}

/** Returns the validation settings in the choice of files. */
const validationSettings = ({ validate }: FileChoice): Pick<Validation, 'validate'> =>
  validate === undefined ? {} : { validate }

/** Returns every object in the files. Reports one line for each skipped file and each duplicate object. */
const readFiles = async ({ filename, recursive = false, kustomize = [] }: FileChoice) => {
  const skipped: string[] = []
  const warn = (line: string): unknown => skipped.push(line)
  const manifests = [...(await readManifests(filename, { recursive, skipped: warn, repeated: 'keep' }))]
  for (const directory of kustomize) manifests.push(...(await buildKustomization(directory)))
  const policyDefinitions = manifests.filter(({ object }) => isPolicy(object))
  return { manifests: lastApplied(manifests, warn), policyDefinitions, skipped }
}

const regionNote = ({ regionNote: note }: OpenedTypes): readonly string[] => (note === undefined ? [] : [note])

/** Returns one line that lists what could not be checked. */
const unseen = (parts: readonly string[]): readonly string[] =>
  parts.length === 0 ? [] : [`not checked: ${parts.join(', ')}`]

const untold = ({ options, manifests }: LoadedCluster): readonly string[] =>
  untoldLabels(
    options.vocabulary,
    manifests.map(({ object }) => object),
  )

/**
 * Returns the instance types of each NodePool.
 * @throws UsageError for a NodePool whose provider is not the provider of the instance types
 */
const offeredTypes = (manifests: readonly Manifest[], opened: OpenedTypes): TypesOfPools => {
  const objects = manifests.map(({ object }) => object)
  const other = otherProvider(objects, opened)
  if (other !== undefined) throw other
  return typesOfPools(objects, opened)
}

const openFor = async (
  source: ClusterSource,
  manifests: readonly Manifest[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly opened: OpenedTypes; readonly typesNote?: string }> => {
  const objects = manifests.map(({ object }) => object)
  const { choice, note } = withInferredTypes(source, objects)
  const opened = await openTypes(choice, objects, env)
  return { opened, ...(note === undefined ? {} : { typesNote: note }) }
}

/** Suggests NodePools for a cluster that has none. Files without nodes do not describe a cluster, so nothing is suggested for them. */
const suggestedFor = (source: ClusterSource, manifests: readonly Manifest[], isLive: boolean): readonly NodePool[] => {
  const hasKind = (kind: string): boolean => manifests.some(({ object }) => object.kind === kind)
  const isWanted = source.suggestPools === true && !hasKind('NodePool') && (isLive || hasKind('Node'))
  return isWanted ? suggestedPools(manifests) : []
}

const asManifests = (pools: readonly NodePool[]): readonly Manifest[] =>
  pools.map((object) => ({ object, file: 'suggested', line: 0 }))

const readBuffers = async (
  manifests: readonly Manifest[],
  { ignoreDraRequests = true }: Pick<ClusterSource, 'ignoreDraRequests'>,
): Promise<PlannedBuffers> =>
  await planBuffers(
    manifests.map(({ object }) => object),
    ignoreDraRequests,
    new AbortController().signal,
  )

/** Returns the cluster that the files describe, with the pods that its controllers would create. */
const loadFiles = async (
  source: ClusterSource,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Omit<ReadCluster, 'instanceTypes' | 'sleep'>> => {
  const { manifests: given, policyDefinitions, skipped } = await readFiles(source)
  const { opened, typesNote } = await openFor(source, given, env)
  const vocabulary = vocabularyFor(
    given.map(({ object }) => object),
    opened.types,
  )
  const problems: string[] = []
  const warn = (line: string): unknown => problems.push(line)
  const manifests = validateManifests(given, vocabulary, { ...validationSettings(source), warn })
  const expanded = expandWorkloads(manifests, source.replicas ?? 'current')
  const suggested = suggestedFor(source, expanded.manifests, false)
  const pools = offeredTypes([...manifests, ...asManifests(suggested)], opened)
  const planned = [...expanded.manifests, ...asManifests(suggested)]
  const buffers = await readBuffers(manifests, source)
  const nothing = buffers.pods.length > 0 ? undefined : nothingPlanned(expanded.manifests, expanded.idle)
  const gated = gatedPods(expanded.manifests)
  const loaded = buildSnapshot(planned, pools.typesOf, pools.arePriced)
  return {
    ...loaded,
    opened,
    buffers,
    policyDefinitions,
    suggested,
    typesOf: pools.typesOf,
    ...(nothing === undefined ? {} : { nothing }),
    notes: [
      ...(typesNote === undefined ? [] : [typesNote]),
      ...regionNote(opened),
      ...skipped,
      ...problems,
      ...expanded.notes,
      ...[gated, withoutPool(planned)].filter((note) => note !== undefined),
      ...pools.notes,
      ...policyNotes(loaded, pools.arePriced),
      ...unseen([...expanded.notLookedAt, ...pools.notLookedAt, ...untold(loaded)]),
    ],
  }
}

/** The resource kinds that `planExpectedPods` reads, except Pods. */
const OWNER_KINDS = [...podOwnerKinds.map(({ kind }) => kind), kinds.ResourceQuota].map(
  (kind) => `${groupVersion(kind)}/${kind.kind}`,
)

/** Adds the pods that the owners in a live cluster still have to create, and a note about them. */
const withExpectedPods = (
  loaded: LoadedCluster,
  { planExpectedPods: setting }: ClusterSource,
): { readonly loaded: LoadedCluster; readonly notes: readonly string[] } => {
  if (setting !== 'on') return { loaded, notes: [] }
  const objects = loaded.manifests.map(({ object }) => object)
  const { pods, owners, within } = planExpectedPods(objects, new SystemClock())
  if (pods.length === 0) return { loaded, notes: [] }
  return {
    loaded: { ...loaded, snapshot: within(loaded.snapshot), pending: [...loaded.pending, ...pods] },
    notes: [`includes ${counted(pods.length, 'pod')} that ${counted(owners, 'owner')} still have to create`],
  }
}

/** Loads the cluster from the named files, or the live cluster if there are none. Calls `show` with a line for each slow step. */
export const loadCluster = async (
  source: ClusterSource,
  env: Readonly<Record<string, string | undefined>>,
  show: (line: string) => void,
): Promise<ReadCluster> => {
  const { filename, kubeconfig, context, ignoreDraRequests = true } = source
  const withDevices = <T extends Omit<ReadCluster, 'instanceTypes' | 'sleep'>>(loaded: T) => ({
    ...withSleepAt(loaded, source.at ?? new SystemClock().now()),
    options: { ...loaded.options, ignoreDraRequests },
    instanceTypes: loaded.withPrices(loaded.opened.types),
    typesOf: (pool: NodePool) => loaded.withPrices(loaded.typesOf(pool)),
  })
  if (readsFiles(source)) {
    if (kubeconfig !== undefined || context !== undefined) {
      throw new UsageError('-f reads files and --kubeconfig a live cluster; use only one of them')
    }
    show(`reading ${[...filename, ...(source.kustomize ?? [])].join(', ')}`)
    return withDevices(await loadFiles(source, env))
  }
  show('reading the cluster')
  const { readLiveCluster } = await import('./read-live-cluster.ts')
  const forbidden: string[] = []
  const manifests = await readLiveCluster({
    env,
    ignoreDraRequests,
    onForbidden: (kind) => {
      const problem = forbiddenPolicies(kind)
      if (problem !== undefined) forbidden.push(problem)
    },
    alsoRead: new Set([...(source.alsoRead ?? []), ...(source.planExpectedPods === 'on' ? OWNER_KINDS : [])]),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  })
  const { opened, typesNote } = await openFor(source, manifests, env)
  const suggested = suggestedFor(source, manifests, true)
  const planned = [...manifests, ...asManifests(suggested)]
  const pools = offeredTypes(planned, opened)
  const { loaded, notes } = withExpectedPods(buildSnapshot(planned, pools.typesOf, pools.arePriced), source)
  return withDevices({
    ...loaded,
    opened,
    policyDefinitions: [],
    buffers: await readBuffers(manifests, source),
    suggested,
    typesOf: pools.typesOf,
    notes: [
      ...(typesNote === undefined ? [] : [typesNote]),
      ...regionNote(opened),
      ...notes,
      ...pools.notes,
      ...policyNotes(loaded, pools.arePriced),
      ...unseen([...forbidden, ...pools.notLookedAt, ...untold(loaded)]),
    ],
  })
}
