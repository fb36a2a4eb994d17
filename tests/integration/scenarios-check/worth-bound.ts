import { type Kind, mostWorth, type Place } from './most-worth.ts'
import { largestSum } from './packing-program.ts'

/** The search stops when a round improves the values by less than this. */
const NOISE = 1e-7
const MOST_ROUNDS = 400

/**
 * Returns the largest possible sum of the values of all pods if, for every place, the pods in it may together be worth at most what the
 * place costs.
 */
export const computeBound = (kinds: readonly Kind[], places: readonly Place[]): number => {
  const once = places.filter(({ isOnce }) => isOnce)
  const many = places.filter(({ isOnce }) => !isOnce)
  // One column for the value of each kind, then one column for the total value of the pods on each existing node.
  const goal = [...kinds.map(({ count }) => count), ...once.map(() => -1)]
  const rows: { readonly left: number[]; readonly right: number }[] = []
  const addRow = (place: Place, counts: readonly number[]): void => {
    const left = [...counts, ...once.map((each) => (each === place ? -1 : 0))]
    rows.push({ left, right: place.price })
  }
  for (const place of places) {
    for (const kind of place.kinds) {
      const alone = kinds.map((_, number) => (number === kind ? 1 : 0))
      if (mostWorth(place, kinds, alone).worth > 0) addRow(place, alone)
    }
  }
  let best = 0
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const worths = largestSum(goal, rows).slice(0, kinds.length)
    const before = rows.length
    let share = 1
    const found = new Map<Place, number>()
    for (const place of places) {
      const { worth, most, counts } = mostWorth(place, kinds, worths)
      found.set(place, most)
      if (!place.isOnce && most > place.price) share = Math.min(share, place.price / most)
      if (worth > place.price + NOISE) addRow(place, counts)
    }
    const total = kinds.reduce((sum, { count }, kind) => sum + count * (worths[kind] ?? 0), 0)
    const onStanding = once.reduce((sum, place) => sum + (found.get(place) ?? 0), 0)
    best = Math.max(best, share * (total - onStanding))
    if (rows.length === before || many.length === 0) break
  }
  return best
}
