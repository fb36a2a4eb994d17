import type { Node, TopologySpreadConstraint } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { matchesNodeAffinity } from '../objects/node-affinity.ts'
import { SCHEDULING_EFFECTS, untolerated } from '../objects/taints.ts'
import type { DomainCounter, DomainCounts } from './domain-counts.ts'
import type { PodClass } from './pod-class.ts'
import { affinityTerm, type NamespaceLabels, type PodTerm, spreadTerm } from './pod-terms.ts'

const REASON = {
  spread: "node(s) didn't match pod topology spread constraints",
  spreadLabel: "node(s) didn't match pod topology spread constraints (missing required label)",
  affinity: "node(s) didn't match pod affinity rules",
  antiAffinity: "node(s) didn't match pod anti-affinity rules",
  existing: "node(s) didn't satisfy existing pods anti-affinity rules",
} as const

interface Spread {
  readonly counter: DomainCounter
  readonly maxSkew: number
  readonly minDomains: number
  readonly self: number
}

interface Weighted {
  readonly counter: DomainCounter
  readonly weight: number
}

/**
 * The constraints and preferences of a pod class about its placement relative to other pods. A result is valid only at the time of the
 * call, because the underlying counts change.
 */
export class TopologyConstraints {
  readonly #podClass: PodClass
  readonly #counts: DomainCounts
  readonly #spread: readonly Spread[]
  readonly #softSpread: readonly Spread[]
  readonly #affinity: readonly DomainCounter[]
  readonly #selfAffine: boolean
  readonly #antiAffinity: readonly DomainCounter[]
  readonly #preferred: readonly Weighted[]
  readonly #holders: ExistingAntiAffinity
  readonly #against: DomainCounter[] = []
  #seen = 0

  constructor(podClass: PodClass, counts: DomainCounts, namespaces: NamespaceLabels, holders: ExistingAntiAffinity) {
    this.#podClass = podClass
    this.#counts = counts
    this.#holders = holders
    const spec = podClass.sample.spec
    const constraints = spec.topologySpreadConstraints ?? []
    const hard = constraints.filter((constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule')
    const soft = constraints.filter((constraint) => constraint.whenUnsatisfiable === 'ScheduleAnyway')
    this.#spread = hard.map((constraint) => this.#spreadOf(constraint, hard))
    this.#softSpread = soft.map((constraint) => this.#spreadOf(constraint, soft))
    const affinity = (spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) =>
      affinityTerm(term, podClass, namespaces),
    )
    // Another pod counts for required affinity only if it matches all terms.
    const together = affinity.map((term) => term.id).join('&')
    this.#affinity = affinity.map((term) =>
      counts.counter({
        id: `affinity ${term.topologyKey} ${together}`,
        topologyKey: term.topologyKey,
        counts: (other) => affinity.every((one) => one.selects(other)),
      }),
    )
    this.#selfAffine = affinity.every((term) => term.selects(podClass))
    const plain = (term: ReturnType<typeof affinityTerm>): DomainCounter =>
      counts.counter({ id: `pods ${term.id}`, topologyKey: term.topologyKey, counts: (other) => term.selects(other) })
    const anti = spec.affinity?.podAntiAffinity
    this.#antiAffinity = (anti?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) =>
      plain(affinityTerm(term, podClass, namespaces)),
    )
    const wishes = spec.affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    const aversions = anti?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    this.#preferred = [
      ...wishes.map(({ weight, podAffinityTerm }) => ({ weight, term: podAffinityTerm })),
      ...aversions.map(({ weight, podAffinityTerm }) => ({ weight: -weight, term: podAffinityTerm })),
    ].map(({ weight, term }) => ({ weight, counter: plain(affinityTerm(term, podClass, namespaces)) }))
  }

  /** Whether the placement of a pod on another node can change the result for this pod class. */
  get isConstrained(): boolean {
    this.#refresh()
    return this.#spread.length + this.#affinity.length + this.#antiAffinity.length + this.#against.length > 0
  }

  get hasPreferences(): boolean {
    return this.#softSpread.length + this.#preferred.length > 0
  }

  /** Runs the filters in the scheduler's order. Returns the reason of the first filter that rejects the row's node. */
  reasonAgainst(index: number): string | undefined {
    for (const { counter, maxSkew, minDomains, self } of this.#spread) {
      if (counter.domains.of(index) < 0) return REASON.spreadLabel
      if (counter.at(index) + self - counter.minimum(minDomains) > maxSkew) return REASON.spread
    }
    if (!this.#affinityHolds(index)) return REASON.affinity
    for (const counter of this.#antiAffinity) if (counter.at(index) > 0) return REASON.antiAffinity
    for (const counter of this.#against) if (counter.at(index) > 0) return REASON.existing
    return undefined
  }

  /** Must be called before each series of `reasonAgainst` calls. Adds the anti-affinity of pods that were placed since the last call. */
  prepare(): void {
    this.#refresh()
  }

  /** Returns the affinity score of a row. Higher is better. Only scores that were computed at the same time can be compared. */
  affinityScore(index: number): number {
    let score = 0
    for (const { counter, weight } of this.#preferred) score += weight * counter.at(index)
    return score
  }

  /**
   * Returns how crowded the row's domains are: the number of pods that already share each domain, weighted by the key's number of domains.
   * Lower is better.
   */
  crowding(index: number): number {
    let crowd = 0
    for (const { counter, maxSkew } of this.#softSpread) {
      if (counter.domains.of(index) < 0) return Number.POSITIVE_INFINITY
      crowd += counter.at(index) * Math.log(counter.domains.size + 2) + (maxSkew - 1)
    }
    return crowd
  }

  get hasSoftSpread(): boolean {
    return this.#softSpread.length > 0
  }

  #affinityHolds(index: number): boolean {
    if (this.#affinity.length === 0) return true
    if (this.#affinity.some((counter) => counter.domains.of(index) < 0)) return false
    if (this.#affinity.every((counter) => counter.at(index) > 0)) return true
    // The first pod of a pod class with affinity to itself may go anywhere, because there is no pod to join yet.
    return this.#selfAffine && this.#affinity.every((counter) => counter.total === 0)
  }

  #refresh(): void {
    for (; this.#seen < this.#holders.terms.length; this.#seen++) {
      const held = this.#holders.terms[this.#seen]
      if (held?.selects(this.#podClass)) this.#against.push(held.counter)
    }
  }

  #spreadOf(constraint: TopologySpreadConstraint, all: readonly TopologySpreadConstraint[]): Spread {
    const podClass = this.#podClass
    const spec = podClass.sample.spec
    const term = spreadTerm(constraint, podClass)
    const honorAffinity = (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor'
    const honorTaints = (constraint.nodeTaintsPolicy ?? 'Ignore') === 'Honor'
    const keys = all.map((one) => one.topologyKey)
    const eligible = (node: Node): boolean => {
      const labels = node.metadata.labels ?? {}
      if (keys.some((key) => ownValue(labels, key) === undefined)) return false
      if (honorAffinity && !matchesNodeAffinity(spec, node)) return false
      return !honorTaints || untolerated(node.spec.taints, spec.tolerations, SCHEDULING_EFFECTS) === undefined
    }
    const scope = [
      keys,
      honorAffinity
        ? [spec.nodeSelector, spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution]
        : 0,
      honorTaints ? spec.tolerations : 0,
    ]
    const counter = this.#counts.counter({
      id: `spread ${term.id} ${JSON.stringify(scope)}`,
      topologyKey: constraint.topologyKey,
      counts: (other) => term.selects(other),
      eligible,
      living: true,
    })
    return {
      counter,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      self: term.selects(podClass) ? 1 : 0,
    }
  }
}

interface HeldTerm {
  readonly counter: DomainCounter
  selects(podClass: PodClass): boolean
}

/** The required anti-affinity terms of existing pods, which exclude other pods from the domains of these pods. */
export class ExistingAntiAffinity {
  readonly terms: HeldTerm[] = []
  readonly #counts: DomainCounts
  readonly #namespaces: NamespaceLabels
  readonly #ids = new Set<string>()
  #terms = new WeakMap<PodClass, ReadonlyMap<string, PodTerm>>()

  constructor(counts: DomainCounts, namespaces: NamespaceLabels) {
    this.#counts = counts
    this.#namespaces = namespaces
  }

  clear(): void {
    this.terms.length = 0
    this.#ids.clear()
    this.#terms = new WeakMap()
  }

  /** Must be called for a pod class before the first pod of the class is placed. */
  note(podClass: PodClass): void {
    for (const [id, term] of this.#termsOf(podClass)) {
      if (this.#ids.has(id)) continue
      this.#ids.add(id)
      const counter = this.#counts.counter({
        id: `holders ${id}`,
        topologyKey: term.topologyKey,
        counts: (other) => this.#termsOf(other).has(id),
      })
      this.terms.push({ counter, selects: (other) => term.selects(other) })
    }
  }

  #termsOf(podClass: PodClass): ReadonlyMap<string, PodTerm> {
    const required = podClass.sample.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    if (required === undefined || required.length === 0) return NO_TERMS
    let terms = this.#terms.get(podClass)
    if (terms === undefined) {
      const resolved = required.map((term) => affinityTerm(term, podClass, this.#namespaces))
      terms = new Map(resolved.map((term) => [term.id, term]))
      this.#terms.set(podClass, terms)
    }
    return terms
  }
}

const NO_TERMS: ReadonlyMap<string, PodTerm> = new Map()
