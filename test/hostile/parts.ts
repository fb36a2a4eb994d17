import { isNightly } from '@kerf/testing'
import fc from 'fast-check'

/** A share of the draws of a property, so that none of its tests runs for hours and a failure names the seed of its share. */
export interface Part {
  readonly seed: number
  readonly runs: number
}

/** The draws of a run in one part, and those of a nightly run in `parts` parts, each with a seed of its own. */
export const partsOf = (runs: number, nightly: { readonly runs: number; readonly parts: number }): readonly Part[] => {
  const seed = fc.readConfigureGlobal()?.seed ?? 0
  if (!isNightly()) return [{ seed, runs }]
  return Array.from({ length: nightly.parts }, (_, part) => ({ seed: seed + part, runs: nightly.runs / nightly.parts }))
}
