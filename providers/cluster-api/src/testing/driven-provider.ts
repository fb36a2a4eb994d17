import type { Milliseconds } from '@kerf/apis'
import { type CloudProvider, findError, isNotKnownYet, LaunchPendingError } from '@kerf/provider-contract'
import { sleep, type VirtualClock } from '@kerf/runtime'

/** How long a process may take to read the management cluster after its start. */
const STARTS_WITHIN: Milliseconds = 5_000
const STEP: Milliseconds = 100

/**
 * A provider for checks that await a call in one go. Its calls wait for time (batches, Machines that are made), so time is
 * moved on while one is under way, unless the check itself moves it. A launch that is pending is asked for again, as the
 * core does, and a process that has just started is given the time that the core gives it.
 */
export const drivenProvider = (provider: CloudProvider, clock: VirtualClock): CloudProvider => {
  const driven = async <T>(work: Promise<T>): Promise<T> => {
    let over = false
    const ended = work.finally(() => {
      over = true
    })
    ended.catch(() => {})
    for (await clock.settle(2); !over; ) await clock.advance(STEP).catch(() => clock.settle())
    return await ended
  }
  const started = async <T>(call: () => Promise<T>): Promise<T> => {
    const end = clock.monotonic() + STARTS_WITHIN
    for (;;) {
      try {
        return await call()
      } catch (error) {
        if (!isNotKnownYet(error) || clock.monotonic() >= end) throw error
        await sleep(clock, STEP)
      }
    }
  }
  const launched: CloudProvider['create'] = async (claim, signal) => {
    for (;;) {
      try {
        return await started(() => provider.create(claim, signal))
      } catch (error) {
        const pending = findError(error, LaunchPendingError)
        if (pending === undefined) throw error
        await sleep(clock, pending.retryAfter, signal)
      }
    }
  }
  const { name, nodeClasses, vocabulary, repairPolicies, launchTimeout } = provider
  return {
    ...{ name, nodeClasses, vocabulary, repairPolicies },
    ...(launchTimeout === undefined ? {} : { launchTimeout }),
    create: (claim, signal) => driven(launched(claim, signal)),
    delete: (claim, signal) => driven(started(() => provider.delete(claim, signal))),
    get: (providerID, signal) => driven(started(() => provider.get(providerID, signal))),
    list: (signal) => driven(started(() => provider.list(signal))),
    instanceTypes: (pool, signal) => driven(started(() => provider.instanceTypes(pool, signal))),
    isDrifted: (claim, signal) => driven(started(() => provider.isDrifted(claim, signal))),
    controllers: () => provider.controllers?.() ?? [],
  }
}
