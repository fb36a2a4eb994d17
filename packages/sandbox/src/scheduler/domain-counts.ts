import type { Node } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { NodeRow, NodeTable, PlacedPod, PlacementListener } from './node-table.ts'
import type { PodClass } from './pod-class.ts'

/** The domains of one topology key. Assigns each row the small number of its domain. */
export class TopologyDomains {
  readonly key: string
  readonly #ids = new Map<string, number>()
  readonly #ofRow: number[] = []

  constructor(key: string) {
    this.key = key
  }

  /** Returns the domain of a row, or -1 if its node lacks the label. */
  of(index: number): number {
    return this.#ofRow[index] ?? -1
  }

  get size(): number {
    return this.#ids.size
  }

  update(row: NodeRow): void {
    const value = ownValue(row.node?.metadata.labels, this.key)
    let id = -1
    if (value !== undefined) {
      id = this.#ids.get(value) ?? this.#ids.size
      this.#ids.set(value, id)
    }
    while (this.#ofRow.length <= row.index) this.#ofRow.push(-1)
    this.#ofRow[row.index] = id
  }
}

/** The pods that a counter includes, and the domains in which it counts them. */
export interface CounterRule {
  readonly id: string
  readonly topologyKey: string
  readonly counts: (podClass: PodClass) => boolean
  /**
   * If set, the counter includes only pods on nodes that this function accepts, and only the domains of those nodes exist. Default: every
   * node.
   */
  readonly eligible?: (node: Node) => boolean
  /** Whether to exclude pods that are being deleted. */
  readonly living?: boolean
}

/** Counts the matching pods in each domain of a topology key. Updates the counts when pods are placed or removed. */
export class DomainCounter {
  readonly rule: CounterRule
  readonly domains: TopologyDomains
  total = 0
  readonly #counts: number[] = []
  readonly #nodes: number[] = []
  readonly #eligible: boolean[] = []
  #minimum: number | undefined

  constructor(rule: CounterRule, domains: TopologyDomains) {
    this.rule = rule
    this.domains = domains
  }

  /** Returns the number of pods in the row's domain, or zero if the row has no domain. */
  at(index: number): number {
    const domain = this.domains.of(index)
    return domain < 0 ? 0 : (this.#counts[domain] ?? 0)
  }

  /** Returns the lowest count of any domain that has an eligible node. If there are fewer than `minDomains` domains, returns zero. */
  minimum(minDomains: number): number {
    if (this.#minimum === undefined) {
      let least = Number.POSITIVE_INFINITY
      for (let domain = 0; domain < this.#nodes.length; domain++) {
        if ((this.#nodes[domain] ?? 0) > 0) least = Math.min(least, this.#counts[domain] ?? 0)
      }
      this.#minimum = Number.isFinite(least) ? least : 0
    }
    return minDomains > 1 && this.#nodes.filter((nodes) => nodes > 0).length < minDomains ? 0 : this.#minimum
  }

  isEligible(index: number): boolean {
    return this.#eligible[index] ?? false
  }

  add(index: number, by: 1 | -1): void {
    const domain = this.domains.of(index)
    if (domain < 0 || !this.isEligible(index)) return
    while (this.#counts.length <= domain) this.#counts.push(0)
    this.#counts[domain] = (this.#counts[domain] ?? 0) + by
    this.total += by
    this.#minimum = undefined
  }

  enter(row: NodeRow): void {
    const eligible = row.node !== undefined && (this.rule.eligible?.(row.node) ?? true)
    while (this.#eligible.length <= row.index) this.#eligible.push(false)
    this.#eligible[row.index] = eligible
    if (eligible) this.#countNode(row.index, 1)
  }

  leave(row: NodeRow): void {
    if (this.isEligible(row.index)) this.#countNode(row.index, -1)
    this.#eligible[row.index] = false
  }

  #countNode(index: number, by: 1 | -1): void {
    const domain = this.domains.of(index)
    if (domain < 0) return
    while (this.#nodes.length <= domain) this.#nodes.push(0)
    this.#nodes[domain] = (this.#nodes[domain] ?? 0) + by
    this.#minimum = undefined
  }
}

interface Contribution {
  readonly counters: DomainCounter[]
  seen: number
}

/** Manages all counters. Pod classes with the same rule share one counter. */
export class DomainCounts implements PlacementListener {
  readonly #table: NodeTable
  readonly #domains = new Map<string, TopologyDomains>()
  readonly #byId = new Map<string, DomainCounter>()
  readonly #counters: DomainCounter[] = []
  #contributions = new WeakMap<PodClass, Contribution>()

  constructor(table: NodeTable) {
    this.#table = table
    table.listen(this)
  }

  /** Removes every counter. A counter that is requested afterwards counts all pods from the beginning. */
  clear(): void {
    this.#byId.clear()
    this.#counters.length = 0
    this.#contributions = new WeakMap()
  }

  counter(rule: CounterRule): DomainCounter {
    const known = this.#byId.get(rule.id)
    if (known !== undefined) return known
    const counter = new DomainCounter(rule, this.domains(rule.topologyKey))
    for (const row of this.#table.rows) if (row.node !== undefined) counter.enter(row)
    for (const [row, pod] of this.#table.placedPods()) {
      if (rule.counts(pod.class) && !(rule.living && pod.pod.metadata.deletionTimestamp !== undefined)) {
        counter.add(row.index, 1)
      }
    }
    this.#byId.set(rule.id, counter)
    this.#counters.push(counter)
    return counter
  }

  domains(key: string): TopologyDomains {
    let domains = this.#domains.get(key)
    if (domains === undefined) {
      domains = new TopologyDomains(key)
      for (const row of this.#table.rows) domains.update(row)
      this.#domains.set(key, domains)
    }
    return domains
  }

  placed(row: NodeRow, pod: PlacedPod, by: 1 | -1): void {
    const terminating = pod.pod.metadata.deletionTimestamp !== undefined
    for (const counter of this.#contributionsOf(pod.class)) {
      if (!(counter.rule.living && terminating)) counter.add(row.index, by)
    }
  }

  nodeChanged(row: NodeRow): void {
    for (const counter of this.#counters) counter.leave(row)
    for (const domains of this.#domains.values()) domains.update(row)
    for (const counter of this.#counters) counter.enter(row)
  }

  #contributionsOf(podClass: PodClass): readonly DomainCounter[] {
    let contribution = this.#contributions.get(podClass)
    if (contribution === undefined) {
      contribution = { counters: [], seen: 0 }
      this.#contributions.set(podClass, contribution)
    }
    for (; contribution.seen < this.#counters.length; contribution.seen++) {
      const counter = this.#counters[contribution.seen]
      if (counter?.rule.counts(podClass)) contribution.counters.push(counter)
    }
    return contribution.counters
  }
}
