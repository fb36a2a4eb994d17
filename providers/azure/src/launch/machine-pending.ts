import type { Milliseconds } from '@kerf/apis'
import { type Clock, type Logger, sleep } from '@kerf/runtime'
import type { PendingChange } from '../api/azure-api.ts'
import { AzureApiError } from '../api/azure-api-error.ts'
import type { Machines } from '../instances/machines.ts'

const INTERVAL: Milliseconds = 3_000
const LONGEST: Milliseconds = 15 * 60_000
const ON_THE_WAY: ReadonlySet<string> = new Set(['Creating', 'Updating'])

/**
 * Returns the pending creation of a machine. It reads the machine itself, because only the machine contains the failure. An
 * unknown state counts as pending.
 */
export const pendingMachine = (
  { machines, clock, log }: { readonly machines: Machines; readonly clock: Clock; readonly log: Logger },
  name: string,
): PendingChange<void> => ({
  done: async (signal) => {
    const end = clock.monotonic() + LONGEST
    let unknown = ''
    while (clock.monotonic() < end) {
      await sleep(clock, INTERVAL, signal)
      const { state, failure } = (await machines.get(name, signal)).machine
      if (state === 'Succeeded') return
      if (failure !== undefined) throw new AzureApiError(failure)
      if (state === 'Deleting')
        throw new AzureApiError({ code: 'OperationCanceled', message: 'the machine is being deleted' })
      if (!ON_THE_WAY.has(state) && state !== unknown) {
        unknown = state
        log.warn('a machine of the AKS pool is in an unknown state; waiting for it', { name, state })
      }
    }
    throw new AzureApiError({
      code: 'ProvisioningTimeout',
      message: 'AKS did not create the machine within 15 minutes',
    })
  },
})
