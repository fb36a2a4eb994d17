/** A set of pods that have the same requests and may run on the same nodes. */
export interface Kind {
  readonly requests: readonly number[]
  readonly count: number
}

/** Capacity for pods: either a way to buy a node, which can be used any number of times, or an existing node, which can be used once. */
export interface Place {
  /** The price. It is 0 for an existing node. */
  readonly price: number
  readonly isOnce: boolean
  readonly free: readonly number[]
  /** The indexes of the kinds of pods that may run there. */
  readonly kinds: readonly number[]
}

/** The maximum number of steps of the search. If the search stops at this number, `most` is only an upper bound. */
const MOST_STEPS = 300_000

export interface Worth {
  /** The value of the best combination of pods found, and its number of pods of each kind. */
  readonly worth: number
  readonly counts: readonly number[]
  /** An upper bound for the value of the pods that fit on the node. If the search tried every combination, it equals `worth`. */
  readonly most: number
}

/**
 * Finds the pods with the highest total value that fit on a node. Searches depth-first, starting with the kinds that have the most value
 * per unit of capacity.
 */
export const mostWorth = (
  { free, kinds: allowed }: Place,
  kinds: readonly Kind[],
  worths: readonly number[],
): Worth => {
  const items = allowed
    .flatMap((kind) => {
      const { requests = [], count = 0 } = kinds[kind] ?? {}
      const worth = worths[kind] ?? 0
      const fits = requests.every((amount, resource) => amount <= (free[resource] ?? 0))
      const share = Math.max(
        1e-9,
        sumOver(requests, (amount, at) => (amount === 0 ? 0 : amount / (free[at] ?? 1))),
      )
      return worth > 0 && fits ? [{ kind, worth, requests, count, share }] : []
    })
    .sort((a, b) => b.worth / b.share - a.worth / a.share)
  const resources = free.map((_, resource) => resource)
  /** For each resource and each index, the highest value per unit among the items from that index on. */
  const densest = resources.map((resource) => {
    const ratios = new Float64Array(items.length + 1)
    for (let at = items.length - 1; at >= 0; at--) {
      const { worth = 0, requests = [] } = items[at] ?? {}
      const amount = requests[resource] ?? 0
      ratios[at] = Math.max(ratios[at + 1] ?? 0, amount > 0 ? worth / amount : Number.POSITIVE_INFINITY)
    }
    return ratios
  })
  const left = [...free]
  const chosen = items.map(() => 0)
  let best = 0
  let most = 0
  let counts: readonly number[] = chosen
  let steps = 0
  /** Returns an upper bound for the value that the items from `at` on can add. */
  const rest = (at: number): number => {
    let bound = Number.POSITIVE_INFINITY
    for (const resource of resources) {
      const ratio = densest[resource]?.[at] ?? 0
      if (ratio !== Number.POSITIVE_INFINITY) bound = Math.min(bound, ratio * (left[resource] ?? 0))
    }
    // A bound over all resources together: measures them as shares of the node, and fills the node with fractions of pods.
    let shares = sumOver(left, (amount, resource) => ((free[resource] ?? 0) > 0 ? amount / (free[resource] ?? 1) : 0))
    let together = 0
    for (let each = at; each < items.length && shares > 0 && together < bound; each++) {
      const { worth = 0, share = 1, count = 0 } = items[each] ?? {}
      const taken = Math.min(count, shares / share)
      together += taken * worth
      shares -= taken * share
    }
    return Math.min(bound, together)
  }
  const descend = (at: number, worth: number): void => {
    if (worth > best) {
      best = worth
      counts = [...chosen]
    }
    const item = items[at]
    if (item === undefined) return
    const bound = worth + rest(at)
    if (bound <= best + 1e-12) return
    if (++steps > MOST_STEPS) {
      most = Math.max(most, bound)
      return
    }
    let fitting = item.count
    for (const [resource, amount] of item.requests.entries())
      if (amount > 0) fitting = Math.min(fitting, Math.floor((left[resource] ?? 0) / amount))
    for (let take = fitting; take >= 0; take--) {
      for (const [resource, amount] of item.requests.entries()) left[resource] = (left[resource] ?? 0) - take * amount
      chosen[at] = take
      descend(at + 1, worth + take * item.worth)
      for (const [resource, amount] of item.requests.entries()) left[resource] = (left[resource] ?? 0) + take * amount
      chosen[at] = 0
    }
  }
  descend(0, 0)
  const byKind = kinds.map(() => 0)
  for (const [at, { kind }] of items.entries()) byKind[kind] = counts[at] ?? 0
  return { worth: best, counts: byKind, most: Math.max(best, most) + 1e-12 }
}

const sumOver = (values: readonly number[], of: (value: number, at: number) => number): number =>
  values.reduce((sum, value, at) => sum + of(value, at), 0)
