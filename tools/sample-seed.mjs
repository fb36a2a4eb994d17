/**
 * Returns the seed for the samples of a run's matrices (`tests/support/builders/src/sampled.ts`): the requested seed, or else the commit.
 * So different commits test different items, and all runs of the same commit test the same items. The seed is undefined if there is no
 * commit. It is also undefined in a nightly run, because that run tests every item.
 * @param {{readonly KERF_SAMPLE_SEED?: string | undefined}} env
 * @param {boolean} isNightly
 * @param {string | undefined} commit the hash of HEAD
 * @returns {{seed: string | undefined, text: string}} the seed, and the line about it to print at the end of the run
 */
export const sampleSeed = (env, isNightly, commit) => {
  if (isNightly) return { seed: undefined, text: '' }
  const requested = env.KERF_SAMPLE_SEED
  const seed = requested !== undefined && requested !== '' ? requested : commit?.slice(0, 12)
  return seed === undefined
    ? { seed, text: '' }
    : { seed, text: `samples of matrices: seed ${seed}; to try the same items again: KERF_SAMPLE_SEED=${seed}\n` }
}
