import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from './cloud-faults.ts'

type HttpFailure = 'throttled' | 'error' | 'lost' | 'crash'

/** A fault for the requests to one cloud. The first `skip` matching requests succeed, and the next `times` fail. */
export interface HttpFault {
  readonly skip: number
  readonly times: number
  readonly when: 'before' | 'after'
  readonly failure: HttpFailure
}

/** The process that sends the requests. */
interface Caller {
  readonly isDead: boolean
  /** Kills the process in the middle of a request. */
  crash(): void
}

/** The properties of a cloud's HTTP requests. */
export interface HttpCallsDeps<F extends HttpFault> {
  /** The host of the cloud, for error messages. */
  readonly host: string
  /** Sends a request to the fake of the cloud. */
  readonly send: Send
  /** Returns the name of the call that the request makes. Returns undefined if no fault may be injected into it. */
  nameOf(request: HttpRequest): string | undefined
  /** Returns the verb of a call. It is one of the verbs that all simulated clouds share. */
  verbOf(name: string): CloudCall['verb']
  /** Returns the name of the call that the fault affects. */
  failing(fault: F): string
  /** Returns the cloud's response for a failure of this kind. */
  refusal(failure: 'throttled' | 'error'): HttpResponse
  /** Called for each request. Returns the fault to inject, if any. May crash the process. */
  called(call: CloudCall): FailedCall | undefined
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const injectedFailure = (error: Error | undefined): HttpFailure => {
  if (error instanceof CloudError && error.code === 'Throttled') return 'throttled'
  return error?.message.includes('connection') === true ? 'lost' : 'error'
}

/** The HTTP requests that processes send to a cloud. Drops the requests of dead processes, and injects faults into all others. */
export class HttpCalls<F extends HttpFault> {
  readonly #deps: HttpCallsDeps<F>
  #waiting: { readonly fault: F; skip: number; times: number }[] = []

  constructor(deps: HttpCallsDeps<F>) {
    this.#deps = deps
  }

  add(fault: F): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting = []
  }

  /** Returns the connection for one process. */
  of(caller: Caller): Send {
    return async (request, signal) => {
      if (caller.isDead) return await never<HttpResponse>()
      const fault = this.#faultFor(request, caller)
      if (caller.isDead && fault?.when !== 'after') return await never<HttpResponse>()
      // A cloud refuses a throttled request before it changes anything, so the request is not sent.
      if (fault !== undefined && (fault.when === 'before' || fault.failure === 'throttled'))
        return this.#answer(fault.failure)
      const response = await this.#deps.send(request, signal)
      if (caller.isDead) return await never<HttpResponse>()
      return fault === undefined ? response : this.#answer(fault.failure)
    }
  }

  #answer(failure: HttpFailure): HttpResponse {
    if (failure === 'lost' || failure === 'crash')
      throw new NoResponseError(this.#deps.host, {
        ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
      })
    return this.#deps.refusal(failure)
  }

  #faultFor(request: HttpRequest, caller: Caller): Pick<HttpFault, 'when' | 'failure'> | undefined {
    const name = this.#deps.nameOf(request)
    if (name === undefined) return undefined
    const injected = this.#deps.called({ verb: this.#deps.verbOf(name), subject: name })
    if (injected !== undefined)
      return {
        when: injected.before === undefined ? 'after' : 'before',
        failure: injectedFailure(injected.before ?? injected.after),
      }
    const own = this.#due(name)
    if (own?.failure === 'crash') caller.crash()
    return own
  }

  #due(name: string): F | undefined {
    for (const each of this.#waiting) {
      if (this.#deps.failing(each.fault) !== name || each.times === 0) continue
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
