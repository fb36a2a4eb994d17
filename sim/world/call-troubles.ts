import { ApiError } from '@kerf/runtime'
import type { ApiCall } from '@kerf/sandbox'
import type { Strike, Trouble } from '../course/course.ts'

const ANSWERS: Readonly<
  Record<
    Exclude<Strike, 'crash' | 'slow'>,
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

type CallTrouble = Extract<Trouble, { readonly kind: 'call' }>

export type Struck = { readonly error: ApiError } | 'slow' | 'crash'

/** Troubles that wait for their call. */
export class CallTroubles {
  readonly #waiting: { readonly trouble: CallTrouble; skip: number; times: number }[] = []

  order(trouble: CallTrouble): void {
    this.#waiting.push({ trouble, skip: trouble.skip, times: trouble.times })
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** What this call meets; each call counts for every trouble that concerns it. */
  strike(call: ApiCall, when: 'before' | 'after'): Struck | undefined {
    if (call.verb === 'watch' || call.kind?.kind === 'Event') return undefined
    let struck: Struck | undefined
    for (const each of this.#waiting) {
      const { trouble } = each
      if (trouble.when !== when || (trouble.writes && !WRITES.has(call.verb)) || each.times === 0) continue
      if (each.skip > 0) each.skip--
      else if (struck === undefined) {
        each.times--
        struck = effectOf(trouble, call)
      }
    }
    return struck
  }
}

/** A write that has happened can only have its answer lost; only writes meet conflicts. */
const effectOf = ({ strike, when }: CallTrouble, call: ApiCall): Struck => {
  if (strike === 'crash' || strike === 'slow') return strike
  const impossible = strike === 'conflict' && (when === 'after' || !WRITES.has(call.verb))
  const lost = strike === 'throttled' && (when === 'after' || call.verb === 'evict')
  return { error: new ApiError(ANSWERS[impossible || lost ? 'timeout' : strike]) }
}
