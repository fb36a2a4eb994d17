import type { Node } from '@kerf/apis'
import { matchesNodeAffinity, preferredWeight } from '../objects/node-affinity.ts'
import { SCHEDULING_EFFECTS, untolerated } from '../objects/taints.ts'
import { portsConflict } from './host-ports.ts'
import type { NodeRow, NodeTable, Promised } from './node-table.ts'
import type { PodClass } from './pod-class.ts'
import { CPU, MEMORY, type ResourceNames } from './quantities.ts'
import type { TopologyConstraints } from './topology-constraints.ts'
import type { VolumeCheck } from './volumes.ts'

const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const

/**
 * Returns the reason of the first filter that rejects the node, or `undefined` if none does. Runs only filters that depend solely on the
 * node and the pod class.
 */
const staticReason = (podClass: PodClass, node: Node): string | undefined => {
  const spec = podClass.sample.spec
  if (node.spec?.unschedulable && untolerated([UNSCHEDULABLE_TAINT], spec.tolerations, ['NoSchedule']) !== undefined) {
    return 'node(s) were unschedulable'
  }
  if (untolerated(node.spec?.taints, spec.tolerations, SCHEDULING_EFFECTS) !== undefined) {
    return 'node(s) had untolerated taint(s)'
  }
  if (!matchesNodeAffinity(spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  return undefined
}

/**
 * Returns the resources that this pod class must not use because other pods are nominated for them. Ignores the reservation of the pod
 * `uid` itself.
 */
const keptFree = (podClass: PodClass, row: NodeRow, uid?: string): readonly Promised[] => {
  if (row.promised.size === 0) return NOTHING_KEPT
  const priority = podClass.sample.spec.priority ?? 0
  return [...row.promised].filter(([other, each]) => other !== uid && each.priority >= priority).map(([, each]) => each)
}
const NOTHING_KEPT: readonly Promised[] = Object.freeze([])

const portsReason = (podClass: PodClass, row: NodeRow, kept: readonly Promised[]): string | undefined =>
  podClass.ports.some(
    (port) =>
      row.ports.some((taken) => portsConflict(port, taken)) ||
      kept.some(({ ports }) => ports.some((taken) => portsConflict(port, taken))),
  )
    ? "node(s) didn't have free ports for the requested pod ports"
    : undefined

const freeOf = (row: NodeRow, index: number, kept: readonly Promised[]): number => {
  let free = (row.allocatable[index] ?? 0) - (row.requested[index] ?? 0)
  for (const { requests } of kept) free -= requests.amounts[index] ?? 0
  return free
}

const fits = (podClass: PodClass, row: NodeRow, kept: readonly Promised[]): boolean => {
  if (row.pods.size + kept.length + 1 > row.allowedPods) return false
  const amounts = podClass.requests.amounts
  for (let index = 0; index < amounts.length; index++) {
    const amount = amounts[index] ?? 0
    if (amount > 0 && amount > freeOf(row, index, kept)) return false
  }
  return true
}

const fitReasons = (podClass: PodClass, row: NodeRow, kept: readonly Promised[], names: ResourceNames): string[] => {
  const reasons = row.pods.size + kept.length + 1 > row.allowedPods ? ['Too many pods'] : []
  podClass.requests.amounts.forEach((amount, index) => {
    if (amount > 0 && amount > freeOf(row, index, kept)) reasons.push(`Insufficient ${names.nameOf(index)}`)
  })
  return reasons
}

/**
 * Returns the sum of two scores with the default scheduler's weights: least allocated, and balanced allocation of CPU and
 * memory. Each score is from 0 to 100.
 */
const resourceScore = (podClass: PodClass, row: NodeRow): number => {
  const cpu = row.allocatable[CPU] ?? 0
  const memory = row.allocatable[MEMORY] ?? 0
  if (cpu <= 0 || memory <= 0) return 0
  const cpuShare = Math.min(1, (row.scoringCpu + podClass.requests.scoringCpu) / cpu)
  const memoryShare = Math.min(1, (row.scoringMemory + podClass.requests.scoringMemory) / memory)
  const least = 100 * (1 - (cpuShare + memoryShare) / 2)
  const balanced = 100 * (1 - Math.abs(cpuShare - memoryShare) / 2)
  return least + balanced
}

const preferNoSchedule = (podClass: PodClass, node: Node): number =>
  (node.spec?.taints ?? []).filter(
    (taint) => untolerated([taint], podClass.sample.spec.tolerations, ['PreferNoSchedule']) !== undefined,
  ).length

/**
 * Returns the node names that the pod's node affinity requires by `metadata.name`, as DaemonSet pods do. Returns `undefined` if it does not
 * require particular nodes.
 */
const namedNodes = (podClass: PodClass): readonly string[] | undefined => {
  const required = podClass.sample.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = required?.nodeSelectorTerms ?? []
  if (terms.length === 0) return undefined
  const names: string[] = []
  for (const term of terms) {
    const field = term.matchFields?.find((one) => one.key === 'metadata.name' && one.operator === 'In')
    if (field === undefined) return undefined
    names.push(...(field.values ?? []))
  }
  return names
}

export type Choice = { readonly kind: 'placed'; readonly row: NodeRow } | { readonly kind: 'nowhere' }

/**
 * Tracks the nodes where the pods of one pod class can go. Updates only the rows that changed since the last query, and then scans the
 * scores. Only pod classes with topology constraints read counters for each feasible row.
 */
export class ClassPlacement {
  readonly podClass: PodClass
  readonly #table: NodeTable
  readonly #names: ResourceNames
  readonly #topology: TopologyConstraints
  readonly #named: readonly string[] | undefined
  readonly #preferring: boolean
  /** The score of each row, or -1 if a filter rejects the node. The filters for volumes and topology are not included. */
  readonly #score: number[] = []
  /** For each row, the version of its node for which `admitted`, `wish` and `aversion` were last computed. */
  readonly #judged: (Node | undefined)[] = []
  readonly #admitted: boolean[] = []
  readonly #wish: number[] = []
  readonly #aversion: number[] = []
  #version = -1
  #rowsExamined = 0

  constructor(podClass: PodClass, table: NodeTable, names: ResourceNames, topology: TopologyConstraints) {
    this.podClass = podClass
    this.#table = table
    this.#names = names
    this.#topology = topology
    this.#named = namedNodes(podClass)
    const preferred = podClass.sample.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution
    this.#preferring = (preferred?.length ?? 0) > 0
  }

  get isConstrained(): boolean {
    return this.#topology.isConstrained
  }

  /** The number of rows examined so far. Tests use it as a measure of work that does not depend on the speed of the machine. */
  get rowsExamined(): number {
    return this.#rowsExamined
  }

  /**
   * Returns the best row for one more pod of the class. Among equal scores, returns the row with the lowest index. If the pod `uid` is
   * nominated for a node that can take it, returns the row of that node. Resources that other pods are nominated for do not count as free.
   */
  choose(volumes: VolumeCheck, nominated = '', uid?: string): Choice {
    if (volumes.kind === 'refused') return { kind: 'nowhere' }
    this.#topology.prepare()
    if (nominated !== '') {
      const choice = this.#chooseNamed([nominated], volumes, uid)
      if (choice.kind === 'placed') return choice
    }
    if (this.#named !== undefined) return this.#chooseNamed(this.#named, volumes, uid)
    this.#refresh()
    const constrained = this.#topology.isConstrained
    const checksVolumes = this.podClass.claims.length > 0 || this.podClass.usesDevices
    const feasible = (index: number): boolean => {
      if (constrained && this.#topology.reasonAgainst(index) !== undefined) return false
      const row = this.#table.rows[index]
      return row !== undefined && !(checksVolumes && volumes.against(row) !== undefined)
    }
    const best =
      this.#preferring || this.#topology.hasPreferences || this.#anyAversion()
        ? this.#bestByPreference(feasible)
        : this.#bestByResources(constrained || checksVolumes ? feasible : undefined)
    const row = best < 0 ? undefined : this.#table.rows[best]
    return row === undefined ? { kind: 'nowhere' } : { kind: 'placed', row }
  }

  /** Returns how many nodes each reason excludes, in the default scheduler's words. */
  reasons(volumes: VolumeCheck): Map<string, number> {
    this.#topology.prepare()
    const counts = new Map<string, number>()
    const count = (reason: string): void => {
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    for (const row of this.#table.rows) {
      if (row.node === undefined) continue
      for (const reason of this.#reasonsAgainst(row, row.node, volumes)) count(reason)
    }
    return counts
  }

  #reasonsAgainst(row: NodeRow, node: Node, volumes: VolumeCheck, uid?: string): readonly string[] {
    const kept = keptFree(this.podClass, row, uid)
    const one = staticReason(this.podClass, node) ?? portsReason(this.podClass, row, kept)
    if (one !== undefined) return [one]
    const short = fitReasons(this.podClass, row, kept, this.#names)
    if (short.length > 0) return short
    const volume = volumes.kind === 'per-node' ? volumes.against(row) : undefined
    const reason = volume ?? this.#topology.reasonAgainst(row.index)
    return reason === undefined ? [] : [reason]
  }

  #chooseNamed(
    names: readonly string[],
    volumes: Extract<VolumeCheck, { kind: 'per-node' }>,
    uid: string | undefined,
  ): Choice {
    for (const name of names) {
      const row = this.#table.row(name)
      if (row?.node !== undefined && this.#reasonsAgainst(row, row.node, volumes, uid).length === 0) {
        return { kind: 'placed', row }
      }
    }
    return { kind: 'nowhere' }
  }

  #refresh(): void {
    const changed = this.#version < 0 ? undefined : this.#table.changedSince(this.#version)
    if (changed === undefined) for (const row of this.#table.rows) this.#update(row)
    else {
      for (const index of changed) {
        const row = this.#table.rows[index]
        if (row !== undefined) this.#update(row)
      }
    }
    this.#version = this.#table.version
  }

  #update(row: NodeRow): void {
    const { node, index } = row
    this.#rowsExamined++
    while (this.#score.length <= index) this.#score.push(-1)
    if (this.#judged[index] !== node) this.#judge(row)
    const kept = keptFree(this.podClass, row)
    const possible =
      this.#admitted[index] === true &&
      fits(this.podClass, row, kept) &&
      portsReason(this.podClass, row, kept) === undefined
    this.#score[index] = possible ? resourceScore(this.podClass, row) : -1
  }

  /** Recomputes the values that depend only on the node and not on its pods. Called once per version of the node. */
  #judge(row: NodeRow): void {
    const { node, index } = row
    this.#judged[index] = node
    this.#admitted[index] = node !== undefined && staticReason(this.podClass, node) === undefined
    if (node !== undefined && this.#preferring) this.#wish[index] = preferredWeight(this.podClass.sample.spec, node)
    const averse = node === undefined ? 0 : preferNoSchedule(this.podClass, node)
    if (averse > 0 || this.#aversion.length > 0) this.#aversion[index] = averse
  }

  #anyAversion(): boolean {
    return this.#aversion.some((count) => count > 0)
  }

  #bestByResources(feasible: ((index: number) => boolean) | undefined): number {
    const score = this.#score
    let best = -1
    let bestScore = -1
    for (let index = 0; index < score.length; index++) {
      const value = score[index] ?? -1
      if (value > bestScore && (feasible === undefined || feasible(index))) {
        best = index
        bestScore = value
      }
    }
    return best
  }

  /**
   * Returns the best feasible row for a pod with preferences. Normalizes each score to 0..100 over the feasible rows, then applies
   * upstream's weights.
   */
  #bestByPreference(feasible: (index: number) => boolean): number {
    const rows: number[] = []
    for (let index = 0; index < this.#score.length; index++) {
      if ((this.#score[index] ?? -1) >= 0 && feasible(index)) rows.push(index)
    }
    const wish = normalised(
      rows.map((index) => this.#wish[index] ?? 0),
      'from-zero',
    )
    const aversion = normalised(
      rows.map((index) => -(this.#aversion[index] ?? 0)),
      'from-lowest',
    )
    const affinity = normalised(
      rows.map((index) => this.#topology.affinityScore(index)),
      'from-lowest',
    )
    const crowding = this.#topology.hasSoftSpread
      ? normalised(
          rows.map((index) => -this.#topology.crowding(index)),
          'from-lowest',
        )
      : []
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    rows.forEach((index, position) => {
      const value =
        (this.#score[index] ?? 0) +
        2 * (wish[position] ?? 0) +
        3 * (aversion[position] ?? 0) +
        2 * (affinity[position] ?? 0) +
        2 * (crowding[position] ?? 0)
      if (value > bestScore) {
        best = index
        bestScore = value
      }
    })
    return best
  }
}

const normalised = (values: readonly number[], from: 'from-zero' | 'from-lowest'): number[] => {
  let low = from === 'from-zero' ? 0 : Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (high <= low) return values.map((value) => (Number.isFinite(value) ? 100 : 0))
  return values.map((value) => (Number.isFinite(value) ? (100 * (value - low)) / (high - low) : 0))
}
