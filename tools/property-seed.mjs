/** The number of possible seeds. fast-check uses 32-bit integers as seeds; the non-negative half is enough. */
const SEEDS = 2 ** 31

/**
 * Returns the seed for a run's property tests (`tests/support/setup/property-seed.ts`): the requested seed, or a new one for a nightly run.
 * Otherwise there is none, so that every run of `npm test` tests the same inputs.
 * @param {{readonly KERF_PROPERTY_SEED?: string | undefined}} env
 * @param {boolean} isNightly
 * @param {(below: number) => number} draw
 * @returns {{seed: string | undefined, text: string}} the seed, and the line about it to print at the beginning and at the end of the run
 */
export const choosePropertySeed = (env, isNightly, draw) => {
  const asked = env.KERF_PROPERTY_SEED
  const seed = asked !== undefined && asked !== '' ? asked : isNightly ? String(draw(SEEDS)) : undefined
  if (seed === undefined) return { seed, text: '' }
  const text =
    seed === 'random'
      ? 'property tests: a seed of its own for each; a failure prints it\n'
      : `property tests: seed ${seed}; to try the same inputs again: KERF_PROPERTY_SEED=${seed}\n`
  return { seed, text }
}
