import type { BatchPod } from '../model/batch-pod.ts'
import { NO_STATE } from '../model/claim-constraints.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import { PoolLimits } from '../packing/limits.ts'
import type { Bin } from './bin.ts'
import { joinKind, type Model } from './model.ts'
import { NO_CHOICE, type Prices } from './prices.ts'

/**
 * Claims for bins: each pod once, states made anew within what the limits of the pools leave, largest first. `undefined`
 * if a limit does not hold, or if what the limits leave costs more than `mostCost`.
 */
export const materialise = (
  model: Model,
  prices: Prices,
  bins: readonly Bin[],
  mostCost: number,
  surcharge: number,
): readonly PackedClaim[] | undefined => {
  let cost = 0
  const { run, states, kinds, kept } = model
  const { world } = run
  const limits = world.templates.map((template) => new PoolLimits(template, world.poolUse, world.pods.length))
  const taken = new Int32Array(kinds.length)
  const claims: PackedClaim[] = []
  for (const claim of kept) {
    const state = states.get(claim.state)
    limits[state.index.template.index]?.take(state, claim.used)
    claims.push(claim)
  }
  for (const bin of bins.toSorted((a, b) => b.price - a.price)) {
    const limit = limits[bin.template]
    if (limit === undefined || limit.nodesExhausted) return undefined
    const allowed = limit.allowed(states)
    if (allowed === undefined) return undefined
    const fixed = model.claims[bin.fixed]
    let { state } = bin
    let { price }: { price: number | undefined } = bin
    if (allowed !== 0) {
      const offering = cheapestAllowed(model, bin, allowed)
      const root = states.root(bin.template, allowed)
      const empty = root === NO_STATE ? root : states.join(root, model.unreserved)
      state = fixed !== undefined && fixed.fixed.length > 0 ? fixed.fixedState : empty
      for (const kind of bin.kinds) {
        const entry = kinds[kind]
        if (state !== NO_STATE && entry !== undefined) state = joinKind(model, state, entry, offering)
      }
      price = state === NO_STATE ? undefined : prices.of(state, bin.used, NO_CHOICE)
      if (price === undefined) return undefined
    }
    cost += price + surcharge
    if (cost > mostCost) return undefined
    limit.take(states.get(state), bin.used)
    const pods: BatchPod[] = fixed === undefined ? [] : [...fixed.fixed]
    for (const [place, kind] of bin.kinds.entries()) {
      const from = taken[kind] ?? 0
      const count = bin.counts[place] ?? 0
      for (const pod of kinds[kind]?.pods.slice(from, from + count) ?? []) pods.push(pod)
      taken[kind] = from + count
    }
    claims.push({ state, used: bin.used, pods, reservations: undefined })
  }
  return kinds.every(({ id, pods }) => taken[id] === pods.length) ? claims : undefined
}

/** The cheapest offering of a node that the limits leave to it; -1 if none does. */
const cheapestAllowed = ({ states }: Model, { state, template, used }: Bin, allowed: number): number => {
  const root = states.root(template, allowed)
  if (root === NO_STATE) return -1
  const { index, offerings } = states.get(state)
  const { offerings: left } = states.get(root)
  for (let number = 0; number < index.template.offerings.length; number++) {
    const bit = 1 << (number & 31)
    if (((offerings[number >>> 5] ?? 0) & (left[number >>> 5] ?? 0) & bit) !== 0 && index.fits(number, used))
      return number
  }
  return -1
}
