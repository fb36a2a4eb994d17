import type { BatchPod, EquivalenceGroup } from '../model/equivalence-group.ts'
import type { Problem } from '../problem/problem.ts'
import { Requirements } from '../requirements/requirements.ts'
import { AffinityLinks } from './affinity-links.ts'
import { affinityKeys, affinityPlaces, mayBeAt } from './affinity-places.ts'

/** The places to which the search restricts pods, and the pods that it places last. */
export interface Holds {
  readonly places: ReadonlyMap<BatchPod, Requirements>
  readonly last: ReadonlySet<BatchPod>
}

export const NO_HOLDS: Holds = { places: new Map(), last: new Set() }

/** The result of packing while pods are restricted to places. */
export interface Outcome {
  readonly left: readonly BatchPod[]
  readonly claims: number
}

/** Restrictions that were tried, and the result. */
interface State {
  readonly holds: Holds
  readonly outcome: Outcome
}

/** If a batch has more pods than this, an attempt packs only the pods that affinity ties to an unplaced pod. */
const FEW_PODS = 100
/** The maximum number of attempts in a decision. */
const MOST_TRIES = 200
/** The maximum number of consecutive moves that place one pod but displace another one. */
const MOST_EXCHANGES = 2
/** The maximum number of pods to try as leader of an unplaced pod. A leader is a pod that another pod must be near. */
const MOST_LEADERS = 4

/**
 * Searches for places in which more pods can be together. Packing places pods one by one, so the first pod of a group may choose a domain
 * in which other pods of the group cannot run. For each equivalence group with an unplaced pod, the search takes the pods that required
 * affinity ties to it, and tries them in each domain that the pod could use (`docs/spec/scheduling.md#pods-that-must-be-together`). If no
 * unplaced pod has required affinity, the search costs nothing. It packs only a limited number of pods.
 */
export class AffinitySearch {
  readonly #problem: Problem
  readonly #queue: readonly BatchPod[]
  readonly #pack: (pods: readonly BatchPod[], holds: Holds) => Outcome
  readonly #mostPacked: number
  #packed = 0
  #tries = 0

  /**
   * All attempts together pack at most `mostPacked` pods. `pack` packs only the given pods, returns the unplaced ones, and has no side
   * effects.
   */
  constructor(
    problem: Problem,
    queue: readonly BatchPod[],
    mostPacked: number,
    pack: (pods: readonly BatchPod[], holds: Holds) => Outcome,
  ) {
    this.#problem = problem
    this.#queue = queue.filter((pod) => pod.equivalenceGroup.refusal === undefined)
    this.#mostPacked = mostPacked
    this.#pack = pack
  }

  /** Returns restrictions that let the plan place more pods. Returns `NO_HOLDS` if the search finds none. */
  search(left: readonly BatchPod[]): Holds {
    const links = new AffinityLinks(this.#queue)
    let holds = NO_HOLDS
    const done = new Set<EquivalenceGroup>()
    for (const { equivalenceGroup } of left) {
      if (done.has(equivalenceGroup)) continue
      done.add(equivalenceGroup)
      // If affinity ties no other pod to this one, packing has already tried the pod everywhere.
      if (links.tiedTo(equivalenceGroup, affinityKeys(equivalenceGroup)).length < 2) continue
      holds = this.#improved(equivalenceGroup, this.#triedWith(equivalenceGroup, links), links, holds)
    }
    return holds
  }

  /**
   * Returns the pods that an attempt packs: all pods of a small batch, otherwise only the pods that affinity ties to the equivalence group.
   */
  #triedWith(equivalenceGroup: EquivalenceGroup, links: AffinityLinks): readonly BatchPod[] {
    if (this.#queue.length <= FEW_PODS) return this.#queue
    const keys = new Set(this.#queue.flatMap((pod) => pod.equivalenceGroup.affinity.map(({ key }) => key)))
    return links.tiedTo(equivalenceGroup, keys)
  }

  /** Repeats the best step for one equivalence group until no step places more pods. */
  #improved(equivalenceGroup: EquivalenceGroup, pods: readonly BatchPod[], links: AffinityLinks, from: Holds): Holds {
    const start = this.#try(pods, from)
    let best: State | undefined = start
    for (let next = start; next?.outcome.left.some((pod) => pod.equivalenceGroup === equivalenceGroup); ) {
      best = next
      next = this.#step(equivalenceGroup, pods, links, next, MOST_EXCHANGES)
      if (next !== undefined) best = next
    }
    return best?.holds ?? from
  }

  /**
   * Returns the best state after one move for an equivalence group, if the move places more pods. Otherwise, tries moves that place the pod
   * but displace another pod, and then moves for the displaced pod.
   */
  #step(
    equivalenceGroup: EquivalenceGroup,
    pods: readonly BatchPod[],
    links: AffinityLinks,
    from: State,
    exchanges: number,
  ): State | undefined {
    let best: State | undefined
    const exchanged: State[] = []
    for (const holds of this.#moves(equivalenceGroup, from.outcome.left, links, from.holds)) {
      const tried = this.#try(pods, holds)
      if (tried === undefined) return best
      const { left } = tried.outcome
      if (left.length < from.outcome.left.length) {
        if (best === undefined || isBetter(tried.outcome, best.outcome)) best = tried
      } else if (left.length === from.outcome.left.length) exchanged.push(tried)
    }
    if (best !== undefined || exchanges === 0) return best
    const waiting = new Set(from.outcome.left.map((pod) => pod.equivalenceGroup))
    for (const state of exchanged) {
      const others = new Set(state.outcome.left.map((pod) => pod.equivalenceGroup)).difference(waiting)
      for (const other of others) {
        if (other.affinity.length === 0) continue
        const found = this.#step(other, pods, links, state, exchanges - 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  #try(pods: readonly BatchPod[], holds: Holds): State | undefined {
    if (this.#tries === MOST_TRIES || this.#packed + pods.length > this.#mostPacked) return undefined
    this.#tries++
    this.#packed += pods.length
    return { holds, outcome: this.#pack(pods, holds) }
  }

  /** Yields restrictions for placing a pod of the group, one place after the other. */
  *#moves(
    equivalenceGroup: EquivalenceGroup,
    left: readonly BatchPod[],
    links: AffinityLinks,
    from: Holds,
  ): Iterable<Holds> {
    const keys = affinityKeys(equivalenceGroup)
    const tied = links.tiedTo(equivalenceGroup, keys)
    const member = left.find((pod) => pod.equivalenceGroup === equivalenceGroup)
    for (const place of affinityPlaces(this.#problem, equivalenceGroup)) {
      yield this.#allAt(place, keys, tied, from)
      if (member === undefined) continue
      for (const chain of this.#chains(member, keys, links, from)) {
        if (chain.every((pod) => mayBeAt(pod.equivalenceGroup, place))) yield withPlaces(from, chain, place)
      }
    }
  }

  /** Restricts all pods that are tied together to one place. Pods that must be near others but cannot run there are placed last. */
  #allAt(place: Requirements, keys: ReadonlySet<string>, tied: readonly BatchPod[], from: Holds): Holds {
    const free = tied.filter((pod) => !this.#problem.plannedNode.has(pod))
    const able = free.filter(({ equivalenceGroup }) => mayBeAt(equivalenceGroup, place))
    const last = new Set(from.last)
    for (const pod of free) {
      if (!mayBeAt(pod.equivalenceGroup, place) && pod.equivalenceGroup.affinity.some(({ key }) => keys.has(key)))
        last.add(pod)
    }
    for (const pod of able) last.delete(pod)
    return { ...withPlaces(from, able, place), last }
  }

  /**
   * Returns chains of pods to restrict to one place. A chain consists of the pod, one pod of each group that it must be near, the pods that
   * these must be near, and so on. The number of leaders is limited.
   */
  #chains(
    pod: BatchPod,
    keys: ReadonlySet<string>,
    links: AffinityLinks,
    from: Holds,
  ): readonly (readonly BatchPod[])[] {
    const [first] = pod.equivalenceGroup.affinity.filter((group) => !pod.equivalenceGroup.counting.includes(group))
    if (first === undefined) return []
    const leaders = new Map<string, BatchPod>()
    for (const leader of freeFirst(links.countedBy(first), from)) {
      const text = `${leader.equivalenceGroup.id} ${from.places.get(leader)?.identity ?? ''}`
      if (leader !== pod && !leaders.has(text)) leaders.set(text, leader)
    }
    return [...leaders.values()]
      .slice(0, MOST_LEADERS)
      .flatMap((leader) => this.#chainOf([pod, leader], keys, links, from) ?? [])
      .map((chain) => chain.filter((each) => !this.#problem.plannedNode.has(each)))
  }

  #chainOf(
    start: readonly BatchPod[],
    keys: ReadonlySet<string>,
    links: AffinityLinks,
    from: Holds,
  ): readonly (readonly BatchPod[])[] | undefined {
    const chain = [...start]
    for (const pod of chain) {
      for (const group of pod.equivalenceGroup.affinity) {
        if (!keys.has(group.key) || chain.some(({ equivalenceGroup }) => equivalenceGroup.counting.includes(group)))
          continue
        const [leader] = freeFirst(links.countedBy(group), from)
        if (leader === undefined) return undefined
        chain.push(leader)
      }
    }
    return [chain]
  }
}

/** Returns the pods without a restriction first, then the others. Each part is in reverse order of the queue. */
const freeFirst = (pods: readonly BatchPod[], { places }: Holds): readonly BatchPod[] => {
  const fromEnd = pods.toReversed()
  return [...fromEnd.filter((pod) => !places.has(pod)), ...fromEnd.filter((pod) => places.has(pod))]
}

/** Returns whether `one` places more pods, or as many pods on fewer new nodes. */
const isBetter = (one: Outcome, other: Outcome): boolean =>
  one.left.length < other.left.length || (one.left.length === other.left.length && one.claims < other.claims)

const withPlaces = (from: Holds, pods: readonly BatchPod[], place: Requirements): Holds => {
  const places = new Map(from.places)
  for (const pod of pods) {
    let own = places.get(pod) ?? Requirements.none
    for (const requirement of place.byKey.values()) own = own.replace(requirement)
    places.set(pod, own)
  }
  return { ...from, places }
}
