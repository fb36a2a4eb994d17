import { ApiError } from '@kerf/runtime'
import type { ApiCall } from '@kerf/sandbox'
import type { CallFailure, Fault } from '../runs/simulated-run.ts'

const ANSWERS: Readonly<
  Record<
    Exclude<CallFailure, 'crash' | 'slow'>,
    { readonly code: number; readonly reason: string; readonly message: string }
  >
> = {
  conflict: { code: 409, reason: 'Conflict', message: 'the object has been modified' },
  throttled: { code: 429, reason: 'TooManyRequests', message: 'too many requests' },
  error: { code: 500, reason: 'InternalError', message: 'etcdserver: leader changed' },
  timeout: { code: 504, reason: 'Timeout', message: 'the server did not answer in time' },
  unreachable: { code: 0, reason: 'Unreachable', message: 'connection reset' },
}

const WRITES: ReadonlySet<ApiCall['verb']> = new Set(['create', 'update', 'patch', 'delete', 'evict'])

type CallFault = Extract<Fault, { readonly kind: 'call' }>

export type InjectedFailure = { readonly error: ApiError } | 'slow' | 'crash'

/** Faults that are pending until Kerf makes a matching call to the API server. */
export class CallFaults {
  readonly #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  add(fault: CallFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /**
   * Returns the failure to inject into this call. Returns undefined if the call succeeds. A call advances the counter of every fault that
   * it matches.
   */
  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined {
    if (call.verb === 'watch' || call.kind?.kind === 'Event') return undefined
    let injected: InjectedFailure | undefined
    for (const each of this.#waiting) {
      const { fault } = each
      if (fault.when !== when || (fault.writes && !WRITES.has(call.verb)) || each.times === 0) continue
      if (each.skip > 0) each.skip--
      else if (injected === undefined) {
        each.times--
        injected = effectOf(fault, call)
      }
    }
    return injected
  }
}

/** Returns the effect of a fault on a call. If a conflict or throttling is impossible for this call, its response is lost instead. */
const effectOf = ({ failure, when }: CallFault, call: ApiCall): InjectedFailure => {
  if (failure === 'crash' || failure === 'slow') return failure
  const impossible = failure === 'conflict' && (when === 'after' || !WRITES.has(call.verb))
  const lost = failure === 'throttled' && (when === 'after' || call.verb === 'evict')
  return { error: new ApiError(ANSWERS[impossible || lost ? 'timeout' : failure]) }
}
