import type { LiveInstance } from '../environment/live-instance.ts'
import type { MakeInvariant } from './invariant.ts'

/**
 * The maximum time that an instance may run without a NodeClaim. Garbage collection ignores an instance for its first 30 s and then runs
 * every two minutes. Each failed call delays it by at most a minute. The limit allows for three failed rounds in a row and a crash.
 */
const FOUND_WITHIN = 10 * 60_000

/** No instance runs for long after its NodeClaim was deleted, because it would cost money without being used. */
export const leakedInstancesTerminate: MakeInvariant = (environment) => {
  const since = new Map<string, number>()
  return {
    name: 'leaked-instances-terminate',
    always: () => {
      if (!environment.cloud.collectsLeaks) return []
      const now = environment.clock.monotonic()
      const named = new Map(environment.claims().map(({ metadata, status }) => [metadata.uid, status?.providerID]))
      const isLeaked = ({ claimUid, providerID }: LiveInstance): boolean =>
        !named.has(claimUid) || (named.get(claimUid) ?? providerID) !== providerID
      const leaked = new Set(
        environment
          .instances()
          .filter(isLeaked)
          .map(({ providerID }) => providerID),
      )
      for (const providerID of since.keys()) if (!leaked.has(providerID)) since.delete(providerID)
      for (const providerID of leaked) if (!since.has(providerID)) since.set(providerID, now)
      return [...since]
        .filter(([, from]) => now - from > FOUND_WITHIN)
        .map(([providerID, from]) => `instance ${providerID} runs without a claim for ${(now - from) / 1_000} s`)
    },
  }
}
