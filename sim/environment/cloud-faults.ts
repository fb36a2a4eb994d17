import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { Fault } from '../runs/simulated-run.ts'

export type CloudFault = Extract<Fault, { readonly kind: 'cloud' }>

/** How the simulated cloud answers a call: with an error before it does the work, or after. */
export interface FailedCall {
  readonly before?: Error
  readonly after?: Error
}

/** Faults that are waiting for a call to the simulated cloud. */
export class CloudFaults {
  readonly #waiting: { readonly fault: CloudFault; skip: number; times: number }[] = []
  readonly #crash: () => void

  /** @param crash ends the process that acts. */
  constructor(crash: () => void) {
    this.#crash = crash
  }

  add(fault: CloudFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** The failure of this call; nothing when it succeeds. The first fault that is due decides. */
  inject({ verb }: CloudCall): FailedCall | undefined {
    for (const each of this.#waiting) {
      const { fault } = each
      if (fault.verb !== verb || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      // A process that crashes within a call: the call takes effect or not, and nobody learns which.
      if (fault.failure === 'crash') this.#crash()
      const error = new CloudError(fault.failure === 'throttled' ? 'Throttled' : 'Internal', 'simulated')
      return fault.when === 'before' ? { before: error } : { after: error }
    }
    return undefined
  }
}
