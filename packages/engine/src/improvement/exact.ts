import { floatAt, intAt, outOfRange } from '../column.ts'
import type { Bin } from './bin.ts'
import type { Column } from './columns.ts'
import type { Pattern } from './master.ts'
import type { Model } from './model.ts'
import type { Packer } from './packer.ts'
import { Relaxation, toPattern } from './relaxation.ts'

/** Batches with more pod sets than this are not solved exactly. */
const MOST_FORMS = 40
/** Batches with more pods than this are not solved exactly. */
const MOST_PODS = 400
/** Two costs are treated as equal if they differ by less than this fraction of the total. */
const NOISE = 1e-9
/**
 * The first gap, as a fraction of the bound. The gap is how much a pattern (the possible content of a node) may cost in excess of the worth
 * of its pods.
 */
const FIRST_GAP = 0.002
/** The factor by which the gap grows. */
const GAP_GROWTH = 4
/** The maximum number of patterns. */
const MOST_PATTERNS = 50_000

export interface Exact {
  /** The cheapest nodes for these pods. `undefined` if no nodes are cheaper than the known ones, or if the search did not finish. */
  readonly bins: readonly Bin[] | undefined
  /** Whether it is proven that no cheaper nodes exist. */
  readonly isProven: boolean
  /** A lower bound for the cost of nodes for these pods, including surcharges. */
  readonly bound: number
  readonly duals: Float64Array | undefined
  readonly work: number
}

/**
 * Finds the cheapest plan by branch and price. A linear program over all possible contents of nodes assigns a worth to each pod, and gives
 * a lower bound for the plan's cost. A plan that is cheaper than the known one contains only nodes that cost little more than the worth of
 * their pods. The search combines these few nodes into complete plans. The optimum does not depend on how it was found, so an additional
 * offering cannot make the plan more expensive.
 * @param known the cost of the cheapest known nodes, including surcharges
 * @param budget the work after which the search stops
 */
export const exactPlan = (packer: Packer, columns: readonly Column[], known: number, budget: number): Exact => {
  return new Search(packer, columns, known, budget).run()
}

/** Returns whether a batch is small and flexible enough for the exact search. */
export const isSmall = ({ podSets, claims }: Model): boolean =>
  podSets.length <= MOST_FORMS &&
  podSets.reduce((sum, { pods }) => sum + pods.length, 0) <= MOST_PODS &&
  claims.every(({ fixed }) => fixed.length === 0)

class Search {
  readonly #packer: Packer
  readonly #columns: readonly Column[]
  readonly #known: number
  readonly #budget: number
  readonly #relaxation: Relaxation | undefined
  readonly #demand: readonly number[]
  #work = 0

  constructor(packer: Packer, columns: readonly Column[], known: number, budget: number) {
    this.#packer = packer
    this.#columns = columns
    this.#known = known
    this.#budget = budget
    this.#relaxation = Relaxation.of(packer, columns, NOISE * known)
    this.#demand = packer.model.podSets.map(({ pods }) => pods.length)
  }

  run(): Exact {
    const relaxation = this.#relaxation
    if (relaxation?.solve('certain', this.#budget) !== true) {
      return { bins: undefined, isProven: false, bound: 0, duals: undefined, work: this.#spent }
    }
    const worths = relaxation.master.duals.map((dual) => Math.max(0, dual))
    const bound = this.#demand.reduce((sum, count, podSet) => sum + count * floatAt(worths, podSet), 0)
    const noise = NOISE * this.#known
    const widest = this.#known - bound - noise
    const answer = { bound, duals: worths }
    if (widest <= 0) return { ...answer, bins: undefined, isProven: true, work: this.#spent }
    let before = -1
    for (let gap = FIRST_GAP * bound; ; gap *= GAP_GROWTH) {
      const tried = Math.min(gap, widest)
      const candidates = this.#within(relaxation, tried, worths)
      if (candidates === undefined) return { ...answer, bins: undefined, isProven: false, work: this.#spent }
      // If a wider gap adds no patterns, combining the same patterns again rarely helps.
      const isLast = tried >= widest
      if (candidates.length === before && !isLast) continue
      before = candidates.length
      const whole = this.#combine(candidates, tried)
      if (whole === undefined) return { ...answer, bins: undefined, isProven: false, work: this.#spent }
      if (whole !== 'none') return { ...answer, bins: whole, isProven: true, work: this.#spent }
      if (isLast) return { ...answer, bins: undefined, isProven: true, work: this.#spent }
    }
  }

  get #spent(): number {
    return this.#work + (this.#relaxation?.work ?? 0)
  }

  /**
   * Returns all patterns (possible contents of a node) that cost at most `gap` more than their pods are worth; `undefined` if there are too
   * many.
   */
  #within({ search }: Relaxation, gap: number, worths: Float64Array): readonly Candidate[] | undefined {
    const found = new Map<string, Candidate>()
    for (const column of this.#columns) {
      search.mostWork = search.work + this.#budget - this.#spent
      const least = column.price + this.#packer.surcharge - gap
      search.each(column, worths, least, (bin, worth) => {
        const pattern = toPattern(bin, this.#packer)
        const key = patternText(pattern)
        const excess = Math.max(0, pattern.cost - worth)
        const known = found.get(key)
        if (known === undefined || excess < known.excess) found.set(key, { pattern, excess })
        return found.size > MOST_PATTERNS ? Number.POSITIVE_INFINITY : least
      })
      if (search.isSpent || found.size > MOST_PATTERNS) return undefined
    }
    return [...found.values()].sort(
      (a, b) => a.excess - b.excess || (patternText(a.pattern) < patternText(b.pattern) ? -1 : 1),
    )
  }

  /**
   * Returns the cheapest combination of patterns (contents of nodes) that holds all pods and costs at most `gap` more than the pods are
   * worth.
   */
  #combine(candidates: readonly Candidate[], gap: number): readonly Bin[] | 'none' | undefined {
    const size = this.#demand.length
    const left = Int32Array.from(this.#demand)
    const { excess, starts, podSets, counts, nodes } = flat(candidates)
    const failed = new Map<string, number>()
    const chosen: Bin[] = []
    let best: readonly Bin[] | undefined
    let most = gap
    const { take, isLeft, holds } = patternsOver(left, { starts, podSets, counts })
    const descend = (usable: readonly number[], spent: number): void => {
      const key = left.join()
      // If the search has already failed for the same remaining pods with at least as much of the gap left, it fails again.
      const before = failed.get(key)
      if (before !== undefined && most - spent <= before) return
      const still: number[] = []
      const choices = new Int32Array(size)
      for (const candidate of usable) {
        if (spent + (excess[candidate] ?? outOfRange('excess', candidate)) > most) break
        if (!isLeft(candidate)) continue
        still.push(candidate)
        const end = starts[candidate + 1] ?? outOfRange('starts', candidate + 1)
        for (let at = starts[candidate] ?? outOfRange('starts', candidate); at < end; at++) {
          const podSet = podSets[at] ?? outOfRange('podSets', at)
          choices[podSet] = (choices[podSet] ?? outOfRange('choices', podSet)) + 1
        }
      }
      this.#work += 2 + (usable.length >>> 2)
      const podSet = scarcest(left, choices)
      if (podSet < 0) {
        best = [...chosen]
        // From here on, a combination must be cheaper by more than a rounding error.
        most = spent - NOISE * this.#known
        return
      }
      for (const candidate of still) {
        const after = spent + floatAt(excess, candidate)
        if (after > most || this.#spent > this.#budget) break
        const node = nodes[candidate]
        if (node === undefined || !holds(candidate, podSet)) continue
        take(candidate, 1)
        chosen.push(node)
        descend(still, after)
        chosen.pop()
        take(candidate, -1)
      }
      failed.set(key, most - spent)
    }
    descend([...candidates.keys()], 0)
    if (this.#spent > this.#budget) return undefined
    return best ?? 'none'
  }
}

/**
 * Returns the pod set to place next: among the pod sets with pods left, the one with the fewest usable patterns. Returns -1 if no pods are
 * left.
 */
const scarcest = (left: Int32Array, choices: Int32Array): number => {
  let podSet = -1
  let fewest = 0
  for (let each = 0; each < left.length; each++) {
    if ((left[each] ?? outOfRange('left', each)) <= 0) continue
    const count = choices[each] ?? outOfRange('choices', each)
    if (podSet < 0 || count < fewest) {
      podSet = each
      fewest = count
    }
  }
  return podSet
}

/** Returns operations on patterns (by number) and on the remaining pods. They modify `left`. */
const patternsOver = (
  left: Int32Array,
  { starts, podSets, counts }: Pick<ReturnType<typeof flat>, 'starts' | 'podSets' | 'counts'>,
) => ({
  /** Takes the pods of a pattern from `left`. If `times` is -1, puts them back. */
  take: (candidate: number, times: 1 | -1): void => {
    const end = starts[candidate + 1] ?? outOfRange('starts', candidate + 1)
    for (let at = starts[candidate] ?? outOfRange('starts', candidate); at < end; at++) {
      const podSet = podSets[at] ?? outOfRange('podSets', at)
      left[podSet] = (left[podSet] ?? outOfRange('left', podSet)) - times * (counts[at] ?? outOfRange('counts', at))
    }
  },
  /** Returns whether enough pods are left for a pattern. */
  isLeft: (candidate: number): boolean => {
    const end = starts[candidate + 1] ?? outOfRange('starts', candidate + 1)
    for (let at = starts[candidate] ?? outOfRange('starts', candidate); at < end; at++) {
      const podSet = podSets[at] ?? outOfRange('podSets', at)
      if ((counts[at] ?? outOfRange('counts', at)) > (left[podSet] ?? outOfRange('left', podSet))) return false
    }
    return true
  },
  /** Returns whether a pattern contains a pod of a pod set. */
  holds: (candidate: number, podSet: number): boolean => {
    const end = starts[candidate + 1] ?? outOfRange('starts', candidate + 1)
    for (let at = starts[candidate] ?? outOfRange('starts', candidate); at < end; at++) {
      if (podSets[at] === podSet) return true
    }
    return false
  },
})

interface Candidate {
  readonly pattern: Pattern<Bin>
  /** The cost of the pattern in excess of its pods' worth. */
  readonly excess: number
}

/** Returns a key that is equal for nodes with the same pods. */
const patternText = ({ podSets, counts }: Pattern<Bin>): string =>
  podSets
    .map((podSet, place) => `${podSet}:${counts[place]}`)
    .sort()
    .join()

/** Candidates in typed arrays, because the search reads them millions of times. */
interface Flat {
  readonly excess: Float64Array
  readonly nodes: readonly Bin[]
  /** The index at which the pod sets and counts of each candidate start, plus a last entry for the end. */
  readonly starts: Int32Array
  readonly podSets: Int32Array
  readonly counts: Int32Array
}

const flat = (candidates: readonly Candidate[]): Flat => {
  const starts = new Int32Array(candidates.length + 1)
  for (const [number, { pattern }] of candidates.entries()) {
    starts[number + 1] = intAt(starts, number) + pattern.podSets.length
  }
  const size = intAt(starts, candidates.length)
  const podSets = new Int32Array(size)
  const counts = new Int32Array(size)
  for (const [number, { pattern }] of candidates.entries()) {
    podSets.set(pattern.podSets, starts[number])
    counts.set(pattern.counts, starts[number])
  }
  return {
    excess: Float64Array.from(candidates, ({ excess }) => excess),
    nodes: candidates.map(({ pattern }) => pattern.node),
    starts,
    podSets,
    counts,
  }
}
