import type { NodeClaim } from '@kerf/apis'
import { type FakeAzure, findRoute, vmBody } from '@kerf/provider-azure/testing'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import type { AzureFault } from './azure-fault.ts'
import { claimNameFromVm, makeProviderId } from './names.ts'

type CallFault = Extract<AzureFault, { readonly kind: 'azure-call' }>

/** The process that sends the requests. */
export interface Caller {
  readonly isDead: boolean
  /** Ends the process during a request. */
  crash(): void
}

/** The functions that are notified of requests. */
export interface CallWatcher {
  /**
   * Called for each request. The call's verb is one of those that all simulated clouds share. Returns the fault to inject. May end the
   * process.
   */
  called(call: CloudCall): FailedCall | undefined
  /** Called when Kerf has asked to delete a VM, with its provider ID. */
  terminating(providerID: string): void
  claims(): readonly NodeClaim[]
}

/** The name of a poll of a long-running operation. */
const STATUS = 'status'

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const lost = (): NoResponseError =>
  new NoResponseError('management.azure.com', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
  })

const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  text: JSON.stringify({ error: { code, message: 'simulated' } }),
})

const throttled = (): HttpResponse => refusal(429, 'TooManyRequests', { 'retry-after': '5' })
const failed = (): HttpResponse => refusal(500, 'InternalServerError')

const operationVerb = (operation: string): CloudCall['verb'] => {
  if (operation.endsWith('_Delete')) return 'terminate'
  if (/_(CreateOrUpdate|Update|UpdateTags)$/.test(operation)) return 'run'
  return operation.endsWith('_Get') || operation === STATUS ? 'describe' : 'list'
}

/** The requests of processes to Azure. Drops the requests of dead processes, and injects faults into all others. */
export class AzureCalls {
  readonly #azure: FakeAzure
  readonly #watcher: CallWatcher
  /** The uid of the NodeClaim for which each VM was created, by the VM's name. */
  readonly #owners = new Map<string, string>()
  #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  constructor(azure: FakeAzure, watcher: CallWatcher) {
    this.#azure = azure
    this.#watcher = watcher
  }

  add(fault: CallFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting = []
  }

  /** Returns the uid of the NodeClaim for which a VM was created. Returns a unique name if the claim no longer existed. */
  ownerOf(vm: string): string {
    return this.#owners.get(vm) ?? `none ${vm}`
  }

  /** Returns the Azure clients of one process. */
  of(caller: Caller): Send {
    return async (request, signal) => {
      if (caller.isDead) return await never<HttpResponse>()
      // The retail price API is a separate service. It has no faults, because without prices Kerf may choose expensive offerings.
      if (request.url.hostname === 'prices.azure.com') return await this.#azure.send(request, signal)
      const fault = this.#faultOf(request, caller)
      if (caller.isDead && fault.when !== 'after') return await never<HttpResponse>()
      if (fault.when === 'before') return fault.answer()
      const answer = await this.#azure.send(request, signal)
      if (caller.isDead) return await never<HttpResponse>()
      return fault.when === 'after' ? fault.answer() : answer
    }
  }

  /** Reports the request, and returns the fault to inject. */
  #faultOf(
    { method, url }: HttpRequest,
    caller: Caller,
  ): { readonly when: 'before' | 'after' | 'never'; readonly answer: () => HttpResponse } {
    const { name: operation = STATUS, params = {} } = findRoute(method, url.pathname) ?? {}
    const subject = params['name'] ?? ''
    this.#note(operation, subject)
    const call = { verb: operationVerb(operation), subject: `${operation} ${subject}` }
    const injected = this.#watcher.called(call)
    if (injected !== undefined) {
      const error = injected.before ?? injected.after
      return { when: injected.before === undefined ? 'after' : 'before', answer: () => answerOf(error) }
    }
    const own = this.#due(operation)
    if (own?.failure === 'crash') caller.crash()
    if (own === undefined) return { when: 'never', answer: failed }
    return {
      // Azure refuses a throttled request before the request has any effect.
      when: own.failure === 'throttled' ? 'before' : own.when,
      answer: () => {
        if (own.failure === 'lost') throw lost()
        return own.failure === 'throttled' ? throttled() : failed()
      },
    }
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

  /** Records the NodeClaim of a VM while the claim exists, because only the name of the VM refers to it. */
  #note(operation: string, name: string): void {
    if (operation === 'VirtualMachines_CreateOrUpdate' && !this.#owners.has(name)) {
      const claim = this.#watcher.claims().find(({ metadata }) => metadata.name === claimNameFromVm(name))
      if (claim?.metadata.uid !== undefined) this.#owners.set(name, claim.metadata.uid)
    }
    if (operation !== 'VirtualMachines_Delete') return
    const vm = this.#azure.vms.all().find((each) => each.name === name)
    const state = vm === undefined ? undefined : vmBody(vm).properties.provisioningState
    // A VM that failed has never run.
    if (state === 'Creating' || state === 'Succeeded') this.#watcher.terminating(makeProviderId(name))
  }
}

/** Returns the error of Azure that corresponds to an error of the simulation. */
const answerOf = (error: Error | undefined): HttpResponse => {
  if (error instanceof CloudError && error.code === 'Throttled') return throttled()
  if (error?.message.includes('connection') === true) throw lost()
  return failed()
}
