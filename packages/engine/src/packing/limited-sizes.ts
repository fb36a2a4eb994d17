import { ownValue, tryParseQuantity } from '@kerf/apis'
import type { Template } from '../model/template.ts'

/** The capacity of each instance type of a template for one resource. */
export interface ResourceSizes {
  readonly capacities: readonly bigint[]
  readonly largest: bigint
}

/** The sizes of a template's instance types relative to the limits of its pool. */
export interface LimitedSizes {
  /** The rank of each instance type by size, 0 for the smallest. The size of a type is the largest share that it would use of any limit. */
  readonly ranks: Int32Array
  /** For each instance type, the largest share that it would use of any limit. */
  readonly shares: Float64Array
  resource(name: string): ResourceSizes
}

const known = new WeakMap<Template, LimitedSizes>()

/** Returns the sizes of a template's instance types relative to the limits of its pool; cached per template. */
export const limitedSizes = (template: Template): LimitedSizes => {
  let sizes = known.get(template)
  if (sizes === undefined) {
    sizes = readSizes(template)
    known.set(template, sizes)
  }
  return sizes
}

const readSizes = (template: Template): LimitedSizes => {
  const byName = new Map<string, ResourceSizes>()
  const shares = new Float64Array(template.types.length)
  for (const [name, text] of Object.entries(template.pool.spec.limits ?? {})) {
    const limit = tryParseQuantity(text)
    if (limit === undefined || name === 'nodes') continue
    const capacities = template.types.map(({ type }): bigint => ownValue(type.capacity, name) ?? 0n)
    byName.set(name, { capacities, largest: capacities.reduce((a, b) => (a > b ? a : b), 0n) })
    for (const [type, capacity] of capacities.entries())
      shares[type] = Math.max(shares[type] ?? 0, capacity === 0n ? 0 : Number(capacity) / Number(limit))
  }
  return { shares, ranks: rankSizes(shares), resource: (name) => byName.get(name) ?? { capacities: [], largest: 0n } }
}

/** Returns the rank of each type, 0 for the smallest share. */
export const rankSizes = (shares: Float64Array): Int32Array => {
  // Types are numbered in alphabetical order. This order decides between equal sizes.
  const order = Array.from(shares.keys()).sort((a, b) => (shares[a] ?? 0) - (shares[b] ?? 0) || a - b)
  const ranks = new Int32Array(order.length)
  let rank = -1
  let before: number | undefined
  for (const type of order) {
    if (shares[type] !== before) rank++
    before = shares[type]
    ranks[type] = rank
  }
  return ranks
}
