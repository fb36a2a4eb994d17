import { forEachBit, type State } from '../catalogue/states.ts'
import type { TypeEntry } from '../catalogue/template.ts'

/** The types of a state that some offering makes large enough for `total`, cheapest first. */
export const fittingTypes = (state: State, total: Float64Array, offset = 0): readonly TypeEntry[] => {
  const { index } = state
  const { offerings, types } = index.template
  const found = new Set<TypeEntry>()
  forEachBit(state.offerings, (offering) => {
    const type = types[offerings[offering]?.type ?? 0]
    if (type !== undefined && !found.has(type) && index.fits(offering, total, offset)) found.add(type)
  })
  return [...found]
}
