import type { Pod, Taint } from '@kerf/apis'
import { entryAt, outOfRange } from '../column.ts'
import { type ClusterDevices, readClusterDevices } from '../devices/cluster-devices.ts'
import { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { readDaemons } from '../instance-types/daemons.ts'
import { withPrepaidOptions } from '../instance-types/prepaid-types.ts'
import { readTemplates } from '../instance-types/template-reader.ts'
import type { BatchPod, EquivalenceGroup } from '../model/equivalence-group.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { NodeId, TolerationsId } from '../model/ids.ts'
import type { EmptyTemplate, Template } from '../model/template.ts'
import { NodeTable } from '../nodes/node-table.ts'
import { computePoolUse, type PoolUse } from '../nodes/pool-use.ts'
import { byRank, readExistingNode } from '../nodes/read-existing-node.ts'
import { forgetManyForms } from '../pods/pod-form.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { atOnce, NODES_PER_STEP, type Steps } from '../steps.ts'
import type { ClusterCounts } from '../topology/cluster-counts.ts'
import { DefaultSpread } from '../topology/default-spread.ts'
import type { Domains } from '../topology/domains.ts'
import { PodLabelSets } from '../topology/topology-groups.ts'
import { Storage } from '../volumes/storage.ts'
import { buildEquivalenceGroups } from './equivalence-groups.ts'
import { cachedLabelRules } from './label-rules-cache.ts'
import { leavingPods } from './leaving-pods.ts'
import { readTopology } from './pod-topology.ts'
import { PodVariants } from './pod-variants.ts'
import { PoolAccessIndex } from './pool-access-index.ts'
import { avoidsSettlingIn, type ReadPods, readPods } from './read-pods.ts'
import { buildResourceTable } from './resource-columns.ts'
import { RunningPods } from './running-pods.ts'
import { TolerationSets } from './toleration-sets.ts'
import type { TermContext } from './topology-terms.ts'
import { type UnusablePool, usablePools } from './usable-pools.ts'

/**
 * A snapshot and a batch of pods, compiled for packing. It contains everything that does not change while pods are placed, with numbers
 * instead of names. It is immutable, except that its tables and variants cache results.
 */
export interface Problem {
  readonly snapshot: ClusterSnapshot
  readonly options: ScheduleOptions
  readonly rules: LabelRules
  readonly templates: readonly Template[]
  readonly emptyTemplates: readonly EmptyTemplate[]
  readonly unusablePools: readonly UnusablePool[]
  readonly table: ResourceTable
  readonly constraintsTable: ClaimConstraintsTable
  readonly domains: Domains
  /** The number of running pods in all topology groups. */
  readonly clusterCounts: ClusterCounts
  readonly nodes: readonly ExistingNode[]
  readonly nodeTable: NodeTable
  readonly poolUse: PoolUse
  readonly equivalenceGroups: readonly EquivalenceGroup[]
  readonly variants: PodVariants
  readonly pods: readonly BatchPod[]
  /** Pods that run on a node of the snapshot and may have to leave it. Until then, they count on that node. */
  readonly running: RunningPods
  /** For each pod of the batch that an earlier decision placed on a node, the number of this node. */
  readonly plannedNode: ReadonlyMap<BatchPod, NodeId>
  /** The devices of the cluster, if a pod claims devices that must be allocated. */
  readonly devices: ClusterDevices | undefined
  /** Returns whether pods with these tolerations (by number) tolerate the taints of a template or node, and may use its NodePool. */
  admits(tolerations: TolerationsId, taints: readonly Taint[], pool: string | undefined): boolean
}

/**
 * Reads a snapshot and a batch in stages: pools and nodes, then the pods grouped by what they request, then the topology of all pods, and
 * finally the complete equivalence groups. Their content never makes it throw: if an object cannot be planned, the result contains the
 * reasons.
 *
 * Pods of the batch that run on a node are treated as if they had left it, so that they can be placed. The pods of `mayLeave` still count
 * on their nodes, but may have to leave them. Lists of `mayLeave` that are the same objects as in an earlier decision are not read again.
 */
export const buildProblem = (
  snapshot: ClusterSnapshot,
  batch: readonly Pod[],
  options: ScheduleOptions,
  mayLeave: readonly (readonly Pod[])[] = [],
): Problem => atOnce(problemInSteps(snapshot, batch, options, mayLeave))

/** Does the same as `buildProblem` in steps of a few hundred nodes or pods. A small problem takes one step. */
export function* problemInSteps(
  snapshot: ClusterSnapshot,
  batch: readonly Pod[],
  options: ScheduleOptions,
  mayLeave: readonly (readonly Pod[])[],
): Steps<Problem> {
  forgetManyForms()
  const cluster = yield* readCluster(snapshot, batch, options)
  const { rules, templates, emptyTemplates, nodes, daemons } = cluster
  const labelSets = new PodLabelSets()
  const ignoresDevices = options.ignoreDraRequests !== false
  const devices = ignoresDevices ? undefined : readClusterDevices(snapshot, nodes, rules, [batch, ...mayLeave])
  const terms = readTermContext(snapshot, options, rules)
  const access = PoolAccessIndex.of(snapshot)
  const read = yield* readPods(
    batch,
    mayLeave,
    nodeNumbers(nodes),
    avoidsSettlingIn(snapshot, options.consolidation === true),
    {
      terms,
      storage: cluster.storage,
      labelSets,
      defaultSpread: new DefaultSpread(snapshot, options.defaultSpreadConstraints),
      ignoresDevices: options.ignoreDraRequests !== false,
      devices,
      access,
    },
  )
  yield* pause(nodes)
  const table = buildResourceTable(read.groups, daemons, templates, nodes)
  const counted = { nodes, leaving: cluster.leaving, namespaces: snapshot.namespaces, labelSets, rules }
  yield* pause(nodes)
  const topology = yield* readTopology(read.groups, [...templates, ...emptyTemplates], counted)
  yield* pause(nodes)
  const equivalenceGroups = buildEquivalenceGroups(read.groups, topology, table)
  const constraintsTable = new ClaimConstraintsTable(templates, table, rules, topology.domains)
  const tolerations = new TolerationSets(access?.restricted)
  const variants = new PodVariants(equivalenceGroups, {
    terms,
    topology,
    constraintsTable,
    tolerationNumber: tolerations.numberOf,
    relaxesTaints: hasSoftTaint(templates),
  })
  yield* pause(nodes)
  const nodeTable = new NodeTable(nodes, table, constraintsTable, tolerations.admits)
  yield* pause(nodes)
  return {
    snapshot,
    options,
    rules,
    templates,
    emptyTemplates,
    unusablePools: cluster.unusablePools,
    table,
    constraintsTable,
    domains: topology.domains,
    clusterCounts: topology.clusterCounts,
    nodes,
    nodeTable,
    poolUse: computePoolUse(nodes),
    equivalenceGroups,
    variants,
    ...placedPods(batch, read, equivalenceGroups, snapshot, nodes),
    devices,
    admits: tolerations.admits,
  }
}

/** Ends a step before work that iterates over all nodes, if there are many nodes. */
function* pause(nodes: readonly unknown[]): Steps<void> {
  if (nodes.length >= NODES_PER_STEP) yield
}

/** Reads the pools and nodes, that is, everything that a decision depends on except the pods to place. */
function* readCluster(snapshot: ClusterSnapshot, batch: readonly Pod[], options: ScheduleOptions) {
  const rules = cachedLabelRules(options)
  const { usable, unusable } = usablePools(snapshot)
  const daemons = readDaemons(snapshot.daemonPods, rules, options.ignoreDraRequests !== false)
  const { templates, emptyTemplates } = readTemplates(withPrepaidOptions(usable, snapshot.commitments), {
    rules,
    daemons,
    reservationLabel: options.reservedCapacity === false ? undefined : options.reservationIdLabel,
    relaxMinValues: options.minValuesPolicy === 'BestEffort',
  })
  const storage = new Storage(snapshot, rules, options)
  const leaving = yield* leavingPods(snapshot, batch)
  const nodes: ExistingNode[] = []
  for (const state of snapshot.nodes.toSorted(byRank)) {
    nodes.push(readExistingNode(state, daemons, storage, rules, leaving))
    if (nodes.length % NODES_PER_STEP === 0) yield
  }
  return { rules, daemons, templates, emptyTemplates, unusablePools: unusable, storage, leaving, nodes }
}

const hasSoftTaint = (templates: readonly Template[]): boolean =>
  templates.some(({ taints }) => taints.some(({ effect }) => effect === 'PreferNoSchedule'))

const readTermContext = (
  { namespaces }: ClusterSnapshot,
  { preferencePolicy }: ScheduleOptions,
  rules: LabelRules,
): TermContext => ({ rules, namespaces, ignoresPreferences: preferencePolicy === 'Ignore' })

/** Returns the number of each Node object, by its name. */
const nodeNumbers = (nodes: readonly ExistingNode[]): ReadonlyMap<string, NodeId> => {
  const numbers = new Map<string, NodeId>()
  for (const [number, { state }] of nodes.entries()) {
    if (state.nodeName !== undefined) numbers.set(state.nodeName, number as NodeId)
  }
  return numbers
}

/** Returns the pods with their groups and the nodes on which earlier decisions placed them. */
const placedPods = (
  batch: readonly Pod[],
  read: ReadPods,
  equivalenceGroups: readonly EquivalenceGroup[],
  snapshot: ClusterSnapshot,
  nodes: readonly ExistingNode[],
): Pick<Problem, 'pods' | 'running' | 'plannedNode'> => {
  const batchEntry = (pod: Pod, group: number): BatchPod => ({
    pod,
    equivalenceGroup: equivalenceGroups[group] ?? outOfRange('equivalence groups', group),
  })
  const pods = batch.map((pod, i) => batchEntry(pod, entryAt(read.groupOfBatch, i)))
  return {
    pods,
    plannedNode: findPlannedNodes(snapshot, nodes, pods),
    running: new RunningPods(read.running, equivalenceGroups),
  }
}

const findPlannedNodes = (
  { plannedFor }: ClusterSnapshot,
  nodes: readonly ExistingNode[],
  pods: readonly BatchPod[],
): ReadonlyMap<BatchPod, NodeId> => {
  const planned = new Map<BatchPod, NodeId>()
  if (plannedFor === undefined || plannedFor.size === 0) return planned
  const numbers = new Map<string, NodeId>()
  for (const [number, { state }] of nodes.entries()) {
    numbers.set(state.nodeClaim ?? state.name, number as NodeId)
  }
  for (const entry of pods) {
    const number = numbers.get(plannedFor.get(entry.pod.metadata?.uid ?? '') ?? '')
    if (number !== undefined) planned.set(entry, number)
  }
  return planned
}
