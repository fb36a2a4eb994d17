import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { Fault } from '../runs/simulated-run.ts'

export type CloudFault = Extract<Fault, { readonly kind: 'cloud' }>

/** An injected failure of a cloud call: an error before the work is done, or after. */
export interface FailedCall {
  readonly before?: Error
  readonly after?: Error
}

/** Faults that wait for a call to the simulated cloud. */
export class CloudFaults {
  readonly #waiting: { readonly fault: CloudFault; skip: number; times: number }[] = []
  readonly #crash: () => void

  /** @param crash ends the active process. */
  constructor(crash: () => void) {
    this.#crash = crash
  }

  add(fault: CloudFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** Returns the failure of this call; undefined if it succeeds. The first fault that is due decides. */
  inject({ verb }: CloudCall): FailedCall | undefined {
    for (const each of this.#waiting) {
      const { fault } = each
      if (fault.verb !== verb || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      // If a process crashes within a call, the call may or may not take effect, and Kerf does not learn which.
      if (fault.failure === 'crash') this.#crash()
      const error = new CloudError(fault.failure === 'throttled' ? 'Throttled' : 'Internal', 'simulated')
      return fault.when === 'before' ? { before: error } : { after: error }
    }
    return undefined
  }
}
