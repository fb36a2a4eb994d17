import type { OpenDomains, State, States } from '../catalogue/states.ts'
import type { ExistingNode } from '../nodes/existing-node.ts'
import type { KeyTerms, PodClass, Variant } from '../pods/pod-class.ts'
import { labels } from '../requirements/label-rules.ts'
import type { Domains } from './domains.ts'
import { passesFilter } from './domains.ts'
import type { TopologyGroup } from './group.ts'
import { HostCounts } from './host-counts.ts'

const MANY = 2 ** 31 - 1
const NO_DOMAIN = new Int32Array(0)

/** What a label's groups leave of the open domains: either any of `any`, or one of `oneOf`, the first being the best. */
export interface Choice {
  readonly any: Int32Array
  readonly oneOf: Int32Array
}

/**
 * The counters of all topology groups while pods are placed. Hosts are numbered: the nodes of the snapshot first, then the
 * new claims.
 */
export class TopologyCounts {
  readonly #counts: Int32Array[]
  readonly #registered: Uint8Array[]
  readonly #hosts: HostCounts[]
  readonly #nodes: readonly ExistingNode[]
  readonly #domains: Domains
  readonly #states: States
  readonly #filterVerdicts: Map<number, boolean>[]
  /** 1 for groups that some pod to be placed demands. */
  readonly #demanded: Uint8Array
  /** Rises with every count, so that verdicts can be remembered. */
  version = 0

  constructor(
    groups: readonly TopologyGroup[],
    nodes: readonly ExistingNode[],
    domains: Domains,
    states: States,
    classes: Iterable<PodClass>,
  ) {
    this.#demanded = new Uint8Array(groups.length)
    for (const { demanded } of classes) for (const { id } of demanded) this.#demanded[id] = 1
    this.#nodes = nodes
    this.#domains = domains
    this.#states = states
    this.#counts = groups.map(({ counts }) => counts.slice())
    this.#registered = groups.map(({ registered }) => registered.slice())
    this.#hosts = groups.map(({ hosts }) => new HostCounts(hosts))
    this.#filterVerdicts = groups.map(() => new Map())
  }

  /** Whether the host terms of a pod allow a node or claim; `isNew` for a claim that has no pod yet. */
  allowsHost(variant: Variant, podClass: PodClass, host: number): boolean {
    for (const group of variant.hostGroups) {
      const count = this.#hosts[group.id]?.get(host) ?? 0
      if (group.kind === 'anti-affinity') {
        if (count > 0) return false
      } else if (group.kind === 'spread') {
        const self = group.selects(podClass.labels.namespace, podClass.labels.labels) ? 1 : 0
        if (count + self > group.maxSkew) return false
      } else if (count === 0 && !this.#mayOpenHost(group, variant, podClass)) return false
    }
    return true
  }

  /** Whether a refusal by the host terms can turn into consent when more pods are placed. */
  mayRelent(variant: Variant): boolean {
    return variant.hostGroups.some(({ kind }) => kind === 'affinity')
  }

  /** The first pod of a group that wants to be together may go anywhere, if no other is where it could join. */
  #mayOpenHost(group: TopologyGroup, variant: Variant, podClass: PodClass): boolean {
    if (!group.selects(podClass.labels.namespace, podClass.labels.labels)) return false
    const hosts = this.#hosts[group.id]
    if (hosts === undefined || hosts.occupied === 0) return true
    const wanted = variant.strict.byKey.get(labels.hostname)
    if (wanted === undefined) return false
    for (const host of hosts.hosts()) {
      const name = this.#nodes[host]?.labelValues.get(labels.hostname)
      if (hosts.get(host) > 0 && (name === undefined ? wanted.complement : wanted.has(name))) return false
    }
    return true
  }

  /** Whether the terms of a pod allow a node, whose domains are given. */
  allowsNode(variant: Variant, podClass: PodClass, node: ExistingNode): boolean {
    for (const terms of variant.keyTerms) {
      if (terms.groups.length === 0) continue
      const value = node.labelValues.get(this.#domains.keys[terms.key] ?? '')
      const domain = value === undefined ? undefined : this.#domains.numberOf(terms.key, value)
      if (domain === undefined || this.choose(terms, podClass, Int32Array.of(domain)) === undefined) return false
    }
    return true
  }

  /** Pods of a group that a spread constraint compares with: the fewest in a domain that counts. */
  #fewest(group: TopologyGroup, allowed: Uint8Array | undefined): number {
    const counts = this.#counts[group.id] ?? NO_DOMAIN
    const registered = this.#registered[group.id] ?? NO_DOMAIN
    let fewest = MANY
    let domains = 0
    for (let domain = 0; domain < counts.length; domain++) {
      if (registered[domain] !== 1 || (allowed !== undefined && allowed[domain] !== 1)) continue
      domains++
      const count = counts[domain] ?? 0
      if (count < fewest) fewest = count
    }
    return group.minDomains !== undefined && domains < group.minDomains ? 0 : fewest
  }

  #isOccupied(group: TopologyGroup, allowed: Uint8Array | undefined): boolean {
    const counts = this.#counts[group.id] ?? NO_DOMAIN
    for (let domain = 0; domain < counts.length; domain++) {
      if ((counts[domain] ?? 0) > 0 && (allowed === undefined || allowed[domain] === 1)) return true
    }
    return false
  }

  /**
   * What the groups of one label leave of `open`; `undefined` if nothing. All groups see the same domains and their
   * answers are intersected, and of what is left the spread constraints prefer the emptiest (`spec/scheduling.md`
   * 3.11.5 to 3.11.8). Where upstream lets each spread constraint pick a domain by itself and fails when the picks
   * differ, the best common one is taken.
   */
  choose(terms: KeyTerms, podClass: PodClass, open: Int32Array, byPrice = open): Choice | undefined {
    let left: number[] = Array.from(open)
    let spreads: TopologyGroup[] | undefined
    let isOpening = false
    for (const group of terms.groups) {
      const counts = this.#counts[group.id] ?? NO_DOMAIN
      const registered = this.#registered[group.id] ?? NO_DOMAIN
      if (group.kind === 'spread') {
        const limit = group.maxSkew + this.#fewest(group, terms.allowed) - this.#self(group, podClass)
        left = left.filter((domain) => registered[domain] === 1 && (counts[domain] ?? 0) <= limit)
        spreads ??= []
        spreads.push(group)
      } else if (group.kind === 'anti-affinity') {
        left = left.filter((domain) => registered[domain] === 1 && counts[domain] === 0 && isAllowed(terms, domain))
      } else {
        const joined = left.filter((domain) => (counts[domain] ?? 0) > 0 && isAllowed(terms, domain))
        if (joined.length > 0) left = joined
        else if (this.#self(group, podClass) === 1 && !this.#isOccupied(group, terms.allowed)) {
          left = left.filter((domain) => registered[domain] === 1 && isAllowed(terms, domain))
          isOpening = true
        } else return undefined
      }
      if (left.length === 0) return undefined
    }
    if (left.length === 0) return undefined
    if (spreads !== undefined) {
      const inOrder = spreads
      left.sort((a, b) => this.#emptier(inOrder, a, b))
      return { any: NO_DOMAIN, oneOf: Int32Array.from(left) }
    }
    if (isOpening) return { any: NO_DOMAIN, oneOf: Int32Array.from(left) }
    if (terms.pins.some(({ id }) => this.#demanded[id] === 1))
      return { any: NO_DOMAIN, oneOf: byPrice.filter((domain) => left.includes(domain)) }
    return { any: Int32Array.from(left), oneOf: NO_DOMAIN }
  }

  #emptier(spreads: readonly TopologyGroup[], a: number, b: number): number {
    for (const { id } of spreads) {
      const counts = this.#counts[id] ?? NO_DOMAIN
      const difference = (counts[a] ?? 0) - (counts[b] ?? 0)
      if (difference !== 0) return difference
    }
    return a - b
  }

  #self(group: TopologyGroup, podClass: PodClass): number {
    return podClass.counting.includes(group) ? 1 : 0
  }

  /** Counts a pod on a node, or with -1 for `amount` no longer counts it there. */
  recordOnNode(podClass: PodClass, host: number, node: ExistingNode, amount = 1): void {
    const record = (group: TopologyGroup) => {
      if (group.isHost) this.#addHost(group, host, amount)
      else {
        const value = node.labelValues.get(group.key)
        const domain = value === undefined ? undefined : this.#domains.numberOf(group.keyNumber, value)
        if (domain !== undefined) this.#add(group, domain, amount)
      }
    }
    for (const group of podClass.counting) {
      if (passesFilter(group.filter, node.requirements, node.taints)) record(group)
    }
    for (const group of podClass.inverseOwned) record(group)
  }

  /**
   * Counts a pod on a claim. Where the domain is still open, spread and affinity count nothing and anti-affinity counts
   * every domain the claim may end in.
   */
  recordOnClaim(podClass: PodClass, host: number, stateId: number): void {
    if (podClass.counting.length === 0 && podClass.inverseOwned.length === 0) return
    const state = this.#states.get(stateId)
    for (const group of podClass.counting) {
      if (!this.#passes(group, state)) continue
      if (group.isHost) this.#addHost(group, host)
      else {
        const { domains } = this.#openDomains(state, group)
        if (group.kind === 'anti-affinity') for (const domain of domains) this.#add(group, domain)
        else if (domains.length === 1 && domains[0] !== undefined) this.#add(group, domains[0])
      }
    }
    for (const group of podClass.inverseOwned) {
      if (group.isHost) this.#addHost(group, host)
      else for (const domain of this.#openDomains(state, group).domains) this.#add(group, domain)
    }
  }

  #openDomains(state: State, group: TopologyGroup): OpenDomains {
    return this.#states.openDomains(state.id, group.keyNumber)
  }

  #passes(group: TopologyGroup, state: State): boolean {
    if (group.filter === undefined) return true
    const verdicts = this.#filterVerdicts[group.id]
    let verdict = verdicts?.get(state.id)
    if (verdict === undefined) {
      verdict = passesFilter(group.filter, state.requirements, state.index.template.taints)
      verdicts?.set(state.id, verdict)
    }
    return verdict
  }

  #addHost(group: TopologyGroup, host: number, amount = 1): void {
    this.#hosts[group.id]?.add(host, amount)
    this.version++
  }

  #add(group: TopologyGroup, domain: number, amount = 1): void {
    const counts = this.#counts[group.id]
    const registered = this.#registered[group.id]
    if (counts === undefined || registered === undefined) return
    counts[domain] = (counts[domain] ?? 0) + amount
    registered[domain] = 1
    this.version++
  }

  /** Pods counted in a domain, for explanations. */
  countOf(group: TopologyGroup, domain: number): number {
    return this.#counts[group.id]?.[domain] ?? 0
  }
}

const isAllowed = (terms: KeyTerms, domain: number): boolean =>
  terms.allowed === undefined || terms.allowed[domain] === 1
