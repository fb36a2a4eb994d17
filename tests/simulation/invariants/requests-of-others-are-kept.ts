import type { MakeInvariant } from './invariant.ts'

/** At the end, other owners have as many instances as they requested, even if they scale the same object as Kerf. */
export const requestsOfOthersAreKept: MakeInvariant = (environment) => ({
  name: 'requests-of-others-are-kept',
  eventually: () => environment.cloud.takenFromOthers?.() ?? [],
})
