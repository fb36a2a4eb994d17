import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type FakeOci, operationName, throttled } from '@kerf/provider-oci/testing'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import type { OciFault } from './oci-fault.ts'

type CallFault = Extract<OciFault, { readonly kind: 'oci-call' }>
type Failure = CallFault['failure']

/** The process that sends the requests. */
interface Caller {
  readonly isDead: boolean
  /** Ends the process within a request. */
  crash(): void
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const refused = (status: number, code: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'opc-request-id': 'SIMULATED' },
  text: JSON.stringify({ code, message: 'simulated' }),
})

const answer = (failure: Failure): HttpResponse => {
  if (failure === 'lost')
    throw new NoResponseError('iaas.test', {
      ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
    })
  return failure === 'throttled' ? refused(throttled.status, throttled.code) : refused(500, 'InternalServerError')
}

const verb = (operation: string): CloudCall['verb'] => {
  if (operation === 'TerminateInstance') return 'terminate'
  if (operation === 'LaunchInstance' || operation === 'UpdateInstance') return 'run'
  return operation === 'GetInstance' ? 'describe' : 'list'
}

const injectedFailure = (error: Error | undefined): Failure => {
  if (error instanceof CloudError && error.code === 'Throttled') return 'throttled'
  return error?.message.includes('connection') === true ? 'lost' : 'error'
}

/** The requests of processes to Oracle Cloud. Drops the requests of dead processes, and injects faults into all others. */
export class OciCalls {
  readonly #fake: FakeOci
  /**
   * The simulation calls this function for each request, with a verb that all simulated clouds share. Returns the fault to inject. May end
   * the process.
   */
  readonly #called: (call: CloudCall) => FailedCall | undefined
  #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  constructor(fake: FakeOci, called: (call: CloudCall) => FailedCall | undefined) {
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
  from(caller: Caller): Send {
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
    request: HttpRequest,
    caller: Caller,
  ): { readonly when: 'before' | 'after'; readonly failure: Failure } | undefined {
    const operation = operationName(request) ?? ''
    const injected = this.#called({ verb: verb(operation), subject: operation })
    if (injected !== undefined)
      return {
        when: injected.before === undefined ? 'after' : 'before',
        failure: injectedFailure(injected.before ?? injected.after),
      }
    const own = this.#due(operation)
    if (own?.failure === 'crash') caller.crash()
    return own
  }

  #due(operation: string): CallFault | undefined {
    for (const each of this.#waiting) {
      if (each.fault.operation !== operation || each.times === 0) continue
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
