import type { MakeInvariant } from './invariant.ts'

/** In the end others have as many instances as they asked for, where Kerf and they ask in the same place. */
export const requestsOfOthersAreKept: MakeInvariant = (environment) => ({
  name: 'requests-of-others-are-kept',
  eventually: () => environment.cloud.takenFromOthers?.() ?? [],
})
