/** Seeds of fast-check are whole numbers of 32 bits; the positive half is enough. */
const SEEDS = 2 ** 31

/**
 * The seed of a run's property tests (`test/setup/property-seed.ts`): the one that was asked for; else a fresh one at night,
 * when nobody waits for a change; else none, so that every run of `npm test` tries the same inputs.
 * @param {{readonly KERF_PROPERTY_SEED?: string | undefined}} env
 * @param {boolean} isNightly
 * @param {(below: number) => number} draw
 * @returns {{seed: string | undefined, text: string}} what is said of it, at the beginning and at the end of the run
 */
export const propertySeedOf = (env, isNightly, draw) => {
  const asked = env.KERF_PROPERTY_SEED
  const seed = asked !== undefined && asked !== '' ? asked : isNightly ? String(draw(SEEDS)) : undefined
  if (seed === undefined) return { seed, text: '' }
  const text =
    seed === 'random'
      ? 'property tests: a seed of its own for each; a failure prints it\n'
      : `property tests: seed ${seed}; to try the same inputs again: KERF_PROPERTY_SEED=${seed}\n`
  return { seed, text }
}
