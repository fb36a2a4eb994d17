import type { Milliseconds } from '@kerf/apis'
import { type CloudProvider, findError, isNotKnownYet, LaunchPendingError } from '@kerf/provider-contract'
import { sleep, type VirtualClock } from '@kerf/runtime'

/** How long a process may take to read the management cluster after its start. */
const STARTS_WITHIN: Milliseconds = 5_000
const STEP: Milliseconds = 100

/**
 * Wraps a provider for checks that await its calls. The calls wait for time to pass (batches, Machines that are created). Therefore the
 * clock advances while a call is pending, unless the check itself advances it. As in the core, a pending launch is repeated, and a new
 * process has time to start.
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
