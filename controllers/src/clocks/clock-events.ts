import { karpenterKinds, type Milliseconds } from '@kerf/apis'
import { type Controller, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { isolationOf } from '../isolation/isolation.ts'
import { CLOCK_RETRY, CLOCKS_DIFFER } from '../node-claims/clock-hold.ts'
import { isManagedPool } from '../node-claims/ownership.ts'
import { read } from '../read.ts'

const REPORT_EVERY: Milliseconds = 900_000

/**
 * `clock.events`: says on every NodePool that nothing is launched while clocks differ too much, and by how much
 * (`docs/spec/time.md#clocks-that-differ`). It asks the API server meanwhile, because only an answer shows that they agree
 * again, and a Kerf that launches nothing may ask nothing else.
 */
export const clockEvents = (deps: Deps): Controller => {
  const { client, clock, events, informers, provider } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  return {
    name: 'clock.events',
    sources: [read(informers, karpenterKinds.NodePool)],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      const { problem } = clock
      if (problem === undefined) return retryAfter(CLOCK_RETRY)
      isolationOf(deps).readEach('NodePool', 'metrics', pools.values(), (pool) => {
        if (!isManagedPool(provider, pool)) return
        events.publish({
          object: eventObject(karpenterKinds.NodePool, pool),
          type: 'Warning',
          reason: CLOCKS_DIFFER,
          message: `${problem}: no node is launched, and none is ended because its time is over, until the clocks agree`,
          dedupeValues: [pool.metadata.uid ?? ''],
          dedupeFor: REPORT_EVERY,
        })
      })
      await client.raw('/version', { signal })
      return retryAfter(CLOCK_RETRY)
    },
  }
}
