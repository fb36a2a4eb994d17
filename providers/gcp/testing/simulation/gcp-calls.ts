import type { NodeClaim } from '@kerf/apis'
import { type FakeGcp, routeOfRequest } from '@kerf/provider-gcp/testing'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import type { GcpFault } from './gcp-fault.ts'
import { claimNameFromInstance, makeProviderId } from './names.ts'

type CallFault = Extract<GcpFault, { readonly kind: 'gcp-call' }>

/** The process that sends the requests. */
export interface Caller {
  readonly isDead: boolean
  /** Ends the process in the middle of a request. */
  crash(): void
}

/** The callbacks for requests. */
export interface CallWatcher {
  /**
   * Called for each request. The call's verb is one that all simulated clouds share. Returns the fault to inject, if any. May crash the
   * process.
   */
  called(call: CloudCall): FailedCall | undefined
  /** Called with the provider ID when Kerf requests the deletion of an instance. */
  terminating(providerID: string): void
  claims(): readonly NodeClaim[]
}

const INSERT = 'compute.instances.insert'
const DELETE = 'compute.instances.delete'

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const lost = (): NoResponseError =>
  new NoResponseError('compute.googleapis.com', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
  })

const refusal = (status: number, reason: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  text: JSON.stringify({ error: { code: status, message: 'simulated', errors: [{ reason, message: 'simulated' }] } }),
})

const throttled = (): HttpResponse => refusal(403, 'rateLimitExceeded')
const failed = (): HttpResponse => refusal(503, 'backendError')

const verbOf = (method: string): CloudCall['verb'] => {
  if (method === DELETE) return 'terminate'
  if (method === INSERT) return 'run'
  return method.endsWith('.get') ? 'describe' : 'list'
}

/** Returns the HTTP response that corresponds to an error of the simulation. */
const answerOf = (error: Error | undefined): HttpResponse => {
  if (error instanceof CloudError && error.code === 'Throttled') return throttled()
  if (error?.message.includes('connection') === true) throw lost()
  return failed()
}

/** The requests that processes send to Google Cloud. Drops the requests of dead processes, and injects faults into all others. */
export class GcpCalls {
  readonly #gcp: FakeGcp
  readonly #watcher: CallWatcher
  /** The uid of the NodeClaim for which each instance was created, by instance name. */
  readonly #owners = new Map<string, string>()
  #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  constructor(gcp: FakeGcp, watcher: CallWatcher) {
    this.#gcp = gcp
    this.#watcher = watcher
  }

  add(fault: CallFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting = []
  }

  /** Returns the uid of the NodeClaim for which an instance was created. Returns a unique name if the claim had already been deleted. */
  ownerOf(name: string): string {
    return this.#owners.get(name) ?? `none ${name}`
  }

  /** Returns the connection for one process. */
  of(caller: Caller): Send {
    return async (request, signal) => {
      if (caller.isDead) return await never<HttpResponse>()
      const fault = this.#faultOf(request, caller)
      if (caller.isDead && fault.when !== 'after') return await never<HttpResponse>()
      if (fault.when === 'before') return fault.answer()
      const answer = await this.#gcp.send(request, signal)
      if (caller.isDead) return await never<HttpResponse>()
      return fault.when === 'after' ? fault.answer() : answer
    }
  }

  /** Reports the request, and returns the fault to inject. */
  #faultOf(
    request: HttpRequest,
    caller: Caller,
  ): { readonly when: 'before' | 'after' | 'never'; readonly answer: () => HttpResponse } {
    const { id: method = '', pathValues = {} } = routeOfRequest(request.method, request.url.pathname) ?? {}
    const { zone = '', instance = '' } = pathValues
    this.#note(method, zone, instance, request)
    const injected = this.#watcher.called({ verb: verbOf(method), subject: `${method} ${instance}` })
    if (injected !== undefined) {
      const error = injected.before ?? injected.after
      return { when: injected.before === undefined ? 'after' : 'before', answer: () => answerOf(error) }
    }
    const own = this.#due(method)
    if (own?.failure === 'crash') caller.crash()
    if (own === undefined) return { when: 'never', answer: failed }
    return {
      // The service refuses a throttled request before it changes anything.
      when: own.failure === 'throttled' ? 'before' : own.when,
      answer: () => {
        if (own.failure === 'lost') throw lost()
        return own.failure === 'throttled' ? throttled() : failed()
      },
    }
  }

  #due(method: string): CallFault | undefined {
    for (const each of this.#waiting) {
      if (each.fault.method !== method || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      return each.fault
    }
    return undefined
  }

  /** Records the NodeClaim of an instance while the claim exists, because only the instance's name identifies it later. */
  #note(method: string, zone: string, instance: string, { body = '{}' }: HttpRequest): void {
    if (method === INSERT) {
      const { name = '' }: { readonly name?: string } = JSON.parse(body)
      const claim = this.#watcher.claims().find(({ metadata }) => metadata.name === claimNameFromInstance(name))
      if (claim?.metadata.uid !== undefined) this.#owners.set(name, claim.metadata.uid)
    }
    if (method !== DELETE) return
    const found = this.#gcp.instances.all().find((each) => each.zone === zone && each.body.name === instance)
    if (found !== undefined && found.status !== 'STOPPING')
      this.#watcher.terminating(makeProviderId({ zone, name: instance }))
  }
}
