import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { sleep } from '@kerf/runtime'

export type CloudVerb = 'run' | 'terminate' | 'describe' | 'list'

export interface CloudCall {
  readonly verb: CloudVerb
  /** The token of a launch, the id of an instance; empty for a list. */
  readonly subject: string
}

/** What goes wrong with one call: it fails before or after it has taken effect, or takes its time. */
export interface CloudFault {
  readonly delay?: Milliseconds
  readonly before?: Error
  readonly after?: Error
}

/** Decides about each call; returns nothing for one that goes well. */
export type CloudFaultPlan = (call: CloudCall) => CloudFault | undefined

/** Carries calls out under a plan of faults. */
export class CloudFaults {
  readonly #clock: Clock
  readonly #queued: { readonly verb: CloudVerb; readonly fault: CloudFault }[] = []
  #plan: CloudFaultPlan = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Replaces the plan. */
  follow(plan: CloudFaultPlan): void {
    this.#plan = plan
  }

  /** Lets the next call of that verb meet the fault; several wait in line. */
  next(verb: CloudVerb, fault: CloudFault): void {
    this.#queued.push({ verb, fault })
  }

  async around<T>(call: CloudCall, signal: AbortSignal | undefined, effect: () => T): Promise<T> {
    const fault = this.#take(call.verb) ?? this.#plan(call)
    if (fault?.delay !== undefined) await sleep(this.#clock, fault.delay, signal)
    signal?.throwIfAborted()
    if (fault?.before !== undefined) throw fault.before
    const result = effect()
    if (fault?.after !== undefined) throw fault.after
    return result
  }

  #take(verb: CloudVerb): CloudFault | undefined {
    const index = this.#queued.findIndex((one) => one.verb === verb)
    return index < 0 ? undefined : this.#queued.splice(index, 1)[0]?.fault
  }
}
