import { type KubeObject, kinds, labels, type Node, type NodePool, ownValue, type Pod } from '@kerf/apis'
import { ClusterForecast, type CommitmentUse } from '@kerf/controllers'
import type { Blocker, ClusterSnapshot, NodeState, ScheduleOptions } from '@kerf/engine'
import type { KnownProvider, NodeRecognition } from '@kerf/provider-contract'
import type { Clock } from '@kerf/runtime'
import type { ClusterChoice } from '../cluster/connect.ts'
import { hasNodeClassFrom } from '../cluster/inferred-provider.ts'
import { type InstanceTypesChoice, openTypes } from '../cluster/instance-types.ts'
import type { OpenedTypes } from '../cluster/opened-types.ts'
import { otherProvider } from '../cluster/other-provider.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { checkFields } from '../manifests/validate-manifests.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'
import { assumedPools } from '../plan/assumed-pools.ts'
import { buildSnapshot } from '../plan/load-snapshot.ts'
import { nodePrices } from '../plan/node-prices.ts'
import { type ObservedCluster, observedDeps } from '../plan/observed-cluster.ts'
import { policyNotes } from '../plan/policy-notes.ts'
import { typesOfPools } from '../plan/types-of-pools.ts'
import { defaultProvider, knownProviderNamed, knownProviders, nodeClassRefTo } from '../providers.ts'
import { counted } from '../terminal/amounts.ts'
import { expandWorkloads } from '../workloads/expand-workloads.ts'
import { type PermittedRead, readPermittedLive } from './cluster-reader.ts'
import { movablePods, type NodeFacts, type NodeOwner, usedShare } from './node-facts.ts'
import { measuredShares } from './node-usage.ts'

/** The source from which a report reads the cluster. */
export interface ReportSource extends InstanceTypesChoice {
  /** Additional cost of each node, in US dollars per hour. */
  readonly nodeOverheadCost?: number
  /** Files and directories. If there are none, the live cluster is read. */
  readonly paths: readonly string[]
  /** The value of `--validate` for files; the default is `warn`. */
  readonly validate?: ValidationMode
  readonly kubeconfig?: string
  readonly context?: string
  /** The only namespace to read. */
  readonly namespace?: string
}

/** A cluster that was read for a report. */
export interface ReportCluster {
  /** The files, or the address of the server. */
  readonly from: string
  readonly snapshot: ClusterSnapshot
  readonly nodes: readonly NodeFacts[]
  readonly waiting: readonly Pod[]
  /** The prepaid commitments of the ClusterPolicy, and the nodes that use them. */
  readonly commitments: readonly CommitmentUse[]
  /** The blockers that the controllers' checks find, keyed by node name. */
  readonly blockers: ReadonlyMap<string, Blocker>
  readonly options: ScheduleOptions
  /** Absent if the instance types of the nodes are unknown. */
  readonly opened?: OpenedTypes
  /** Whether NodePools were assumed because the cluster has none. */
  readonly hasAssumedPools: boolean
  /** False if some pods could not be read. */
  readonly hasAllPods: boolean
  /** Notes about how the cluster was read, one line each. */
  readonly notes: readonly string[]
  /** The checks that were not possible, as phrases for a message. */
  readonly notLookedAt: readonly string[]
}

const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

const isNode = (object: KubeObject): object is Node => object.kind === 'Node' && object.apiVersion === 'v1'
const isPool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

const descriptors = knownProviders

/** Returns the provider of the nodes' instance types, according to provider IDs or the NodePools' node classes. */
const providerOf = (objects: readonly KubeObject[]): KnownProvider | undefined => {
  const ids = objects.filter(isNode).map(({ spec }) => spec?.providerID ?? '')
  const pools = objects.filter(isPool)
  const votes = (provider: KnownProvider): number => {
    const recognition = provider.instanceTypes?.nodes
    return (
      ids.filter((id) => recognition?.isProviderId(id) === true).length +
      pools.filter((pool) => hasNodeClassFrom(pool, provider)).length
    )
  }
  const [best] = descriptors
    .filter(({ instanceTypes }) => instanceTypes !== undefined)
    .map((provider) => ({ provider, count: votes(provider) }))
    .sort((a, b) => b.count - a.count)
  return best === undefined || best.count === 0 ? undefined : best.provider
}

/** Returns the nodes with a label for the capacity type. A node whose capacity type is unknown is assumed to be on-demand. */
const withCapacityType = (
  manifests: readonly Manifest[],
  recognition: NodeRecognition | undefined,
): { readonly manifests: readonly Manifest[]; readonly unsaid: number } => {
  let unsaid = 0
  return {
    manifests: manifests.map((manifest) => {
      const { object } = manifest
      if (!isNode(object) || object.metadata.labels?.[labels.capacityType] !== undefined) return manifest
      const said = recognition?.capacityTypeOf(object.metadata.labels ?? {})
      if (said === undefined) unsaid++
      const own = { ...object.metadata.labels, [labels.capacityType]: said ?? 'on-demand' }
      return { ...manifest, object: { ...object, metadata: { ...object.metadata, labels: own } } }
    }),
    get unsaid() {
      return unsaid
    },
  }
}

const keeperOf = (
  state: NodeState,
  recognition: NodeRecognition | undefined,
): { readonly keeper: NodeOwner; readonly group: string } => {
  const pool = state.nodePool ?? state.labels[labels.nodePool]
  if (pool !== undefined) return { keeper: 'karpenter', group: pool }
  const group = recognition?.groupOf(state.labels)
  return group === undefined ? { keeper: 'by hand', group: '' } : { keeper: 'node group', group }
}

/** Returns why the node is left out of the new plan, or undefined if the plan includes it. */
const leftAlone = (
  node: Omit<NodeFacts, 'leftAlone'>,
  pools: ReadonlyMap<string, NodePool>,
  hasPools: boolean,
): string | undefined => {
  const { state, keeper, group, price } = node
  if (CONTROL_PLANE.some((label) => ownValue(state.labels, label) !== undefined))
    return 'it belongs to the control plane'
  if (price === undefined) return 'its cost is unknown'
  if (state.markedForDeletion) return 'it is being deleted'
  if (!hasPools) return undefined
  if (keeper !== 'karpenter') return 'no NodePool launched it'
  const pool = pools.get(group)
  if (pool === undefined) return `its NodePool ${group} was not read`
  return pool.spec.replicas === undefined ? undefined : `NodePool ${group} has a fixed number of nodes`
}

const lacking = ({ forbidden, inOneNamespace, namespace }: PermittedRead): readonly string[] => [
  ...forbidden.map((plural) => `${plural} (this user cannot list them)`),
  ...(inOneNamespace.length === 0
    ? []
    : [`${inOneNamespace.join(', ')} outside namespace ${namespace} (this user can list them only there)`]),
]

const readSource = async (
  source: ReportSource,
  env: ClusterChoice['env'],
): Promise<
  PermittedRead & { readonly from: string; readonly notes: readonly string[]; readonly unseen: readonly string[] }
> => {
  if (source.paths.length === 0) {
    const { kubeconfig, context } = source
    const read = await readPermittedLive({ env, kubeconfig, context }, source.namespace)
    return { ...read, from: read.manifests[0]?.file ?? 'the cluster', notes: [], unseen: [] }
  }
  const skipped: string[] = []
  const read = await readManifests(source.paths, {
    recursive: true,
    skipped: (line) => skipped.push(line),
    repeated: (line) => skipped.push(line),
  })
  const { validate = 'warn' } = source
  checkFields(read, { validate, warn: (line) => skipped.push(line) })
  const expanded = expandWorkloads(read, 'current')
  return {
    manifests: expanded.manifests,
    forbidden: [],
    inOneNamespace: [],
    namespace: '',
    from: source.paths.join(', '),
    notes: [...skipped, ...expanded.notes],
    unseen: expanded.notLookedAt,
  }
}

const blockersOf = async (loaded: ObservedCluster, clock: Clock): Promise<ReadonlyMap<string, Blocker>> =>
  await new ClusterForecast(observedDeps(loaded, clock)).keepers(new AbortController().signal)

/**
 * Reads a cluster for a report, with the permissions that the user has.
 * @throws UsageError, ManifestError, KerfError
 */
export const loadReportCluster = async (
  source: ReportSource,
  env: ClusterChoice['env'],
  clock: Clock,
): Promise<ReportCluster> => {
  const { nodeOverheadCost = 0 } = source
  const read = await readSource(source, env)
  const given = read.manifests.map(({ object }) => object)
  const provider = providerOf(given)
  const recognition = provider?.instanceTypes?.nodes
  const named = source.instanceTypes ?? provider?.name
  const bought = withCapacityType(read.manifests, recognition)
  const hasPools = given.some(isPool)
  const workers = bought.manifests
    .map(({ object }) => object)
    .filter(isNode)
    .filter(({ metadata }) => CONTROL_PLANE.every((label) => ownValue(metadata.labels, label) === undefined))
  const assumed = hasPools
    ? []
    : assumedPools(
        workers.map(({ metadata, spec }) => ({
          group: recognition?.groupOf(metadata.labels ?? {}) ?? '',
          labels: metadata.labels ?? {},
          taints: spec?.taints ?? [],
        })),
        given.filter((object): object is Pod => object.kind === kinds.Pod.kind),
        { name: 'assumed', nodeClassRef: nodeClassRefTo(knownProviderNamed(defaultProvider), 'assumed') },
      ).map((object) => ({ object, file: 'assumed', line: 0 }))
  const manifests = [...bought.manifests, ...assumed]
  const objects = manifests.map(({ object }) => object)
  const opened = named === undefined ? undefined : await openTypes({ ...source, instanceTypes: named }, objects)
  const other = opened === undefined ? undefined : otherProvider(objects, opened)
  if (other !== undefined) throw other
  const pools = opened === undefined ? undefined : typesOfPools(objects, opened)
  const loaded = buildSnapshot(manifests, pools?.typesOf ?? (() => []), pools?.arePriced)
  const priceOf = nodePrices(loaded.snapshot, loaded.withPrices(opened?.types ?? []), nodeOverheadCost)
  const measuredOf = measuredShares(given)
  const poolsByName = new Map(objects.filter(isPool).map((pool) => [pool.metadata.name, pool]))
  const nodes = loaded.snapshot.nodes
    .filter(({ hasNode }) => hasNode)
    .map((state): NodeFacts => {
      const measured = measuredOf(state)
      const facts = {
        ...(measured === undefined ? {} : { measured }),
        state,
        ...keeperOf(state, recognition),
        price: priceOf(state),
        movable: movablePods(state),
        used: usedShare(state),
      }
      const why = leftAlone(facts, poolsByName, hasPools)
      return why === undefined ? facts : { ...facts, leftAlone: why }
    })
  return {
    from: read.from,
    snapshot: loaded.snapshot,
    nodes,
    waiting: loaded.pending,
    commitments: loaded.commitments?.uses ?? [],
    blockers: await blockersOf({ ...loaded, instanceTypes: opened?.types ?? [] }, clock),
    options: { ...loaded.options, ignoreDraRequests: true, ...(nodeOverheadCost === 0 ? {} : { nodeOverheadCost }) },
    ...(opened === undefined ? {} : { opened }),
    hasAssumedPools: !hasPools && assumed.length > 0,
    hasAllPods: ![...read.forbidden, ...read.inOneNamespace].includes(kinds.Pod.plural),
    notes: [
      ...(opened?.regionNote === undefined ? [] : [opened.regionNote]),
      ...read.notes,
      ...(pools?.notes ?? []),
      ...policyNotes(loaded, pools?.arePriced),
      ...(bought.unsaid === 0
        ? []
        : [
            `${counted(bought.unsaid, 'node')} ${bought.unsaid === 1 ? 'does' : 'do'} not state the capacity type and count as on-demand`,
          ]),
    ],
    notLookedAt: [...lacking(read), ...read.unseen, ...(pools?.notLookedAt ?? [])],
  }
}
