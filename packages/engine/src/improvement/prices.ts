import type { UsdPerHour } from '@kerf/apis'
import { entryAt, intAt, outOfRange } from '../column.ts'
import { type ClaimConstraintsTable, forEachBit } from '../instance-types/claim-constraints-table.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import type { ConstraintsId } from '../model/ids.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { type Flexibility, isFlexible } from './flexibility.ts'
import type { Model } from './model.ts'

/**
 * The offerings that some constraints allow, in price order. An offering is left out if a cheaper one is at least as large. The first
 * offering that fits is therefore the cheapest.
 */
interface PriceFront {
  readonly offerings: readonly number[]
  readonly rows: Float64Array
}

/**
 * Returns prices of nodes, given their constraints and content. For each set of constraints, caches the offerings that may be the cheapest.
 */
export class Prices {
  /** The overhead cost per node, in addition to the price of its instance. */
  readonly nodeOverheadCost: UsdPerHour
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #fronts: (PriceFront | undefined)[] = []

  constructor({ constraintsTable, nodeOverheadCost }: Pick<Model, 'constraintsTable' | 'nodeOverheadCost'>) {
    this.nodeOverheadCost = nodeOverheadCost
    this.#constraintsTable = constraintsTable
  }

  /** Returns the cheapest offering that the constraints allow and that holds this content; -1 if there is none. */
  cheapest(constraintsId: ConstraintsId, used: Float64Array): number {
    const { offerings, rows } = this.#frontOf(constraintsId)
    const { length } = used
    for (let place = 0; place < offerings.length; place++) {
      const start = place * length
      let column = 0
      for (; column < length; column++) {
        const at = start + column
        if ((used[column] ?? outOfRange('used', column)) > (rows[at] ?? outOfRange('rows', at))) break
      }
      if (column === length) return entryAt(offerings, place)
    }
    return -1
  }

  /**
   * Returns the price of a node with this content. Returns `undefined` in three cases: no offering with a known price fits, `minValues` is
   * violated, or a spot node would have fewer instance types or zones to choose from than `flexibility` requires. `flexibility` is that of
   * these pods in the first plan.
   */
  of(constraintsId: ConstraintsId, used: Float64Array, flexibility: Flexibility): number | undefined {
    const constraints = this.#constraintsTable.get(constraintsId)
    const offering = this.cheapest(constraintsId, used)
    const entry = constraints.index.template.offerings[offering]
    if (entry === undefined || entry.price === UNKNOWN_PRICE) return undefined
    if (entry.capacityType === 'spot' && !isFlexible(constraints, used, flexibility)) return undefined
    const price = entry.price + this.nodeOverheadCost
    if (!constraints.hasMinValues) return price
    const types = fittingTypes(constraints, used).map(({ requirements }) => requirements)
    return unmetMinValues(constraints.requirements, types).size > 0 ? undefined : price
  }

  #frontOf(constraintsId: ConstraintsId): PriceFront {
    const known = this.#fronts[constraintsId]
    if (known !== undefined) return known
    const { index, offerings } = this.#constraintsTable.get(constraintsId)
    const { width, rows, vectorOf } = index
    const seen = new Set<number>()
    const kept: number[] = []
    const vectors: number[] = []
    forEachBit(offerings, (offering) => {
      const vector = intAt(vectorOf, offering, 'rows of offerings')
      if (seen.has(vector)) return
      seen.add(vector)
      if (vectors.some((cheaper) => isWithin(rows, width, vector, cheaper))) return
      kept.push(offering)
      vectors.push(vector)
    })
    const flat = new Float64Array(vectors.length * width)
    for (const [place, vector] of vectors.entries()) {
      flat.set(rows.subarray(vector * width, (vector + 1) * width), place * width)
    }
    const front = { offerings: kept, rows: flat }
    this.#fronts[constraintsId] = front
    return front
  }
}

const isWithin = (rows: Float64Array, width: number, smaller: number, larger: number): boolean => {
  for (let column = 0; column < width; column++) {
    const small = smaller * width + column
    const large = larger * width + column
    if ((rows[small] ?? outOfRange('rows', small)) > (rows[large] ?? outOfRange('rows', large))) return false
  }
  return true
}
