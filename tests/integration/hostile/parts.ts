import { isNightly } from '@kerf/testing'
import fc from 'fast-check'

/** A share of the samples of a property test, so that no test runs for hours and a failure names the seed of its share. */
export interface Part {
  readonly seed: number
  readonly runs: number
}

/** Returns one part for an ordinary run, and `parts` parts with a seed each for a nightly run. */
export const partsOf = (runs: number, nightly: { readonly runs: number; readonly parts: number }): readonly Part[] => {
  const seed = fc.readConfigureGlobal()?.seed ?? 0
  if (!isNightly()) return [{ seed, runs }]
  return Array.from({ length: nightly.parts }, (_, part) => ({ seed: seed + part, runs: nightly.runs / nightly.parts }))
}
