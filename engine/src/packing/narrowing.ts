import type { States } from '../instance-types/claim-constraints.ts'
import { NO_STATE } from '../model/claim-constraints.ts'
import type { KeyTerms, PodClass, Variant } from '../model/pod-group.ts'
import { portsConflict } from '../pods/host-ports.ts'
import { ANY_OF, type Choice, NOTHING, ONE_BY_PRICE, type TopologyCounts } from '../topology/counts.ts'

/** Combinations of domains that a new claim is tried with. */
const MOST_COMBINATIONS = 64

/**
 * What a claim becomes when a pod joins it: its state narrowed by the pod's requirements, by one alternative of its
 * volumes, and last by its topology. During one attempt the answer depends on the state alone, so it is worked out once
 * for each state.
 */
export class Narrowing {
  readonly #states: States
  readonly #counts: TopologyCounts
  #attempt = 0
  #stamps = new Int32Array(64)
  #results = new Int32Array(64)

  constructor(states: States, counts: TopologyCounts) {
    this.#states = states
    this.#counts = counts
  }

  /** Forgets the answers of the attempt before. */
  begin(): void {
    this.#attempt++
  }

  /** The state after the best choice of domains. */
  best(from: number, variant: Variant, podClass: PodClass, alternative: number): number {
    if (alternative > 0) return this.#best(from, variant, podClass, alternative)
    if (from >= this.#stamps.length) this.#grow(from)
    if (this.#stamps[from] !== this.#attempt) {
      this.#results[from] = this.#best(from, variant, podClass, alternative)
      this.#stamps[from] = this.#attempt
    }
    return this.#results[from] ?? NO_STATE
  }

  #best(from: number, variant: Variant, podClass: PodClass, alternative: number): number {
    const base = this.joined(from, variant, podClass, alternative)
    const { keyTerms } = variant
    let to = base
    for (let place = 0; place < keyTerms.length && to !== NO_STATE; place++) {
      const terms = keyTerms[place]
      if (terms !== undefined) to = this.#held(to, base, terms, podClass)
    }
    return to
  }

  /** The state held to the best domain for some terms, or to all that they leave if any will do. */
  #held(to: number, base: number, terms: KeyTerms, podClass: PodClass): number {
    const states = this.#states
    const counts = this.#counts
    const { domains, byPrice } = states.openDomains(base, terms.key)
    if (domains.length === 0 && terms.groups.length === 0) return to
    const verdict = counts.narrow(terms, podClass, domains)
    if (verdict === NOTHING) return NO_STATE
    if (verdict === ANY_OF) return counts.size === domains.length ? to : states.pin(to, terms.key, counts.left())
    return states.pinOne(to, terms.key, verdict === ONE_BY_PRICE ? counts.first(byPrice) : counts.best(terms))
  }

  /** The states after every choice of domains, best first. */
  all(from: number, variant: Variant, podClass: PodClass, alternative: number): readonly number[] {
    const base = this.joined(from, variant, podClass, alternative)
    if (base === NO_STATE) return []
    let reached: readonly number[] = [base]
    for (const terms of variant.keyTerms) {
      const choice = this.#choose(terms, podClass, base)
      if (choice === undefined) return []
      const ways = Math.max(1, choice.oneOf.length)
      const next: number[] = []
      for (const state of reached) {
        for (let way = 0; way < ways && next.length < MOST_COMBINATIONS; way++) {
          const to = this.#pin(state, base, terms, choice, way)
          if (to !== NO_STATE) next.push(to)
        }
      }
      reached = next
    }
    return reached
  }

  /** The state after requirements and volumes, before topology. */
  joined(from: number, variant: Variant, podClass: PodClass, alternative: number): number {
    const states = this.#states
    let to = states.join(from, variant.requirements)
    const volumes = podClass.volumeAlternatives[alternative]
    if (to !== NO_STATE && volumes !== undefined) to = states.join(to, states.requirementNumber(volumes))
    if (to === NO_STATE || podClass.ports.length === 0) return to
    const { daemonGroups } = states.get(to).index.template
    const conflicting: number[] = []
    for (const [group, { ports }] of daemonGroups.entries()) {
      if (portsConflict(podClass.ports, ports)) conflicting.push(group)
    }
    return conflicting.length === 0 ? to : states.exclude(to, conflicting)
  }

  #choose(terms: KeyTerms, podClass: PodClass, base: number): Choice | undefined {
    const { domains, byPrice } = this.#states.openDomains(base, terms.key)
    // Nothing but a wish to be found: a node whose domain nobody knows is as good as any.
    if (domains.length === 0 && terms.groups.length === 0) return { any: domains, oneOf: domains }
    return this.#counts.choose(terms, podClass, domains, byPrice)
  }

  #pin(state: number, base: number, terms: KeyTerms, choice: Choice, way: number): number {
    const one = choice.oneOf[way]
    if (one !== undefined) return this.#states.pinOne(state, terms.key, one)
    const open = this.#states.openDomains(base, terms.key).domains.length
    return choice.any.length === open ? state : this.#states.pin(state, terms.key, Array.from(choice.any))
  }

  #grow(state: number): void {
    const length = Math.max(state + 1, this.#stamps.length * 2)
    const stamps = new Int32Array(length)
    stamps.set(this.#stamps)
    this.#stamps = stamps
    const results = new Int32Array(length)
    results.set(this.#results)
    this.#results = results
  }
}
