import { entryAt, intAt, wordAt } from '../column.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { BatchPod } from '../model/pod-group.ts'
import { PoolLimits } from '../packing/limits.ts'
import type { Bin } from './bin.ts'
import { joinPodSet, type Model, NO_OFFERING } from './model.ts'
import { NO_FLEXIBILITY, type Prices } from './prices.ts'

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
  const { run, constraintsTable, podSets, kept } = model
  const { problem } = run
  const limits = problem.templates.map((template) => new PoolLimits(template, problem.poolUse, problem.pods.length))
  const taken = new Int32Array(podSets.length)
  const claims: PackedClaim[] = []
  for (const claim of kept) {
    const constraints = constraintsTable.get(claim.constraints)
    limits[constraints.index.template.index]?.take(constraints, claim.used)
    claims.push(claim)
  }
  for (const bin of bins.toSorted((a, b) => b.price - a.price)) {
    const limit = limits[bin.template]
    if (limit === undefined || limit.nodesExhausted) return undefined
    const allowed = limit.allowed(constraintsTable)
    if (allowed === undefined) return undefined
    const fixed = model.claims[bin.fixed]
    let { constraints } = bin
    let { price }: { price: number | undefined } = bin
    if (allowed !== 0) {
      const offering = cheapestAllowed(model, bin, allowed)
      const root = constraintsTable.root(bin.template, allowed)
      const empty = root === NO_CONSTRAINTS ? root : constraintsTable.join(root, model.unreserved)
      constraints = fixed !== undefined && fixed.fixed.length > 0 ? fixed.fixedConstraints : empty
      for (const podSet of bin.podSets) {
        const entry = podSets[podSet]
        if (constraints !== NO_CONSTRAINTS && entry !== undefined)
          constraints = joinPodSet(model, constraints, entry, offering)
      }
      price = constraints === NO_CONSTRAINTS ? undefined : prices.of(constraints, bin.used, NO_FLEXIBILITY)
      if (price === undefined) return undefined
    }
    cost += price + surcharge
    if (cost > mostCost) return undefined
    limit.take(constraintsTable.get(constraints), bin.used)
    const pods: BatchPod[] = fixed === undefined ? [] : [...fixed.fixed]
    for (const [place, podSet] of bin.podSets.entries()) {
      const from = intAt(taken, podSet)
      const count = entryAt(bin.counts, place)
      for (const pod of podSets[podSet]?.pods.slice(from, from + count) ?? []) pods.push(pod)
      taken[podSet] = from + count
    }
    claims.push({ constraints, used: bin.used, pods, reservations: undefined })
  }
  return podSets.every(({ id, pods }) => taken[id] === pods.length) ? claims : undefined
}

/** The cheapest offering of a node that the limits leave to it; `NO_OFFERING` if there is none. */
const cheapestAllowed = (
  { constraintsTable }: Model,
  { constraints, template, used }: Bin,
  allowed: number,
): number => {
  const root = constraintsTable.root(template, allowed)
  if (root === NO_CONSTRAINTS) return NO_OFFERING
  const { index, offerings } = constraintsTable.get(constraints)
  const { offerings: left } = constraintsTable.get(root)
  for (let number = 0; number < index.template.offerings.length; number++) {
    const bit = 1 << (number & 31)
    if ((wordAt(offerings, number >>> 5) & wordAt(left, number >>> 5) & bit) !== 0 && index.fits(number, used))
      return number
  }
  return NO_OFFERING
}
