import { intAt } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { NO_CONSTRAINTS, type OpenDomains } from '../model/claim-constraints.ts'
import type { EquivalenceGroup, KeyTerms, Variant } from '../model/equivalence-group.ts'
import type { ConstraintsId } from '../model/ids.ts'
import { portsConflict } from '../pods/host-ports.ts'
import {
  ANY_OF,
  type DomainChoice,
  NOTHING,
  ONE_BY_PRICE,
  type TopologyCounts,
  type Verdict,
} from '../topology/topology-counts.ts'

/** The choice of domains for a node that must not have the topology label. */
const NO_DOMAIN: DomainChoice = { any: new Int32Array(0), oneOf: new Int32Array(0) }

/** The maximum number of combinations of domains to try for a new claim. */
const MOST_COMBINATIONS = 64

/**
 * Computes the constraints of a claim after a pod joins it: narrowed by the pod's requirements, by one of its volume alternatives, and
 * finally by its topology terms. Within one attempt, the result depends only on the claim's present constraints, so it is cached by their
 * number.
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

  /** Discards the results of the previous attempt. */
  begin(): void {
    this.#attempt++
  }

  /** Returns the constraints narrowed by requirements, volumes, and the best choice of domains. */
  best(from: ConstraintsId, variant: Variant, equivalenceGroup: EquivalenceGroup, alternative: number): ConstraintsId {
    if (alternative > 0) return this.#best(from, variant, equivalenceGroup, alternative)
    if (from >= this.#attempts.length) this.#grow(from)
    if (this.#attempts[from] !== this.#attempt) {
      this.#results[from] = this.#best(from, variant, equivalenceGroup, alternative)
      this.#attempts[from] = this.#attempt
    }
    return intAt(this.#results, from) as ConstraintsId
  }

  #best(from: ConstraintsId, variant: Variant, equivalenceGroup: EquivalenceGroup, alternative: number): ConstraintsId {
    const base = this.joined(from, variant, equivalenceGroup, alternative)
    const { keyTerms } = variant
    let to = base
    for (let place = 0; place < keyTerms.length && to !== NO_CONSTRAINTS; place++) {
      const terms = keyTerms[place]
      if (terms !== undefined) to = this.#held(to, base, terms, equivalenceGroup)
    }
    return to
  }

  /**
   * Returns the constraints, restricted to the best domain for the topology terms of one label. If all allowed domains are equally good,
   * returns the constraints restricted to all of them.
   */
  #held(to: ConstraintsId, base: ConstraintsId, terms: KeyTerms, equivalenceGroup: EquivalenceGroup): ConstraintsId {
    const constraintsTable = this.#constraintsTable
    const counts = this.#counts
    const open = constraintsTable.openDomains(base, terms.key)
    if (open.domains.length === 0 && terms.onlyAvoids) return to
    const verdict = counts.narrow(terms, equivalenceGroup, open.domains)
    if (verdict === ANY_OF && counts.size === open.domains.length) return to
    const held = verdict === NOTHING ? NO_CONSTRAINTS : this.#pinBest(to, open, terms, verdict)
    return held === NO_CONSTRAINTS && open.mayBeAbsent && terms.onlyAvoids
      ? constraintsTable.pinNone(to, terms.key)
      : held
  }

  /**
   * Returns the constraints restricted to the best domain that the counts allow. If all domains that they allow are equally good, restricts
   * the constraints to all of them.
   */
  #pinBest(to: ConstraintsId, { byPrice }: OpenDomains, terms: KeyTerms, verdict: Verdict): ConstraintsId {
    const counts = this.#counts
    if (verdict === ANY_OF) return this.#constraintsTable.pin(to, terms.key, counts.left())
    const best = verdict === ONE_BY_PRICE ? counts.first(byPrice) : counts.best(terms)
    return this.#constraintsTable.pinOne(to, terms.key, best)
  }

  /** Returns the narrowed constraints for each choice of domains, best first. */
  all(
    from: ConstraintsId,
    variant: Variant,
    equivalenceGroup: EquivalenceGroup,
    alternative: number,
  ): readonly ConstraintsId[] {
    const constraintsTable = this.#constraintsTable
    const base = this.joined(from, variant, equivalenceGroup, alternative)
    if (base === NO_CONSTRAINTS) return []
    let reached: readonly ConstraintsId[] = [base]
    for (const terms of variant.keyTerms) {
      const choice = this.#choose(terms, equivalenceGroup, base)
      if (choice === undefined) return []
      const ways = Math.max(1, choice.oneOf.length)
      const next: ConstraintsId[] = []
      for (const constraints of reached) {
        for (let way = 0; way < ways && next.length < MOST_COMBINATIONS; way++) {
          const to = this.#pin(constraints, base, terms, choice, way)
          if (to !== NO_CONSTRAINTS) next.push(to)
        }
      }
      if (next.length === 0 && terms.onlyAvoids && constraintsTable.openDomains(base, terms.key).mayBeAbsent) {
        for (const constraints of reached) {
          const to = constraintsTable.pinNone(constraints, terms.key)
          if (to !== NO_CONSTRAINTS) next.push(to)
        }
      }
      reached = next
    }
    return reached
  }

  /** Returns the constraints narrowed by requirements and volumes, before topology is considered. */
  joined(
    from: ConstraintsId,
    variant: Variant,
    equivalenceGroup: EquivalenceGroup,
    alternative: number,
  ): ConstraintsId {
    const constraintsTable = this.#constraintsTable
    let to = constraintsTable.join(from, variant.requirements)
    const volumes = equivalenceGroup.volumeAlternatives[alternative]
    if (to !== NO_CONSTRAINTS && volumes !== undefined)
      to = constraintsTable.join(to, constraintsTable.requirementNumber(volumes))
    if (to === NO_CONSTRAINTS || equivalenceGroup.ports.length === 0) return to
    const { daemonGroups } = constraintsTable.get(to).index.template
    const conflicting: number[] = []
    for (const [group, { ports }] of daemonGroups.entries()) {
      if (portsConflict(equivalenceGroup.ports, ports)) conflicting.push(group)
    }
    return conflicting.length === 0 ? to : constraintsTable.exclude(to, conflicting)
  }

  #choose(terms: KeyTerms, equivalenceGroup: EquivalenceGroup, base: ConstraintsId): DomainChoice | undefined {
    const { domains, byPrice, mayBeAbsent } = this.#constraintsTable.openDomains(base, terms.key)
    // All terms are anti-affinity. So a node that lacks the label, or whose domain is not known yet, is allowed.
    if (domains.length === 0 && terms.onlyAvoids) return { any: domains, oneOf: domains }
    const choice = this.#counts.choose(terms, equivalenceGroup, domains, byPrice)
    return choice === undefined && mayBeAbsent && terms.onlyAvoids ? NO_DOMAIN : choice
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
