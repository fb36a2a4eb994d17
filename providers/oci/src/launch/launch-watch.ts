import type { Milliseconds } from '@kerf/apis'
import type { LaunchOption, UnavailableOfferings } from '@kerf/provider-kit'
import { type Controller, retryAfter, textOfThrown } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import type { OciInstance } from '../api/oci-shapes.ts'
import type { OciType } from '../instance-types/instance-types.ts'
import { isBareMetal } from '../instance-types/shape-facts.ts'
import type { LaunchTimeouts } from '../launch-timeouts.ts'
import { discardInstance, type LateFailure, type OutcomeDeps, readOutcome } from './launch-outcome.ts'
import { markRefused } from './refused-offerings.ts'

/** How often Kerf checks the outcome of slow launches. */
const ASK_EVERY: Milliseconds = 15_000

/** A launch that counts as started although its outcome is unknown. */
export interface SlowLaunch {
  readonly instance: OciInstance
  readonly workRequestId: string
  readonly option: LaunchOption
  readonly types: readonly OciType[]
}

export interface LaunchWatchDeps extends OutcomeDeps {
  readonly api: OutcomeDeps['api'] & Pick<OciApi, 'bootVolumeAttachments'>
  readonly unavailable: UnavailableOfferings
  readonly timeouts: LaunchTimeouts
}

/**
 * Checks the outcome of launches that take longer than `create` waits. If such a launch fails, its instance is terminated, so Kerf removes
 * the NodeClaim and marks the offering as unavailable. The next NodeClaim then uses another offering. With `failsOver`, a virtual machine
 * that Oracle Cloud has not placed on a host within its time also counts as failed (`providers/oci/docs/spec/oci.md#launch`).
 */
export class LaunchWatch {
  readonly #deps: LaunchWatchDeps
  readonly #launches = new Map<string, { readonly launch: SlowLaunch; readonly until: Milliseconds }>()

  constructor(deps: LaunchWatchDeps) {
    this.#deps = deps
  }

  add(launch: SlowLaunch): void {
    const { clock, timeouts } = this.#deps
    const until =
      clock.monotonic() + (isBareMetal(launch.instance.shape) ? timeouts.bareMetal : timeouts.virtualMachine)
    this.#launches.set(launch.workRequestId, { launch, until })
  }

  /** Checks the outcome of each slow launch once. */
  async check(signal: AbortSignal): Promise<void> {
    const { clock, log, unavailable } = this.#deps
    for (const [id, { launch, until }] of [...this.#launches]) {
      const outcome = await readOutcome(this.#deps, id, signal)
      if (outcome === 'continues' && clock.monotonic() < until) continue
      this.#launches.delete(id)
      const failure = outcome === 'continues' ? await this.#overdue(launch.instance, signal) : outcome
      if (failure === undefined || failure === 'complete') continue
      log.warn('a launch failed after it was accepted', { id: launch.instance.id, problem: failure.problem })
      markRefused(unavailable, failure.kind, launch.option, launch.types)
      await discardInstance(this.#deps, launch.instance, signal)
    }
  }

  /** Returns the failure of a launch whose time is over, or undefined if the instance may still start. */
  async #overdue(
    { id, shape, compartmentId, availabilityDomain }: OciInstance,
    signal: AbortSignal,
  ): Promise<LateFailure | undefined> {
    const { api, log, timeouts } = this.#deps
    if (!timeouts.failsOver || isBareMetal(shape)) return undefined
    try {
      const attachments = await api.bootVolumeAttachments(compartmentId, availabilityDomain, signal)
      if (attachments.some(({ instanceId }) => instanceId === id)) return undefined
    } catch (error) {
      signal.throwIfAborted()
      log.info('the boot volume of a slow launch cannot be read', { id, error: textOfThrown(error) })
      return undefined
    }
    return { kind: 'capacity', problem: `no host within ${timeouts.virtualMachine / 60_000} minutes` }
  }

  controller(): Controller {
    return {
      ...{ name: 'instance.launch', sources: [], concurrency: 1, singleton: true },
      reconcile: async (_key, signal) => {
        await this.check(signal)
        return retryAfter(ASK_EVERY)
      },
    }
  }
}
