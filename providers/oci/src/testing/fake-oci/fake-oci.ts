import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { ownValue, setOwnValue } from '@kerf/apis'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import type { FakeAccount } from './fake-account.ts'
import { TENANCY, USER } from './names.ts'
import { type FakeCall, type Operation, type Outcome, operations } from './operations.ts'
import { isRefusal, notFound, type Refusal, throttled } from './refusal.ts'
import { refuseSignature, verificationKey } from './request-signature.ts'

/** How a call fails: with an error or a broken connection, before or after it takes effect. */
export interface FakeFault {
  readonly refusal: Refusal | 'network'
  /** If true, the call takes effect, but its response is lost. */
  readonly isAfterwards?: true
}

/**
 * A private key that exists only in this process and signs the requests of tests. It is short, because longer keys are several times
 * slower.
 */
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 512,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

/** The API key of the fake user. */
export const fakeKey = {
  tenancy: TENANCY,
  user: USER,
  fingerprint: '20:3b:97:13:55:1c',
  privateKey,
  passphrase: '',
} as const

const fakeKeyEntry: readonly [string, KeyObject] = [
  `${fakeKey.tenancy}/${fakeKey.user}/${fakeKey.fingerprint}`,
  verificationKey(privateKey),
]

const ROOT = '/20160918'
/** The default page size of lists. */
const MOST_ITEMS = 1_000

const pathPattern = (path: string): string => path.replaceAll(/\/ocid1\.[^/]+/g, '/{}')
const idIn = (path: string): string => /\/(ocid1\.[^/]+)/.exec(path)?.[1] ?? ''
const header = ({ headers = {} }: HttpRequest, name: string): string =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? ''

const operationFor = ({ url, method }: HttpRequest) =>
  url.pathname.startsWith(ROOT)
    ? ownValue(operations, `${method} ${pathPattern(url.pathname.replace(ROOT, ''))}`)
    : undefined

/** Returns the name of the operation that a request calls, such as `LaunchInstance`. */
export const operationName = (request: HttpRequest): string | undefined => operationFor(request)?.[0]

/**
 * An in-memory Oracle Cloud with the HTTP API of Identity, Compute, Networking, Block Volume and Work Requests. It checks the signature of
 * every request, and validates bodies against the models of Oracle's SDK. Responses have the fields of these models.
 */
export class FakeOci {
  readonly account: FakeAccount
  /** The existing keys, by key id. Tests remove keys. */
  readonly keys = new Map<string, KeyObject>([fakeKeyEntry])
  /** All requests with a valid signature, with the monotonic time. */
  readonly requests: {
    readonly operation: string
    readonly query: Readonly<Record<string, string>>
    readonly body: unknown
    readonly at: number
  }[] = []
  /** Invalid requests. Tests expect none. */
  readonly problems: string[] = []
  /** Operations that no policy allows. */
  readonly denied = new Set<string>()
  readonly #standing = new Map<string, FakeFault>()
  readonly #next = new Map<string, FakeFault[]>()
  #requestNumber = 0

  constructor(account: FakeAccount) {
    this.account = account
  }

  /** Fails every call of the operation until `recover`. */
  fail(operation: string, fault: FakeFault): void {
    this.#standing.set(operation, fault)
  }

  /** Fails the next call of the operation. */
  failNext(operation: string, fault: FakeFault): void {
    this.#next.set(operation, [...(this.#next.get(operation) ?? []), fault])
  }

  /** Makes the API key of the fake user valid again. */
  restoreKey(): void {
    this.keys.set(...fakeKeyEntry)
  }

  recover(): void {
    this.#standing.clear()
    this.#next.clear()
  }

  count(operation: string): number {
    return this.requests.filter((request) => request.operation === operation).length
  }

  /** Handles a request without a network connection. */
  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    return this.answer(request)
  }

  answer(request: HttpRequest): HttpResponse {
    const unsigned = refuseSignature(request, this.keys, this.account.clock.now())
    if (unsigned !== undefined) return this.#refused(unsigned)
    const { url, method, body } = request
    const path = url.pathname.replace(ROOT, '')
    const [name, operation] = operationFor(request) ?? []
    if (name === undefined || operation === undefined) {
      this.problems.push(`${method} ${url.pathname}`)
      return this.#refused(notFound(url.pathname))
    }
    const parsed: unknown = body === undefined ? undefined : JSON.parse(body)
    const query: Record<string, string> = {}
    for (const [key, value] of url.searchParams) setOwnValue(query, key, value)
    this.requests.push({ operation: name, query, body: parsed, at: this.account.clock.monotonic() })
    const call = {
      account: this.account,
      id: idIn(path),
      query,
      body: parsed,
      retryToken: header(request, 'opc-retry-token'),
    }
    return this.#act(name, operation, call)
  }

  #act(name: string, operation: Operation, call: FakeCall): HttpResponse {
    const fault = this.#next.get(name)?.shift() ?? this.#standing.get(name)
    const failed = (): HttpResponse => {
      if (fault?.refusal === 'network') throw lost()
      return this.#refused(fault?.refusal ?? throttled)
    }
    if (fault !== undefined && fault.isAfterwards !== true) return failed()
    // If a policy is missing, Oracle Cloud responds as if the object did not exist.
    const outcome = this.denied.has(name) ? notFound(name) : operation(call)
    if (isRefusal(outcome) && outcome.status === 400) this.problems.push(`${name}: ${outcome.code}: ${outcome.message}`)
    if (isRefusal(outcome)) return this.#refused(outcome)
    return fault === undefined ? this.#accepted(outcome, call) : failed()
  }

  #accepted(outcome: Exclude<Outcome, Refusal>, { query }: FakeCall): HttpResponse {
    const headers = { 'content-type': 'application/json', 'opc-request-id': this.#requestId() }
    if ('isDone' in outcome) return { status: 204, headers, text: '' }
    if ('body' in outcome) {
      const more = outcome.workRequest === undefined ? {} : { 'opc-work-request-id': outcome.workRequest }
      return { status: 200, headers: { ...headers, etag: '1', ...more }, text: JSON.stringify(outcome.body) }
    }
    const { items, isCollection = false } = outcome
    const start = Number(query['page'] ?? '0')
    const size = Math.min(Number(query['limit'] ?? MOST_ITEMS), this.account.pageSize)
    const page = items.slice(start, start + size)
    const next = start + size < items.length ? { 'opc-next-page': `${start + size}` } : {}
    return {
      status: 200,
      headers: { ...headers, ...next },
      text: JSON.stringify(isCollection ? { items: page } : page),
    }
  }

  #requestId(): string {
    return `REQUEST${++this.#requestNumber}`
  }

  #refused({ status, code, message }: Refusal): HttpResponse {
    const headers = { 'content-type': 'application/json', 'opc-request-id': this.#requestId() }
    return { status, headers, text: JSON.stringify({ code, message }) }
  }
}

const lost = (): NoResponseError =>
  new NoResponseError('the fake', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection was reset', wasNeverSent: false },
  })
