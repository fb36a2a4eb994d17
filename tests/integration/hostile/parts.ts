import { isNightly } from '@kerf/testing'
import fc from 'fast-check'

/** A part of the samples of a property test. Samples are split so that no test runs for hours and a failure names the seed of its part. */
export interface Part {
  readonly seed: number
  readonly runs: number
}

/** Returns one part for an ordinary run. For a nightly run, returns `parts` parts, each with its own seed. */
export const splitRuns = (
  runs: number,
  nightly: { readonly runs: number; readonly parts: number },
): readonly Part[] => {
  const seed = fc.readConfigureGlobal()?.seed ?? 0
  if (!isNightly()) return [{ seed, runs }]
  return Array.from({ length: nightly.parts }, (_, part) => ({ seed: seed + part, runs: nightly.runs / nightly.parts }))
}
