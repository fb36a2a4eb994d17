import { karpenterKinds, type Milliseconds } from '@kerf/apis'
import { type Controller, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { CLOCK_RETRY, CLOCKS_DIFFER } from '../nodeclaim/clock-hold.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { readOnlySource } from '../read-only-source.ts'
import { processIsolation } from '../state/isolation/isolation.ts'

const REPORT_EVERY: Milliseconds = 900_000

/**
 * Publishes an Event on every NodePool while clocks differ too much, because Kerf launches no nodes during that time (controller
 * `clock.events`, `docs/spec/time.md#clocks-that-differ`). Also sends requests to the API server. Only a response shows that the clocks
 * agree again, and Kerf may otherwise send no requests while it launches nothing.
 */
export const clockEvents = (deps: Deps): Controller => {
  const { client, clock, events, informers, provider } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  return {
    name: 'clock.events',
    sources: [readOnlySource(informers, karpenterKinds.NodePool)],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      const { problem } = clock
      if (problem === undefined) return retryAfter(CLOCK_RETRY)
      processIsolation(deps).readEach('NodePool', 'metrics', pools.values(), (pool) => {
        if (!isManagedPool(provider, pool)) return
        events.publish({
          object: eventObject(karpenterKinds.NodePool, pool),
          type: 'Warning',
          reason: CLOCKS_DIFFER,
          message: `${problem}: Kerf launches no nodes and does not expire or time out nodes until the clocks agree`,
          dedupeValues: [pool.metadata.uid ?? ''],
          dedupeFor: REPORT_EVERY,
        })
      })
      await client.raw('/version', { signal })
      return retryAfter(CLOCK_RETRY)
    },
  }
}
