import type { FakeAlibaba } from '@kerf/provider-alibaba/testing'
import { throttled } from '@kerf/provider-alibaba/testing'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import type { AlibabaFault } from './alibaba-fault.ts'

type CallFault = Extract<AlibabaFault, { readonly kind: 'alibaba-call' }>
type Failure = CallFault['failure']

/** The process that sends the requests. */
export interface Caller {
  readonly isDead: boolean
  /** Ends the process within a request. */
  crash(): void
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const refused = (status: number, code: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ Code: code, code, Message: 'simulated', message: 'simulated', RequestId: 'SIMULATED' }),
})

const answer = (failure: Failure): HttpResponse => {
  if (failure === 'lost')
    throw new NoResponseError('ecs.test', {
      ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
    })
  return failure === 'throttled' ? refused(throttled.status, throttled.code) : refused(500, 'InternalError')
}

const verb = (action: string): CloudCall['verb'] => {
  if (action === 'DeleteInstance') return 'terminate'
  if (action === 'CreateAutoProvisioningGroup' || action === 'AddTags') return 'run'
  return action === 'DescribeInstances' ? 'describe' : 'list'
}

const kindOfInjected = (error: Error | undefined): Failure => {
  if (error instanceof CloudError && error.code === 'Throttled') return 'throttled'
  return error?.message.includes('connection') === true ? 'lost' : 'error'
}

/** The requests of processes to Alibaba Cloud. Drops the requests of dead processes, and injects faults into all others. */
export class AlibabaCalls {
  readonly #fake: FakeAlibaba
  /**
   * Called for each request. The call's verb is one of those that all simulated clouds share. Returns the fault to inject. May end the
   * process.
   */
  readonly #called: (call: CloudCall) => FailedCall | undefined
  #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  constructor(fake: FakeAlibaba, called: (call: CloudCall) => FailedCall | undefined) {
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
      // The API refuses a throttled request before it does anything.
      if (fault !== undefined && (fault.when === 'before' || fault.failure === 'throttled'))
        return answer(fault.failure)
      const response = await this.#fake.send(request, signal)
      if (caller.isDead) return await never<HttpResponse>()
      return fault === undefined ? response : answer(fault.failure)
    }
  }

  #faultFor(
    { headers = {} }: HttpRequest,
    caller: Caller,
  ): { readonly when: 'before' | 'after'; readonly failure: Failure } | undefined {
    const action = headers['x-acs-action'] ?? ''
    const injected = this.#called({ verb: verb(action), subject: action })
    if (injected !== undefined)
      return {
        when: injected.before === undefined ? 'after' : 'before',
        failure: kindOfInjected(injected.before ?? injected.after),
      }
    const own = this.#due(action)
    if (own?.failure === 'crash') caller.crash()
    return own
  }

  #due(action: string): CallFault | undefined {
    for (const each of this.#waiting) {
      if (each.fault.action !== action || each.times === 0) continue
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
