import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { TypeEntry } from '../model/instance-type-options.ts'
import { claimLaunchOptions } from './launch-options.ts'

/** Returns the instance types that the constraints allow and that have an offering large enough for `total`, cheapest first. */
export const fittingTypes = (constraints: ClaimConstraints, total: Float64Array, offset = 0): readonly TypeEntry[] => {
  const { index } = constraints
  const { offerings, types } = index.template
  const isFound = new Uint8Array(types.length)
  const found: TypeEntry[] = []
  for (const offering of claimLaunchOptions(constraints)) {
    const number = offerings[offering]?.type ?? 0
    const type = types[number]
    if (type === undefined || isFound[number] === 1 || !index.fits(offering, total, offset)) continue
    isFound[number] = 1
    found.push(type)
  }
  return found
}
