import { type Pod, type Taint, type Toleration, toleratesTaints } from '@kerf/apis'
import { type ClusterDevices, clusterDevicesOf } from '../devices/cluster-devices.ts'
import { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { daemonOf } from '../instance-types/daemons.ts'
import { TemplateReader } from '../instance-types/template-reader.ts'
import type { BatchPod } from '../model/batch-pod.ts'
import type { Daemon } from '../model/daemon.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { PodGroup } from '../model/pod-group.ts'
import type { EmptyTemplate, Template } from '../model/template.ts'
import { byRank, existingNodeOf } from '../nodes/existing-node.ts'
import { NodeTable } from '../nodes/node-table.ts'
import { type PoolUse, poolUseOf } from '../nodes/pool-use.ts'
import { type PodForm, podFormOf } from '../pods/pod-form.ts'
import type { Reason } from '../reason.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { ResourceTable } from '../resources/resource-table.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { DefaultSpread } from '../topology/default-spread.ts'
import { Domains } from '../topology/domains.ts'
import { countRunningPods, inverseGroupsOfRunningPods } from '../topology/running-pods.ts'
import { PodLabelSets, TopologyGroups } from '../topology/topology-groups.ts'
import { Storage } from '../volumes/storage.ts'
import { rulesOf } from './label-rules-cache.ts'
import { PodGroupBuilder } from './pod-group-builder.ts'

/** A pool that may launch nothing, and why. */
export interface UnusablePool {
  readonly name: string
  readonly reason: Reason
}

/**
 * A snapshot and a batch of pods, made ready for solving: everything that does not change while pods are placed, in
 * numbers instead of names.
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
  readonly groups: TopologyGroups
  readonly nodes: readonly ExistingNode[]
  readonly nodeTable: NodeTable
  readonly poolUse: PoolUse
  /** Pods of the batch that run on a node of the snapshot and count there, by node; empty unless asked for. */
  readonly running: ReadonlyMap<number, readonly BatchPod[]>
  /** Number of the node where an earlier decision placed a pod of the batch. */
  readonly plannedNode: ReadonlyMap<BatchPod, number>
  readonly podGroups: readonly PodGroup[]
  /** Set when a pod claims devices that are to be found. */
  readonly devices: ClusterDevices | undefined
  readonly pods: readonly BatchPod[]
  readonly builder: PodGroupBuilder
  /** Some pool has a PreferNoSchedule taint, so tolerating them is a last resort. */
  readonly relaxesTaints: boolean
  /** Whether tolerations (by number) tolerate the taints of a template or node. */
  tolerates(tolerations: number, taints: readonly Taint[]): boolean
}

const weightOf = (pool: { readonly nodePool: { readonly spec: { readonly weight?: number | undefined } } }): number =>
  pool.nodePool.spec.weight ?? 0

const usability = (snapshot: ClusterSnapshot) => {
  const usable: ClusterSnapshot['pools'][number][] = []
  const unusable: UnusablePool[] = []
  for (const option of snapshot.pools) {
    const { metadata, spec, status } = option.nodePool
    const name = metadata.name ?? ''
    const refuse = (detail: string) =>
      unusable.push({ name, reason: { code: 'nodepool.not-ready', subject: `nodepool/${name}`, detail: { detail } } })
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')
    if (metadata.deletionTimestamp !== undefined) refuse('it is being deleted')
    else if (ready !== undefined && ready.status !== 'True') refuse(ready.message || 'its condition Ready is not True')
    else if (spec?.replicas === undefined && spec?.template?.spec !== undefined) usable.push(option)
    else if (spec?.template?.spec === undefined) refuse('it has no template')
  }
  // Heaviest first, later names first among equals: upstream's order.
  usable.sort(
    (a, b) =>
      weightOf(b) - weightOf(a) || ((a.nodePool.metadata.name ?? '') < (b.nodePool.metadata.name ?? '') ? 1 : -1),
  )
  return { usable, unusable }
}

const daemonsOf = (snapshot: ClusterSnapshot, rules: LabelRules, options: ScheduleOptions): Daemon[] => {
  const daemons: Daemon[] = []
  for (const pod of snapshot.daemonPods) {
    if (options.ignoreDraRequests !== false && (pod.spec?.resourceClaims?.length ?? 0) > 0) continue
    try {
      daemons.push(daemonOf(pod, rules))
    } catch {
      // A daemon whose requests do not parse is never created by its controller, so it takes nothing.
    }
  }
  return daemons.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/**
 * Reads a snapshot and a batch. Never throws for what is in them: what cannot be planned carries its reasons. Pods of the
 * batch that run on a node have left it, so that they can be placed; those of `mayLeave` still run, and may be asked to
 * leave later.
 */
export const problemOf = (
  snapshot: ClusterSnapshot,
  batch: readonly Pod[],
  options: ScheduleOptions,
  mayLeave: readonly Pod[] = [],
): Problem => {
  const rules = rulesOf(options)
  const { usable, unusable } = usability(snapshot)
  const daemons = daemonsOf(snapshot, rules, options)
  const templates: Template[] = []
  const emptyTemplates: EmptyTemplate[] = []
  const reader = new TemplateReader({
    rules,
    daemons,
    reservationLabel: options.reservedCapacity === false ? undefined : options.reservationIdLabel,
    relaxMinValues: options.minValuesPolicy === 'BestEffort',
  })
  for (const { nodePool, instanceTypes } of usable) {
    const template = reader.read(nodePool, instanceTypes, templates.length)
    if ('problem' in template) emptyTemplates.push(template)
    else templates.push(template)
  }
  const storage = new Storage(snapshot, rules, options)
  const leaving = leavingPods(snapshot, batch)
  const nodes = snapshot.nodes.toSorted(byRank).map((state) => existingNodeOf(state, daemons, storage, rules, leaving))

  const labelSets = new PodLabelSets()
  const groups = new TopologyGroups()
  const tolerationSets = new TolerationSets()
  const relaxesTaints = templates.some(({ taints }) => taints.some(({ effect }) => effect === 'PreferNoSchedule'))
  const devices =
    options.ignoreDraRequests === false ? clusterDevicesOf(snapshot, nodes, rules, batch, mayLeave) : undefined
  const builder = new PodGroupBuilder({
    snapshot,
    devices,
    options,
    rules,
    storage,
    groups,
    labelSets,
    defaultSpread: new DefaultSpread(snapshot, options.defaultSpreadConstraints),
    tolerationNumber: (tolerations) => tolerationSets.numberOf(tolerations),
    relaxesTaints,
  })

  const deletingNodes = new Set<string>()
  for (const { markedForDeletion, nodeName } of snapshot.nodes) {
    if (markedForDeletion && nodeName !== undefined) deletingNodes.add(nodeName)
  }
  const classesByKey = new Map<string, PodGroup>()
  const classOf = (pod: Pod, form: PodForm | undefined, avoidsSettling: boolean): PodGroup => {
    const claimed = devices === undefined ? '' : devices.keyOf(pod)
    // What is not a pod at all becomes a class of its own that carries the complaint.
    const key = `${form?.key ?? `broken ${classesByKey.size}`} ${avoidsSettling}${claimed}`
    let podGroup = classesByKey.get(key)
    if (podGroup === undefined) {
      podGroup = builder.build(classesByKey.size, pod, avoidsSettling)
      classesByKey.set(key, podGroup)
    }
    return podGroup
  }
  const settled = new Map<PodForm, PodGroup>()
  const settling = new Map<PodForm, PodGroup>()
  const read = (pod: Pod): BatchPod => {
    const avoidsSettling =
      options.consolidation === true &&
      pod.status?.phase !== 'Pending' &&
      !(pod.spec?.nodeName !== undefined && deletingNodes.has(pod.spec.nodeName))
    const form = podFormOf(pod)
    // Pods of a kind may claim different devices.
    const known = form === undefined || devices !== undefined ? undefined : avoidsSettling ? settling : settled
    let podGroup = form === undefined ? undefined : known?.get(form)
    if (podGroup === undefined) {
      podGroup = classOf(pod, form, avoidsSettling)
      if (form !== undefined) known?.set(form, podGroup)
    }
    podGroup.left++
    return { pod, podGroup }
  }
  const pods = batch.map(read)
  const hosts = new Map<string, number>()
  for (const [index, { state }] of nodes.entries()) if (state.nodeName !== undefined) hosts.set(state.nodeName, index)
  const running = new Map<number, BatchPod[]>()
  for (const pod of mayLeave) {
    const host = hosts.get(pod.spec.nodeName ?? '')
    if (host === undefined) continue
    const entry = read(pod)
    const known = running.get(host)
    if (known === undefined) running.set(host, [entry])
    else known.push(entry)
  }
  const podGroups = [...classesByKey.values()]

  const table = tableOf(podGroups, daemons, templates, nodes)
  for (const podGroup of podGroups) {
    podGroup.row = table.requestRow(podGroup.requests)
    podGroup.columns = table.columnsOf(podGroup.requests.keys())
  }
  for (const podGroup of podGroups) builder.createGroups(podGroup)
  inverseGroupsOfRunningPods(nodes, leaving, snapshot.namespaces, groups, rules)
  const reachablePools = [...templates, ...emptyTemplates]
  const domains = new Domains(groups.keys, reachablePools, nodes, rules)
  for (const group of groups.list) domains.register(group, nodes)
  countRunningPods(nodes, leaving, groups, domains, labelSets, snapshot.namespaces, rules)
  const constraintsTable = new ClaimConstraintsTable(templates, table, rules, domains)
  builder.connect(constraintsTable, domains, podGroups)
  const covers = (tolerations: number, taints: readonly Taint[]) => tolerationSets.tolerates(tolerations, taints)

  return {
    snapshot,
    options,
    rules,
    templates,
    emptyTemplates,
    unusablePools: unusable,
    table,
    constraintsTable,
    domains,
    groups,
    nodes,
    nodeTable: new NodeTable(nodes, table, constraintsTable, covers),
    poolUse: poolUseOf(nodes),
    running,
    plannedNode: plannedNodesOf(snapshot, nodes, pods),
    podGroups,
    devices,
    pods,
    builder,
    relaxesTaints,
    tolerates: covers,
  }
}

const plannedNodesOf = (
  { plannedFor }: ClusterSnapshot,
  nodes: readonly ExistingNode[],
  pods: readonly BatchPod[],
): ReadonlyMap<BatchPod, number> => {
  const planned = new Map<BatchPod, number>()
  if (plannedFor === undefined || plannedFor.size === 0) return planned
  const numbers = new Map<string, number>()
  for (const [number, { state }] of nodes.entries()) {
    numbers.set(state.nodeClaim ?? state.name, number)
  }
  for (const entry of pods) {
    const number = numbers.get(plannedFor.get(entry.pod.metadata?.uid ?? '') ?? '')
    if (number !== undefined) planned.set(entry, number)
  }
  return planned
}

/** Pods on nodes that are pods of the batch, by uid or else by identity: they have left their node. */
const leavingPods = (snapshot: ClusterSnapshot, batch: readonly Pod[]): ReadonlySet<Pod> => {
  const leaving = new Set<Pod>()
  if (batch.length === 0 || snapshot.nodes.every(({ pods }) => pods.length === 0)) return leaving
  const uids = new Set<string>()
  const nameless = new Set<Pod>()
  for (const pod of batch) {
    const uid = pod.metadata?.uid
    if (uid === undefined) nameless.add(pod)
    else uids.add(uid)
  }
  for (const { pods } of snapshot.nodes) {
    for (const pod of pods) {
      const { uid } = pod.metadata
      if (uid === undefined ? nameless.has(pod) : uids.has(uid)) leaving.add(pod)
    }
  }
  return leaving
}

const tableOf = (
  podGroups: readonly PodGroup[],
  daemons: readonly Daemon[],
  templates: readonly Template[],
  nodes: readonly ExistingNode[],
): ResourceTable => {
  const amounts = new Map<string, Set<bigint>>([
    ['cpu', new Set()],
    ['memory', new Set()],
    ['pods', new Set()],
  ])
  const ask = (requests: ReadonlyMap<string, bigint>) => {
    for (const [name, amount] of requests) {
      const seen = amounts.get(name)
      if (seen !== undefined) seen.add(amount)
      else if (amount !== 0n) amounts.set(name, new Set([amount]))
    }
  }
  for (const podGroup of podGroups) ask(podGroup.requests)
  for (const daemon of daemons) ask(daemon.requests)
  const seen = new Set<ReadonlyMap<string, bigint>>()
  const offer = (free: ReadonlyMap<string, bigint>) => {
    if (seen.has(free)) return
    seen.add(free)
    for (const [name, set] of amounts) {
      const amount = free.get(name)
      if (amount !== undefined) set.add(amount)
    }
  }
  for (const { offerings } of templates) for (const { allocatable } of offerings) offer(allocatable)
  for (const { free } of nodes) offer(free)
  return new ResourceTable(amounts)
}

/** Gives equal tolerations one number and remembers what they tolerate. */
class TolerationSets {
  readonly #numbers = new Map<string, number>()
  readonly #sets: (readonly Toleration[])[] = []
  readonly #verdicts: Map<readonly Taint[], boolean>[] = []

  numberOf(tolerations: readonly Toleration[]): number {
    const text = JSON.stringify(tolerations)
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#sets.length
      this.#numbers.set(text, number)
      this.#sets.push(tolerations)
      this.#verdicts.push(new Map())
    }
    return number
  }

  tolerates(number: number, taints: readonly Taint[]): boolean {
    if (taints.length === 0) return true
    const verdicts = this.#verdicts[number]
    let verdict = verdicts?.get(taints)
    if (verdict === undefined) {
      verdict = toleratesTaints(taints, this.#sets[number])
      verdicts?.set(taints, verdict)
    }
    return verdict
  }
}
