import { forEachBit, type State } from '../catalogue/states.ts'
import { labels } from '../requirements/label-rules.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { fittingTypes } from '../solve/fitting-types.ts'
import type { Model } from './model.ts'

/** A node of an improved plan: how many pods of each kind, and what it costs. */
export interface Bin {
  readonly template: number
  readonly state: number
  readonly used: Float64Array
  readonly kinds: readonly number[]
  readonly counts: readonly number[]
  /** Cheapest offering that fits. */
  readonly price: number
  /** Number of the claim of the first plan whose fixed pods it holds; -1 for none. */
  readonly fixed: number
}

/** Instance types a spot node must be able to start as, so that it is got at all and seldom interrupted. */
const SPOT_TYPES = 5

const lowestFit = (state: State, used: Float64Array): number => {
  const { index, offerings } = state
  for (let word = 0; word < offerings.length; word++) {
    let rest = offerings[word] ?? 0
    while (rest !== 0) {
      const offering = (word << 5) + 31 - Math.clz32(rest & -rest)
      if (index.fits(offering, used)) return offering
      rest &= rest - 1
    }
  }
  return -1
}

/**
 * What a node with this content costs; `undefined` if it may not be launched: nothing fits, `minValues` is missed, or it
 * would be a spot node with too few types to choose from. `flexibility` is what the first plan left to these pods.
 */
export const priceOf = (model: Model, stateId: number, used: Float64Array, flexibility: number): number | undefined => {
  const state = model.states.get(stateId)
  const offering = lowestFit(state, used)
  const entry = state.index.template.offerings[offering]
  if (entry === undefined) return undefined
  const isSpot = entry.capacityType === 'spot'
  if (!isSpot && !state.hasMinValues) return entry.price
  if (isSpot && !hasTypes(state, used, Math.min(SPOT_TYPES, flexibility))) return undefined
  if (!state.hasMinValues) return entry.price
  const types = fittingTypes(state, used).map(({ requirements }) => requirements)
  return unmetMinValues(state.requirements, types).size > 0 ? undefined : entry.price
}

const hasTypes = (state: State, used: Float64Array, wanted: number): boolean => {
  const { index, offerings } = state
  const found = new Set<number>()
  for (let word = 0; word < offerings.length; word++) {
    let rest = offerings[word] ?? 0
    while (rest !== 0) {
      const offering = (word << 5) + 31 - Math.clz32(rest & -rest)
      const type = index.template.offerings[offering]?.type ?? -1
      if (!found.has(type) && index.fits(offering, used)) {
        found.add(type)
        if (found.size >= wanted) return true
      }
      rest &= rest - 1
    }
  }
  return found.size >= wanted
}

/** Capacity types that a state still allows. */
export const capacityTypesOf = (state: State): ReadonlySet<string> => {
  const found = new Set<string>()
  forEachBit(state.offerings, (offering) => found.add(state.index.template.offerings[offering]?.capacityType ?? ''))
  return state.requirements.has(labels.capacityType) ? found : found
}
