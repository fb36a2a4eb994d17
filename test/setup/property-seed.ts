import fc from 'fast-check'

/**
 * Properties are tried on the same inputs in every run of `npm test`, so that a red run is about the change and not about
 * luck. `npm run nightly` draws a fresh seed and prints it (`scripts/property-seed.mjs`). Other inputs:
 * `KERF_PROPERTY_SEED=random` (a failure prints its seed), or a seed that failed before.
 */
const asked = process.env['KERF_PROPERTY_SEED']
const wanted = asked === undefined || asked === '' ? '20261121' : asked

if (wanted !== 'random') {
  const seed = Number(wanted)
  if (!Number.isSafeInteger(seed))
    throw new Error(`KERF_PROPERTY_SEED is "${wanted}": give it a whole number, or the word random`)
  fc.configureGlobal({ seed })
}
