import type { MakeInvariant } from './invariant.ts'

/** At the end other owners have as many instances as they requested, if they and Kerf scale the same object. */
export const requestsOfOthersAreKept: MakeInvariant = (environment) => ({
  name: 'requests-of-others-are-kept',
  eventually: () => environment.cloud.takenFromOthers?.() ?? [],
})
