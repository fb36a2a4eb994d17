import { ownValue, setOwnValue } from '@kerf/apis'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { fakeActions } from './actions.ts'
import type { FakeAccount } from './fake-account.ts'
import { ACCESS_KEY, CLUSTER, REGION } from './names.ts'
import { nested, type Refusal, refuseBody, refuseParameters, requestAction } from './request-shape.ts'
import { refuseSignature } from './signature.ts'

/** How a call fails: with an error or a broken connection, before or after it takes effect. */
export interface FakeFault {
  readonly refusal: Refusal | 'network'
  /** If true, the call takes effect, but its response is lost. */
  readonly isAfterwards?: true
}

export const throttled: Refusal = {
  status: 400,
  code: 'Throttling.User',
  message: 'Request was denied due to user flow control.',
}

const header = ({ headers = {} }: HttpRequest, name: string): string =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? ''

const isRefusal = (answer: object): answer is Refusal => 'code' in answer && 'status' in answer

/**
 * An in-memory Alibaba Cloud with the vendor's HTTP API. It checks the signature of every request, and validates the parameters against the
 * vendor's description of the action. Responses have the fields of that description. Error codes come from the documentation of 2021.
 */
export class FakeAlibaba {
  readonly account: FakeAccount
  /** The existing access keys. Tests remove and add keys. */
  readonly keys = new Map<string, { readonly secret: string; readonly token?: string }>([
    [ACCESS_KEY.id, { secret: ACCESS_KEY.secret }],
  ])
  /** The actions of all requests with a valid signature, with their parameters and the monotonic time. */
  readonly requests: {
    readonly action: string
    readonly parameters: Readonly<Record<string, unknown>>
    readonly at: number
  }[] = []
  /** Requests that do not match the vendor's description. Tests expect none. */
  readonly problems: string[] = []
  /** Actions for which the keys have no permission. */
  readonly denied = new Set<string>()
  readonly #standing = new Map<string, FakeFault>()
  readonly #next = new Map<string, FakeFault[]>()
  #requestNumber = 0

  constructor(account: FakeAccount) {
    this.account = account
  }

  /** Fails every call of the action until `recover`. */
  fail(action: string, fault: FakeFault): void {
    this.#standing.set(action, fault)
  }

  /** Fails the next call of the action. */
  failNext(action: string, fault: FakeFault): void {
    this.#next.set(action, [...(this.#next.get(action) ?? []), fault])
  }

  recover(): void {
    this.#standing.clear()
    this.#next.clear()
  }

  count(action: string): number {
    return this.requests.filter((request) => request.action === action).length
  }

  /** Handles a request without a network connection. */
  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    return this.answer(request)
  }

  answer(request: HttpRequest): HttpResponse {
    const { url, method } = request
    const isRoa = url.host.startsWith('cs.') || url.pathname !== '/'
    const unsigned = refuseSignature(request, this.keys)
    if (unsigned !== undefined) return this.#refused(unsigned, isRoa)
    const named = header(request, 'x-acs-action')
    const found = requestAction({
      action: named,
      version: header(request, 'x-acs-version'),
      product: isRoa ? 'cs' : named === 'DescribeVSwitches' ? 'vpc' : 'ecs',
      method,
      path: url.pathname,
    })
    if (found === undefined)
      return this.#invalid({ status: 404, code: 'InvalidAction.NotFound', message: named }, named, isRoa)
    const { action, clusterId } = found
    const query: Record<string, string> = {}
    for (const [name, value] of url.searchParams) setOwnValue(query, name, value)
    const wrong =
      isRoa && method === 'POST'
        ? refuseBody(action, JSON.parse(request.body ?? '{}'))
        : refuseParameters(action, query)
    if (wrong !== undefined) return this.#invalid(wrong, action, isRoa)
    if (clusterId !== undefined && clusterId !== CLUSTER)
      return this.#refused({ status: 404, code: 'ErrorClusterNotFound', message: 'cluster not found' }, isRoa)
    const parameters = { ...nested(query), ...(request.body === undefined ? {} : JSON.parse(request.body)) }
    if (wrongRegion(parameters)) return this.#refused(noSuchRegion, isRoa)
    this.requests.push({ action, parameters, at: this.account.clock.monotonic() })
    return this.#act(action, parameters, isRoa)
  }

  #act(action: string, parameters: Readonly<Record<string, unknown>>, isRoa: boolean): HttpResponse {
    const fault = this.#next.get(action)?.shift() ?? this.#standing.get(action)
    const failed = (): HttpResponse => {
      if (fault?.refusal === 'network') throw lost()
      return this.#refused(fault?.refusal ?? throttled, isRoa)
    }
    if (fault !== undefined && fault.isAfterwards !== true) return failed()
    const outcome = this.denied.has(action)
      ? unauthorized(action, parameters)
      : ownValue(fakeActions, action)?.(this.account, parameters)
    if (outcome === undefined) throw new Error(`the fake does not know ${action}`)
    if (isRefusal(outcome)) return this.#refused(outcome, isRoa)
    if (fault !== undefined) return failed()
    const { answer } = outcome
    if (typeof answer === 'string') return { status: 200, headers: {}, text: answer }
    const body = Array.isArray(answer) || isRoa ? answer : { RequestId: this.#requestId(), ...answer }
    return { status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) }
  }

  #requestId(): string {
    return `REQUEST-${++this.#requestNumber}`
  }

  #invalid(refusal: Refusal, action: string, isRoa: boolean): HttpResponse {
    this.problems.push(`${action}: ${refusal.code}: ${refusal.message}`)
    return this.#refused(refusal, isRoa)
  }

  #refused({ status, code, message }: Refusal, isRoa: boolean): HttpResponse {
    const request = this.#requestId()
    const body = isRoa ? { code, message, requestId: request } : { Code: code, Message: message, RequestId: request }
    return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) }
  }
}

const noSuchRegion: Refusal = {
  status: 404,
  code: 'InvalidRegionId.NotFound',
  message: 'The specified RegionId does not exist.',
}

const wrongRegion = ({ RegionId }: Readonly<Record<string, unknown>>): boolean =>
  RegionId !== undefined && RegionId !== REGION

/** Returns the response for a caller without permission. The list of instances is then empty, unless the call is a dry run. */
const unauthorized = (action: string, parameters: Readonly<Record<string, unknown>>) =>
  action === 'DescribeInstances' && parameters['DryRun'] === undefined
    ? { answer: { NextToken: '', Instances: { Instance: [] } } }
    : { status: 403, code: 'Forbidden.RAM', message: `User not authorized to operate on ${action}.` }

const lost = (): NoResponseError =>
  new NoResponseError('the fake', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection was reset', wasNeverSent: false },
  })
