import type { State } from '../model/claim-constraints.ts'
import type { TypeEntry } from '../model/instance-type-options.ts'
import { waysOf } from './launch-options.ts'

/** The types of a state that some offering makes large enough for `total`, cheapest first. */
export const fittingTypes = (state: State, total: Float64Array, offset = 0): readonly TypeEntry[] => {
  const { index } = state
  const { offerings, types } = index.template
  const isFound = new Uint8Array(types.length)
  const found: TypeEntry[] = []
  for (const offering of waysOf(state)) {
    const number = offerings[offering]?.type ?? 0
    const type = types[number]
    if (type === undefined || isFound[number] === 1 || !index.fits(offering, total, offset)) continue
    isFound[number] = 1
    found.push(type)
  }
  return found
}
