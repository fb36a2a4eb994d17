import { intAt } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { ConstraintsId } from '../model/ids.ts'
import type { KeyTerms, PodGroup, Variant } from '../model/pod-group.ts'
import { portsConflict } from '../pods/host-ports.ts'
import { ANY_OF, type DomainChoice, NOTHING, ONE_BY_PRICE, type TopologyCounts } from '../topology/topology-counts.ts'

/** Combinations of domains that a new claim is tried with. */
const MOST_COMBINATIONS = 64

/**
 * What a claim becomes when a pod joins it: its state narrowed by the pod's requirements, by one alternative of its
 * volumes, and last by its topology. During one attempt the answer depends on the state alone, so it is worked out once
 * for each state.
 */
export class Narrowing {
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #counts: TopologyCounts
  #attempt = 0
  #attempts = new Int32Array(64)
  #results = new Int32Array(64)

  constructor(constraintsTable: ClaimConstraintsTable, counts: TopologyCounts) {
    this.#constraintsTable = constraintsTable
    this.#counts = counts
  }

  /** Forgets the answers of the attempt before. */
  begin(): void {
    this.#attempt++
  }

  /** The state after the best choice of domains. */
  best(from: ConstraintsId, variant: Variant, podGroup: PodGroup, alternative: number): ConstraintsId {
    if (alternative > 0) return this.#best(from, variant, podGroup, alternative)
    if (from >= this.#attempts.length) this.#grow(from)
    if (this.#attempts[from] !== this.#attempt) {
      this.#results[from] = this.#best(from, variant, podGroup, alternative)
      this.#attempts[from] = this.#attempt
    }
    return intAt(this.#results, from) as ConstraintsId
  }

  #best(from: ConstraintsId, variant: Variant, podGroup: PodGroup, alternative: number): ConstraintsId {
    const base = this.joined(from, variant, podGroup, alternative)
    const { keyTerms } = variant
    let to = base
    for (let place = 0; place < keyTerms.length && to !== NO_CONSTRAINTS; place++) {
      const terms = keyTerms[place]
      if (terms !== undefined) to = this.#held(to, base, terms, podGroup)
    }
    return to
  }

  /** The state held to the best domain for some terms, or to all that they leave if any will do. */
  #held(to: ConstraintsId, base: ConstraintsId, terms: KeyTerms, podGroup: PodGroup): ConstraintsId {
    const constraintsTable = this.#constraintsTable
    const counts = this.#counts
    const { domains, byPrice } = constraintsTable.openDomains(base, terms.key)
    if (domains.length === 0 && terms.groups.length === 0) return to
    const verdict = counts.narrow(terms, podGroup, domains)
    if (verdict === NOTHING) return NO_CONSTRAINTS
    if (verdict === ANY_OF)
      return counts.size === domains.length ? to : constraintsTable.pin(to, terms.key, counts.left())
    return constraintsTable.pinOne(to, terms.key, verdict === ONE_BY_PRICE ? counts.first(byPrice) : counts.best(terms))
  }

  /** The states after every choice of domains, best first. */
  all(from: ConstraintsId, variant: Variant, podGroup: PodGroup, alternative: number): readonly ConstraintsId[] {
    const base = this.joined(from, variant, podGroup, alternative)
    if (base === NO_CONSTRAINTS) return []
    let reached: readonly ConstraintsId[] = [base]
    for (const terms of variant.keyTerms) {
      const choice = this.#choose(terms, podGroup, base)
      if (choice === undefined) return []
      const ways = Math.max(1, choice.oneOf.length)
      const next: ConstraintsId[] = []
      for (const constraints of reached) {
        for (let way = 0; way < ways && next.length < MOST_COMBINATIONS; way++) {
          const to = this.#pin(constraints, base, terms, choice, way)
          if (to !== NO_CONSTRAINTS) next.push(to)
        }
      }
      reached = next
    }
    return reached
  }

  /** The state after requirements and volumes, before topology. */
  joined(from: ConstraintsId, variant: Variant, podGroup: PodGroup, alternative: number): ConstraintsId {
    const constraintsTable = this.#constraintsTable
    let to = constraintsTable.join(from, variant.requirements)
    const volumes = podGroup.volumeAlternatives[alternative]
    if (to !== NO_CONSTRAINTS && volumes !== undefined)
      to = constraintsTable.join(to, constraintsTable.requirementNumber(volumes))
    if (to === NO_CONSTRAINTS || podGroup.ports.length === 0) return to
    const { daemonGroups } = constraintsTable.get(to).index.template
    const conflicting: number[] = []
    for (const [group, { ports }] of daemonGroups.entries()) {
      if (portsConflict(podGroup.ports, ports)) conflicting.push(group)
    }
    return conflicting.length === 0 ? to : constraintsTable.exclude(to, conflicting)
  }

  #choose(terms: KeyTerms, podGroup: PodGroup, base: ConstraintsId): DomainChoice | undefined {
    const { domains, byPrice } = this.#constraintsTable.openDomains(base, terms.key)
    // Others look for the pod, but it looks for nobody: a node whose domain nobody knows is as good as any.
    if (domains.length === 0 && terms.groups.length === 0) return { any: domains, oneOf: domains }
    return this.#counts.choose(terms, podGroup, domains, byPrice)
  }

  #pin(
    constraints: ConstraintsId,
    base: ConstraintsId,
    terms: KeyTerms,
    choice: DomainChoice,
    way: number,
  ): ConstraintsId {
    const one = choice.oneOf[way]
    if (one !== undefined) return this.#constraintsTable.pinOne(constraints, terms.key, one)
    const open = this.#constraintsTable.openDomains(base, terms.key).domains.length
    return choice.any.length === open
      ? constraints
      : this.#constraintsTable.pin(constraints, terms.key, Array.from(choice.any))
  }

  #grow(constraints: ConstraintsId): void {
    const length = Math.max(constraints + 1, this.#attempts.length * 2)
    const attempts = new Int32Array(length)
    attempts.set(this.#attempts)
    this.#attempts = attempts
    const results = new Int32Array(length)
    results.set(this.#results)
    this.#results = results
  }
}
