import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { Fault } from '../runs/simulated-run.ts'

export type CloudFault = Extract<Fault, { readonly kind: 'cloud' }>

/** An injected failure of a cloud call. The call returns an error either before or after it takes effect. */
export interface FailedCall {
  readonly before?: Error
  readonly after?: Error
}

/** Faults that are pending until Kerf makes a matching call to the simulated cloud. */
export class CloudFaults {
  readonly #waiting: { readonly fault: CloudFault; skip: number; times: number }[] = []
  readonly #crash: () => void

  /** @param crash kills the active process */
  constructor(crash: () => void) {
    this.#crash = crash
  }

  add(fault: CloudFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /**
   * Returns the failure to inject into this call. Returns undefined if the call succeeds. If several faults are due, the first one applies.
   */
  inject({ verb }: CloudCall): FailedCall | undefined {
    for (const each of this.#waiting) {
      const { fault } = each
      if (fault.verb !== verb || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      // If a process crashes within a call, the call may or may not take effect, and Kerf does not find out.
      if (fault.failure === 'crash') this.#crash()
      const error = new CloudError(fault.failure === 'throttled' ? 'Throttled' : 'Internal', 'simulated')
      return fault.when === 'before' ? { before: error } : { after: error }
    }
    return undefined
  }
}
