import type { UsdPerHour } from '@kerf/apis'
import { entryAt, intAt, outOfRange, wordAt } from '../column.ts'
import { type ClaimConstraintsTable, forEachBit } from '../instance-types/claim-constraints-table.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { ConstraintsId } from '../model/ids.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import { SPOT_TYPES, SPOT_ZONES } from '../packing/spot-choice.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import type { Model } from './model.ts'
import type { Flexibility } from './pod-sets.ts'

/** For nodes that nobody asks a choice of. */
export const NO_FLEXIBILITY: Flexibility = { types: 0, zones: 0 }

/** Offerings of claim constraints of which none is at least as large as a later one: the first that fits is the cheapest. */
interface PriceFront {
  readonly offerings: readonly number[]
  readonly rows: Float64Array
}

/** What nodes cost, by claim constraints and content. Remembers for all constraints which offerings may be the cheapest. */
export class Prices {
  /** What every node costs beside its instance. */
  readonly nodeOverheadCost: UsdPerHour
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #fronts: (PriceFront | undefined)[] = []

  constructor({ constraintsTable, nodeOverheadCost }: Pick<Model, 'constraintsTable' | 'nodeOverheadCost'>) {
    this.nodeOverheadCost = nodeOverheadCost
    this.#constraintsTable = constraintsTable
  }

  /** The cheapest offering that the constraints leave and that holds this content; -1 if none does. */
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
   * What a node with this content costs; `undefined` if it may not be launched, or nobody knows: nothing fits with a known price, `minValues` is missed, or it
   * would be a spot node with too little to choose from. `choice` is what the first plan left to these pods.
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

/** Whether spot offerings that fit come in enough types and zones. */
const isFlexible = (constraints: ClaimConstraints, used: Float64Array, { types, zones }: Flexibility): boolean => {
  const wantedTypes = Math.min(SPOT_TYPES, types)
  const wantedZones = Math.min(SPOT_ZONES, zones)
  const { index, offerings } = constraints
  const foundTypes = new Set<number>()
  const foundZones = new Set<string>()
  for (let word = 0; word < offerings.length; word++) {
    let rest = wordAt(offerings, word)
    while (rest !== 0) {
      const number = (word << 5) + 31 - Math.clz32(rest & -rest)
      rest &= rest - 1
      const offering = index.template.offerings[number]
      if (offering?.capacityType !== 'spot') continue
      if (foundTypes.has(offering.type) && foundZones.has(offering.zone)) continue
      if (!index.fits(number, used)) continue
      foundTypes.add(offering.type)
      foundZones.add(offering.zone)
      if (foundTypes.size >= wantedTypes && foundZones.size >= wantedZones) return true
    }
  }
  return false
}
