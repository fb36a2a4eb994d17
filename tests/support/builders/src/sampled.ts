import { createHash } from 'node:crypto'

type Environment = Readonly<Record<string, string | undefined>>

const variable = (environment: Environment, name: string): string | undefined => {
  const value = environment[name]
  return value === '' ? undefined : value
}

/** Reports whether to test everything. `npm run nightly` sets `KERF_NIGHTLY`. */
export const isNightly = (environment: Environment = process.env): boolean =>
  variable(environment, 'KERF_NIGHTLY') !== undefined

/**
 * Returns the number of inputs on which to test a property: `complete` if `KERF_NIGHTLY` is set, otherwise a quarter of that, and at least
 * twenty. `KERF_PROPERTY_RUNS` overrides the number.
 */
export const propertyRuns = (complete: number, environment: Environment = process.env): number => {
  const asked = variable(environment, 'KERF_PROPERTY_RUNS')
  if (asked !== undefined) return Number(asked)
  return isNightly(environment) ? complete : Math.min(complete, Math.max(20, Math.ceil(complete / 4)))
}

/** The seed of all samples if `KERF_SAMPLE_SEED` is not set. `npm test` sets that variable to the commit. */
const DEFAULT_SEED = '20261129'

/**
 * Returns the items of a matrix that this run tests, in their original order: all of them if `KERF_NIGHTLY` is set, otherwise `count` of
 * them. `KERF_SAMPLE_SEED` determines the selection, and the same seed always selects the same items. `matrix` is the name of the matrix,
 * so that different matrices of a run get different samples.
 */
export const sampled = <T>(
  items: readonly T[],
  count: number,
  matrix: string,
  environment: Environment = process.env,
): readonly T[] => {
  if (isNightly(environment) || count >= items.length) return items
  const seed = variable(environment, 'KERF_SAMPLE_SEED') ?? DEFAULT_SEED
  const rank = (index: number): string => createHash('sha256').update(`${seed}/${matrix}/${index}`).digest('hex')
  const drawn = items
    .map((_, index) => ({ index, rank: rank(index) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
  const indices = new Set(drawn.map(({ index }) => index))
  return items.filter((_, index) => indices.has(index))
}

/**
 * Returns a function that is called once for each item of a matrix whose length is not known in advance. It returns true for all of them if
 * `KERF_NIGHTLY` is set, otherwise for one in `share`. `KERF_SAMPLE_SEED` determines the first one.
 */
export const oneIn = (share: number, matrix: string, environment: Environment = process.env): (() => boolean) => {
  const seed = variable(environment, 'KERF_SAMPLE_SEED') ?? DEFAULT_SEED
  const first = createHash('sha256').update(`${seed}/${matrix}`).digest().readUInt32BE(0)
  let index = 0
  return () => isNightly(environment) || (first + index++) % share === 0
}
