import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { sleep } from '@kerf/runtime'

export type CloudVerb = 'run' | 'terminate' | 'describe' | 'list'

export interface CloudCall {
  readonly verb: CloudVerb
  /** The token of a launch, or the id of an instance. Empty if the call lists instances. */
  readonly subject: string
}

/** A fault that a test injects into one call: the call fails before or after it takes effect, or it is delayed. */
export interface CloudFault {
  readonly delay?: Milliseconds
  readonly before?: Error
  readonly after?: Error
}

/** Returns the fault to inject into a call, or `undefined` if the call succeeds. */
export type CloudFaultPlan = (call: CloudCall) => CloudFault | undefined

/** Runs calls and injects a plan's faults into them. */
export class CloudFaults {
  readonly #clock: Clock
  readonly #queued: { readonly verb: CloudVerb; readonly fault: CloudFault }[] = []
  #plan: CloudFaultPlan = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Uses this plan for all later calls. */
  follow(plan: CloudFaultPlan): void {
    this.#plan = plan
  }

  /** Injects the fault into the next call of that verb. Several faults for the same verb are queued. */
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
