import { intAt } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints, OpenDomains } from '../model/claim-constraints.ts'
import type { BatchPod, EquivalenceGroup, KeyTerms, Variant } from '../model/equivalence-group.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { ConstraintsId, HostId } from '../model/ids.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { labels } from '../requirements/label-rules.ts'
import type { ClusterCounts } from './cluster-counts.ts'
import type { Domains } from './domains.ts'
import { passesFilter } from './domains.ts'
import { GroupCounts, isAllowed } from './group-counts.ts'

const MANY = 2 ** 31 - 1
const NO_DOMAIN = new Int32Array(0)

/** A result of `narrow`: no domain is left. */
export const NOTHING = 0
/** A result of `narrow`: any of the remaining domains may be used. */
export const ANY_OF = 1
/** A result of `narrow`: one of the remaining domains must be chosen. The domain with the fewest pods comes first. */
export const ONE_OF = 2
/** A result of `narrow`: one of the remaining domains must be chosen. The cheapest domain comes first. */
export const ONE_BY_PRICE = 3
export type Verdict = typeof NOTHING | typeof ANY_OF | typeof ONE_OF | typeof ONE_BY_PRICE

/** The domains that the groups of a label allow. */
export interface DomainChoice {
  /** The planned node may keep all of these domains. */
  readonly any: Int32Array
  /** One of these domains must be chosen. The best one is first. */
  readonly oneOf: Int32Array
}

/** The data that the counters depend on. */
export interface CountedDeps {
  readonly clusterCounts: ClusterCounts
  readonly nodes: readonly ExistingNode[]
  readonly domains: Domains
  readonly constraintsTable: ClaimConstraintsTable
}

/** The counters of all topology groups while pods are placed. Hosts are numbered: first the nodes of the snapshot, then new claims. */
export class TopologyCounts {
  readonly #counts: GroupCounts
  readonly #nodes: readonly ExistingNode[]
  readonly #domains: Domains
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #filterVerdicts: Map<number, boolean>[] = []
  readonly #pods: readonly BatchPod[]
  /**
   * The groups (by number) of the required terms of the pods to be placed. Computed on first use, because most what-ifs do not need them.
   */
  #demanded: ReadonlySet<number> | undefined
  /** The domains that the last call of `narrow` left. */
  #left = new Int32Array(16)
  #size = 0
  readonly #one = new Int32Array(1)

  /** `pods` are the pods to be placed. */
  constructor({ clusterCounts, nodes, domains, constraintsTable }: CountedDeps, pods: readonly BatchPod[]) {
    this.#pods = pods
    this.#counts = new GroupCounts(clusterCounts)
    this.#nodes = nodes
    this.#domains = domains
    this.#constraintsTable = constraintsTable
  }

  /** Incremented by every change, so that results can be cached. */
  get version(): number {
    return this.#counts.version
  }

  /** Returns whether the group counts any pod in any domain. */
  hasPods(group: TopologyGroup): boolean {
    return this.#counts.hasPods(group)
  }

  /** Returns whether the hostname terms of a pod allow a node or claim. */
  allowsHost(variant: Variant, equivalenceGroup: EquivalenceGroup, host: HostId): boolean {
    const { hostGroups } = variant
    for (let place = 0; place < hostGroups.length; place++) {
      const group = hostGroups[place]
      if (group === undefined) continue
      const count = this.#counts.hostsOf(group).get(host)
      switch (group.type) {
        case 'anti-affinity':
          if (count > 0) return false
          break
        case 'spread':
          if (count + this.#self(group, equivalenceGroup) > group.maxSkew) return false
          break
        case 'affinity':
          if (count === 0 && !this.#mayOpenHost(group, variant, equivalenceGroup)) return false
      }
    }
    return true
  }

  /**
   * Returns whether the hostname terms of a variant may accept a host later that they refuse at present. Only affinity terms can: they
   * accept the host once it has a matching pod.
   */
  mayRelent(variant: Variant): boolean {
    return variant.hostGroups.some(({ type }) => type === 'affinity')
  }

  /**
   * Returns whether a pod may be the first pod of the groups of its required affinity. This is allowed if these groups do not count any pod
   * yet (`docs/spec/scheduling.md#affinity`).
   */
  #mayBegin({ affinity }: EquivalenceGroup): boolean {
    for (let place = 0; place < affinity.length; place++) {
      const group = affinity[place]
      if (group !== undefined && this.hasPods(group)) return false
    }
    return true
  }

  /**
   * Returns whether a pod may be the first pod of an affinity group on a host. This is allowed only if no counted pod runs on another host
   * that the pod could join.
   */
  #mayOpenHost(group: TopologyGroup, variant: Variant, equivalenceGroup: EquivalenceGroup): boolean {
    if (this.#self(group, equivalenceGroup) === 0) return false
    if (equivalenceGroup.affinity.includes(group)) return this.#mayBegin(equivalenceGroup)
    const hosts = this.#counts.hostsOf(group)
    if (hosts.occupied === 0) return true
    const wanted = variant.strict.byKey.get(labels.hostname)
    if (wanted === undefined) return false
    for (const host of hosts.hosts()) {
      const name = this.#nodes[host]?.labelValues.get(labels.hostname)
      if (hosts.get(host) > 0 && (name === undefined ? wanted.complement : wanted.has(name))) return false
    }
    return true
  }

  /** Returns whether the terms of a pod allow a node, whose domains are known. */
  allowsNode(variant: Variant, equivalenceGroup: EquivalenceGroup, node: ExistingNode): boolean {
    for (const terms of variant.keyTerms) {
      if (terms.groups.length === 0) continue
      const value = node.labelValues.get(this.#domains.keys[terms.key] ?? '')
      const domain = value === undefined ? undefined : this.#domains.numberOf(terms.key, value)
      if (domain === undefined) {
        if (terms.onlyAvoids) continue
        return false
      }
      this.#one[0] = domain
      if (this.narrow(terms, equivalenceGroup, this.#one) === NOTHING) return false
    }
    return true
  }

  /** Returns the lowest number of pods in any eligible domain. A spread constraint compares the other counts with this number. */
  #fewest(group: TopologyGroup, allowed: Uint8Array | undefined): number {
    const counts = this.#counts.countsOf(group)
    const registered = this.#counts.registeredOf(group)
    let fewest = MANY
    let domains = 0
    for (let domain = 0; domain < counts.length; domain++) {
      if (registered[domain] !== 1 || (allowed !== undefined && allowed[domain] !== 1)) continue
      domains++
      const count = intAt(counts, domain, 'pods by domain')
      if (count < fewest) fewest = count
    }
    return group.minDomains !== undefined && domains < group.minDomains ? 0 : fewest
  }

  /**
   * Returns the `open` domains that the groups of one label allow; `undefined` if they allow none. Each group checks the domains, and the
   * results are intersected. Of the remaining domains, spread constraints prefer those with the fewest pods
   * (`docs/spec/scheduling.md#checking-a-placement`). In Karpenter, each spread constraint picks a domain independently, and the pod fails
   * if they pick different ones. Kerf chooses the best common domain.
   */
  choose(
    terms: KeyTerms,
    equivalenceGroup: EquivalenceGroup,
    open: Int32Array,
    byPrice = open,
  ): DomainChoice | undefined {
    const verdict = this.narrow(terms, equivalenceGroup, open)
    const left = Array.from(this.#left.subarray(0, this.#size))
    switch (verdict) {
      case NOTHING:
        return undefined
      case ANY_OF:
        return { any: Int32Array.from(left), oneOf: NO_DOMAIN }
      case ONE_OF:
        left.sort((a, b) => this.#emptier(terms.groups, a, b))
        return { any: NO_DOMAIN, oneOf: Int32Array.from(left) }
      case ONE_BY_PRICE:
        return { any: NO_DOMAIN, oneOf: byPrice.filter((domain) => left.includes(domain)) }
    }
  }

  /**
   * Does the same as `choose` without creating lists. Afterwards, `best` returns the best domain. If the result is `ANY_OF`, `size` domains
   * are left.
   */
  narrow(terms: KeyTerms, equivalenceGroup: EquivalenceGroup, open: Int32Array): Verdict {
    if (this.#left.length < open.length) this.#left = new Int32Array(2 * open.length)
    const { groups, allowed } = terms
    const left = this.#left
    left.set(open)
    let size = open.length
    let verdict: Verdict = ANY_OF
    for (let place = 0; place < groups.length && size > 0; place++) {
      const group = groups[place]
      if (group === undefined) continue
      const counts = this.#counts.countsOf(group)
      const registered = this.#counts.registeredOf(group)
      let kept = 0
      switch (group.type) {
        case 'spread': {
          const limit = group.maxSkew + this.#fewest(group, allowed) - this.#self(group, equivalenceGroup)
          for (let each = 0; each < size; each++) {
            const domain = intAt(left, each)
            if (registered[domain] === 1 && intAt(counts, domain, 'pods by domain') <= limit) left[kept++] = domain
          }
          verdict = ONE_OF
          break
        }
        case 'anti-affinity':
          for (let each = 0; each < size; each++) {
            const domain = intAt(left, each)
            if (counts[domain] === 0 && isAllowed(allowed, domain)) left[kept++] = domain
          }
          break
        case 'affinity':
          for (let each = 0; each < size; each++) {
            const domain = intAt(left, each)
            if (intAt(counts, domain, 'pods by domain') > 0 && isAllowed(allowed, domain)) left[kept++] = domain
          }
          if (kept > 0 || this.#self(group, equivalenceGroup) === 0) break
          // If a preferred affinity cannot be satisfied, Kerf relaxes it. So only the domains that the pod can use matter here.
          if (
            equivalenceGroup.affinity.includes(group)
              ? !this.#mayBegin(equivalenceGroup)
              : this.#counts.isOccupied(group, allowed)
          )
            break
          for (let each = 0; each < size; each++) {
            const domain = intAt(left, each)
            if (registered[domain] === 1 && isAllowed(allowed, domain)) left[kept++] = domain
          }
          verdict = ONE_OF
          break
      }
      size = kept
    }
    this.#size = size
    if (size === 0) return NOTHING
    if (verdict !== ANY_OF) return verdict
    return this.#isPinned(terms.pins) ? ONE_BY_PRICE : ANY_OF
  }

  /** The number of domains that the last call of `narrow` left. */
  get size(): number {
    return this.#size
  }

  /** Returns the domains that the last call of `narrow` left, ascending. */
  left(): number[] {
    return Array.from(this.#left.subarray(0, this.#size))
  }

  /** Returns the best domain that the last call of `narrow` left for these terms. */
  best(terms: KeyTerms): number {
    let best = intAt(this.#left, 0)
    for (let each = 1; each < this.#size; each++) {
      const domain = intAt(this.#left, each)
      if (this.#emptier(terms.groups, domain, best) < 0) best = domain
    }
    return best
  }

  /** Returns the first of these domains that the last call of `narrow` left. */
  first(byPrice: Int32Array): number {
    for (let place = 0; place < byPrice.length; place++) {
      const domain = intAt(byPrice, place)
      for (let each = 0; each < this.#size; each++) if (this.#left[each] === domain) return domain
    }
    return intAt(this.#left, 0)
  }

  #isPinned(pins: readonly TopologyGroup[]): boolean {
    if (pins.length === 0) return false
    this.#demanded ??= demandedBy(this.#pods)
    for (let place = 0; place < pins.length; place++) if (this.#demanded.has(pins[place]?.id ?? -1)) return true
    return false
  }

  /**
   * Compares two domains by the spread constraints among the groups. A negative result means that the constraints prefer the first domain.
   */
  #emptier(groups: readonly TopologyGroup[], a: number, b: number): number {
    for (let place = 0; place < groups.length; place++) {
      const group = groups[place]
      if (group?.type !== 'spread') continue
      const counts = this.#counts.countsOf(group)
      const difference = intAt(counts, a, 'pods by domain') - intAt(counts, b, 'pods by domain')
      if (difference !== 0) return difference
    }
    return a - b
  }

  #self(group: TopologyGroup, equivalenceGroup: EquivalenceGroup): number {
    return equivalenceGroup.counting.includes(group) ? 1 : 0
  }

  /** Counts a pod on a node. If `amount` is -1, removes it from the counts. */
  recordOnNode(equivalenceGroup: EquivalenceGroup, host: HostId, node: ExistingNode, amount = 1): void {
    const record = (group: TopologyGroup) => {
      if (group.isHost) this.#counts.addHost(group, host, amount)
      else {
        const value = node.labelValues.get(group.key)
        const domain = value === undefined ? undefined : this.#domains.numberOf(group.keyNumber, value)
        if (domain !== undefined) this.#counts.add(group, domain, amount)
      }
    }
    for (const group of equivalenceGroup.counting) {
      if (passesFilter(group.filter, node.requirements, node.taints)) record(group)
    }
    for (const group of equivalenceGroup.inverseOwned) record(group)
  }

  /**
   * Counts a pod on a claim. While several domains are possible for the claim, spread and affinity do not count the pod in any of them, and
   * anti-affinity counts it in all of them.
   */
  recordOnClaim(equivalenceGroup: EquivalenceGroup, host: HostId, constraintsId: ConstraintsId): void {
    if (equivalenceGroup.counting.length === 0 && equivalenceGroup.inverseOwned.length === 0) return
    const constraints = this.#constraintsTable.get(constraintsId)
    for (const group of equivalenceGroup.counting) {
      if (!this.#passes(group, constraints)) continue
      if (group.isHost) this.#counts.addHost(group, host)
      else {
        const { domains } = this.#openDomains(constraints, group)
        if (group.type === 'anti-affinity') for (const domain of domains) this.#counts.add(group, domain)
        else if (domains.length === 1 && domains[0] !== undefined) this.#counts.add(group, domains[0])
      }
    }
    for (const group of equivalenceGroup.inverseOwned) {
      if (group.isHost) this.#counts.addHost(group, host)
      else for (const domain of this.#openDomains(constraints, group).domains) this.#counts.add(group, domain)
    }
  }

  #openDomains(constraints: ClaimConstraints, group: TopologyGroup): OpenDomains {
    return this.#constraintsTable.openDomains(constraints.id, group.keyNumber)
  }

  #passes(group: TopologyGroup, constraints: ClaimConstraints): boolean {
    if (group.filter === undefined) return true
    this.#filterVerdicts[group.id] ??= new Map()
    const verdicts = this.#filterVerdicts[group.id]
    let verdict = verdicts?.get(constraints.id)
    if (verdict === undefined) {
      verdict = passesFilter(group.filter, constraints.requirements, constraints.index.template.taints)
      verdicts?.set(constraints.id, verdict)
    }
    return verdict
  }
}

const demandedBy = (pods: readonly BatchPod[]): ReadonlySet<number> => {
  const ids = new Set<number>()
  const equivalenceGroups = new Set(pods.map(({ equivalenceGroup }) => equivalenceGroup))
  for (const { demanded } of equivalenceGroups) for (const { id } of demanded) ids.add(id)
  return ids
}
