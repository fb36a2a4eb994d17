import type { FakeBizfly, FakeCall } from '@kerf/provider-bizfly/testing'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import type { BizflyFault } from './bizfly-fault.ts'

type CallFault = Extract<BizflyFault, { readonly kind: 'bizfly-call' }>
type Failure = CallFault['failure']

/** The process that sends the requests. */
export interface Caller {
  readonly isDead: boolean
  /** Ends the process within a request. */
  crash(): void
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const answer = (failure: Failure): HttpResponse => {
  if (failure === 'lost' || failure === 'crash')
    throw new NoResponseError('bizfly.test', {
      ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
    })
  return { status: failure === 'throttled' ? 429 : 500, headers: {}, text: '{"message": "simulated"}' }
}

const verb = (call: FakeCall): CloudCall['verb'] => {
  if (call === 'launchServer') return 'run'
  if (call === 'deleteServer') return 'terminate'
  return call === 'server' || call === 'servers' ? 'describe' : 'list'
}

const injectedFailure = (error: Error | undefined): Failure => {
  if (error instanceof CloudError && error.code === 'Throttled') return 'throttled'
  return error?.message.includes('connection') === true ? 'lost' : 'error'
}

/** The requests of processes to Bizfly Cloud. Drops the requests of dead processes, and injects faults into all others. */
export class BizflyCalls {
  readonly #fake: FakeBizfly
  /**
   * The simulation calls this function for each request, with a verb that all simulated clouds share. Returns the fault to inject. May end
   * the process.
   */
  readonly #called: (call: CloudCall) => FailedCall | undefined
  #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  constructor(fake: FakeBizfly, called: (call: CloudCall) => FailedCall | undefined) {
    this.#fake = fake
    this.#called = called
  }

  add(fault: CallFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting = []
  }

  /** Returns how one process sends requests. */
  of(caller: Caller): Send {
    return async (request, signal) => {
      if (caller.isDead) return await never<HttpResponse>()
      const fault = this.#faultFor(request, caller)
      if (caller.isDead && fault?.when !== 'after') return await never<HttpResponse>()
      // A throttled request has no effect.
      if (fault !== undefined && (fault.when === 'before' || fault.failure === 'throttled'))
        return answer(fault.failure)
      const response = await this.#fake.send(request, signal)
      if (caller.isDead) return await never<HttpResponse>()
      return fault === undefined ? response : answer(fault.failure)
    }
  }

  #faultFor(
    request: HttpRequest,
    caller: Caller,
  ): { readonly when: 'before' | 'after'; readonly failure: Failure } | undefined {
    const call = this.#fake.callOf(request)
    if (call === undefined) return undefined
    const injected = this.#called({ verb: verb(call), subject: call })
    if (injected !== undefined)
      return {
        when: injected.before === undefined ? 'after' : 'before',
        failure: injectedFailure(injected.before ?? injected.after),
      }
    const own = this.#due(call)
    if (own?.failure === 'crash') caller.crash()
    return own
  }

  #due(call: FakeCall): CallFault | undefined {
    for (const each of this.#waiting) {
      if (each.fault.call !== call || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      return each.fault
    }
    return undefined
  }
}
