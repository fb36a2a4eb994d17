import { wordAt } from '../column.ts'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import { oncePerObject } from '../once-per-object.ts'
import { SPOT_TYPES, SPOT_ZONES } from '../packing/spot-choice.ts'

/** The number of instance types and the number of zones that a spot node must be able to choose from. */
export interface Flexibility {
  readonly types: number
  readonly zones: number
}

/** For nodes that need no choice of instance types or zones. */
export const NO_FLEXIBILITY: Flexibility = { types: 0, zones: 0 }
/** Higher than the flexibility of any node. Used as the initial value when a minimum is computed. */
export const UNLIMITED: Flexibility = { types: Number.POSITIVE_INFINITY, zones: Number.POSITIVE_INFINITY }

/**
 * Returns the number of instance types and zones that a claim with these constraints and this content could choose from as a spot node.
 * Stops counting at the required numbers.
 */
export const computeFlexibility = (constraints: ClaimConstraints, used: Float64Array): Flexibility =>
  spotChoice(constraints, used, SPOT_TYPES, Math.min(SPOT_ZONES, countSpotZones(constraints)))

/** Returns the number of zones with spot offerings. If it is 1, no second zone is required. */
const countSpotZones = oncePerObject(({ index, offerings }: ClaimConstraints): number => {
  const zones = new Set<string>()
  forEachBit(offerings, (number) => {
    const offering = index.template.offerings[number]
    if (offering?.capacityType === 'spot') zones.add(offering.zone)
  })
  return zones.size
})

/** Returns whether enough instance types and zones have spot offerings that fit. `wanted` may lower the required numbers. */
export const isFlexible = (constraints: ClaimConstraints, used: Float64Array, wanted: Flexibility): boolean => {
  const wantedTypes = Math.min(SPOT_TYPES, wanted.types)
  const wantedZones = Math.min(SPOT_ZONES, wanted.zones)
  const { types, zones } = spotChoice(constraints, used, wantedTypes, wantedZones)
  return types >= wantedTypes && zones >= wantedZones
}

export const lesserFlexibility = (a: Flexibility, b: Flexibility): Flexibility =>
  a.types <= b.types && a.zones <= b.zones
    ? a
    : { types: Math.min(a.types, b.types), zones: Math.min(a.zones, b.zones) }

/** Returns the number of instance types and zones of the spot offerings that fit. It stops counting when both maximums are reached. */
const spotChoice = (
  { index, offerings }: ClaimConstraints,
  used: Float64Array,
  mostTypes: number,
  mostZones: number,
): Flexibility => {
  const types = new Set<number>()
  const zones = new Set<string>()
  if (mostTypes <= 0 || mostZones <= 0) return { types: 0, zones: 0 }
  for (let word = 0; word < offerings.length; word++) {
    let rest = wordAt(offerings, word)
    while (rest !== 0) {
      const number = (word << 5) + 31 - Math.clz32(rest & -rest)
      rest &= rest - 1
      const offering = index.template.offerings[number]
      if (offering?.capacityType !== 'spot') continue
      if (types.has(offering.type) && zones.has(offering.zone)) continue
      if (!index.fits(number, used)) continue
      types.add(offering.type)
      zones.add(offering.zone)
      if (types.size >= mostTypes && zones.size >= mostZones) return { types: types.size, zones: zones.size }
    }
  }
  return { types: types.size, zones: zones.size }
}
