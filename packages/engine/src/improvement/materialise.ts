import { entryAt, intAt } from '../column.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import type { ClaimId, ConstraintsId } from '../model/ids.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import { PoolLimits } from '../packing/limits.ts'
import { withinLimits } from '../packing/written-types.ts'
import type { Bin } from './bin.ts'
import { type Flexibility, lesserFlexibility, UNLIMITED } from './flexibility.ts'
import type { Model } from './model.ts'
import type { Prices } from './prices.ts'

/**
 * Turns bins into claims. Assigns each pod to one claim, and gives each claim the types that the pool's limits allow. Returns `undefined`
 * in three cases: a limit is exceeded, a spot node would have too few types, or the total cost, including `surcharge` for each claim,
 * exceeds `mostCost`. The returned `cost` has no surcharges.
 */
export const materialise = (
  model: Model,
  prices: Prices,
  bins: readonly Bin[],
  mostCost: number,
  surcharge: number,
): { readonly claims: readonly PackedClaim[]; readonly cost: number } | undefined => {
  const { constraintsTable, podSets, kept } = model
  const limits = PoolLimits.anew(model.run.limits, model.run.ceilings)
  const claims: PackedClaim[] = []
  for (const claim of kept) {
    const held = take(model, limits, claims.length, claim.constraints, claim.used)
    if (held === 'refused') return undefined
    claims.push({ ...claim, held })
  }
  const taken = new Int32Array(podSets.length)
  const inOrder = bins.toSorted((a, b) => b.price - a.price)
  for (const bin of inOrder) {
    const { constraints } = bin
    const held = take(model, limits, claims.length, constraints, bin.used)
    if (held === 'refused') return undefined
    const pods: BatchPod[] = [...(model.claims[bin.fixed]?.fixed ?? [])]
    for (const [place, podSet] of bin.podSets.entries()) {
      const from = intAt(taken, podSet)
      const count = entryAt(bin.counts, place)
      for (const pod of podSets[podSet]?.pods.slice(from, from + count) ?? []) pods.push(pod)
      taken[podSet] = from + count
    }
    claims.push({ constraints, used: bin.used, pods, reservations: undefined, held })
  }
  if (!podSets.every(({ id, pods }) => taken[id] === pods.length)) return undefined
  const written = withinLimits(limits, constraintsTable, claims)
  let cost = 0
  let total = 0
  for (const [place, bin] of inOrder.entries()) {
    const claim = written[kept.length + place]
    if (claim === undefined) return undefined
    const price =
      claim.constraints === bin.constraints
        ? bin.price
        : prices.of(claim.constraints, bin.used, binFlexibility(model, bin))
    if (price === undefined) return undefined
    cost += price
    total += price + surcharge
    if (total > mostCost) return undefined
  }
  return { claims: written, cost }
}

/**
 * Subtracts the minimum that a claim needs from the limits of its pool. Returns the instance types that the claim must list, or `refused`
 * if the limits are too low.
 */
const take = (
  { constraintsTable }: Model,
  limits: readonly PoolLimits[],
  number: number,
  constraintsId: ConstraintsId,
  used: Float64Array,
): readonly number[] | undefined | 'refused' => {
  const constraints = constraintsTable.get(constraintsId)
  const pool = limits[constraints.index.template.index]
  if (pool === undefined || pool.nodesExhausted || !pool.take(number as ClaimId, constraints, used)) return 'refused'
  return pool.typesHeld(number as ClaimId)
}

/** Returns the flexibility that a spot node with the pods of a bin must have. */
const binFlexibility = ({ podSets }: Model, { podSets: own }: Bin): Flexibility =>
  own.reduce((least, podSet) => lesserFlexibility(least, podSets[podSet]?.flexibility ?? UNLIMITED), UNLIMITED)
