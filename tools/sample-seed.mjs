/**
 * Returns the seed of the samples of a run's matrices (`tests/support/builders/src/sampled.ts`): the requested seed, otherwise the commit,
 * so that each commit tries other items and a run of the same commit repeats them. Without a commit, and in a nightly run, which tries
 * every item, the seed is undefined.
 * @param {{readonly KERF_SAMPLE_SEED?: string | undefined}} env
 * @param {boolean} isNightly
 * @param {string | undefined} commit the hash of HEAD
 * @returns {{seed: string | undefined, text: string}} the seed, and the line about it for the end of the run
 */
export const sampleSeed = (env, isNightly, commit) => {
  if (isNightly) return { seed: undefined, text: '' }
  const requested = env.KERF_SAMPLE_SEED
  const seed = requested !== undefined && requested !== '' ? requested : commit?.slice(0, 12)
  return seed === undefined
    ? { seed, text: '' }
    : { seed, text: `samples of matrices: seed ${seed}; to try the same items again: KERF_SAMPLE_SEED=${seed}\n` }
}
