import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { classifyConnectionFault } from './connection-fault.ts'
import { type HttpRequest, type HttpResponse, NoResponseError } from './exchange.ts'
import { type Credentials, type HttpCall, HttpClient, type HttpClientOptions, type RetryPolicy } from './http-client.ts'
import { HttpError } from './http-error.ts'

const never = new AbortController().signal
const retries: RetryPolicy = { attempts: 4, base: 1_000, max: 20_000, jitter: 0.5, longestWait: 30_000 }
const get: HttpCall = { method: 'GET', url: new URL('https://api.invalid/servers?key=secret') }
const post: HttpCall = { method: 'POST', url: new URL('https://api.invalid/servers'), body: '{}' }

const answer = (status: number, text = '', headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  text,
  headers,
})
const fault = (code: string): NoResponseError =>
  new NoResponseError('api.invalid', classifyConnectionFault(Object.assign(new Error(code), { code })))

/** Creates a server that returns these responses in order. Requests after the last response fail. */
const harness = (answers: readonly (HttpResponse | Error)[], options: Partial<HttpClientOptions> = {}) => {
  const clock = new VirtualClock()
  const start = clock.monotonic()
  const left = [...answers]
  const sent: { readonly at: number; readonly request: HttpRequest }[] = []
  const client = new HttpClient({
    send: async (request) => {
      sent.push({ at: clock.monotonic() - start, request })
      const next = left.shift() ?? answer(200, 'late')
      if (next instanceof Error) throw next
      return next
    },
    clock,
    random: new SeededRandom(1),
    retries,
    ...options,
  })
  /** Returns the body of the response or the message of the error, and the times at which requests were sent. */
  const call = async (request: HttpCall, signal = never) => {
    const outcome = client.call(request, signal).then(
      ({ text }) => text,
      (error: unknown) => error,
    )
    await clock.advance(300_000)
    return outcome
  }
  return { clock, client, call, sent, times: () => sent.map(({ at }) => at) }
}

test.each([
  ['a read after a server error', get, answer(500)],
  ['a read after a gateway error', get, answer(502)],
  ['a read while the server is unavailable', get, answer(503)],
  ['a read after a gateway timeout', get, answer(504)],
  ['a read whose response was lost', get, fault('ECONNRESET')],
  ['a read after a timeout', get, fault('UND_ERR_HEADERS_TIMEOUT')],
  ['a write that was throttled', post, answer(429)],
  ['a write that did not reach the server', post, fault('ECONNREFUSED')],
  ['a repeatable write after a server error', { ...post, isRepeatable: true }, answer(500)],
  ['a repeatable write whose response was lost', { ...post, isRepeatable: true }, fault('UND_ERR_SOCKET')],
])('%s is retried', async (_what, request, first) => {
  const { call, sent } = harness([first, answer(200, 'fine')])
  expect(await call(request)).toBe('fine')
  expect(sent).toHaveLength(2)
})

test.each([
  ['a write after a server error', post, answer(503)],
  ['a write whose response was lost', post, fault('ECONNRESET')],
  ['a request that was refused', get, answer(403)],
  ['a request for a missing object', get, answer(404)],
  ['a read that the server does not implement', get, answer(501)],
  ['a server with an untrusted certificate', get, fault('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['a read that is marked as not repeatable', { ...get, isRepeatable: false }, answer(500)],
])('%s is not retried', async (_what, request, first) => {
  const { call, sent } = harness([first])
  expect(await call(request)).toBeInstanceOf(first instanceof Error ? NoResponseError : HttpError)
  expect(sent).toHaveLength(1)
})

test('a cloud can define the statuses that mean a failed server', async () => {
  const serverFaults = new Set([596])
  const retried = harness([answer(596), answer(200, 'fine')], { serverFaults })
  expect(await retried.call(get)).toBe('fine')
  const refused = harness([answer(500)], { serverFaults })
  expect(await refused.call(get)).toBeInstanceOf(HttpError)
  expect(refused.sent).toHaveLength(1)
})

test('waits between attempts grow, with seeded jitter; after the last attempt, its failure is thrown', async () => {
  const all = Array.from({ length: 9 }, (_, index) => answer(503, `failure ${index + 1}`))
  const { call, times } = harness(all)
  expect(String(await call(get))).toBe('HttpError: GET https://api.invalid/servers returned HTTP status 503: failure 4')
  const waits = times().map((at, index) => at - (times()[index - 1] ?? 0))
  expect(waits).toHaveLength(4)
  for (const [index, base] of [0, 1_000, 2_000, 4_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(base)
    expect(waits[index]).toBeLessThanOrEqual(base * 1.5)
  }
  const same = harness(all)
  await same.call(get)
  expect(same.times()).toEqual(times())
  const other = harness(all, { random: new SeededRandom(2) })
  await other.call(get)
  expect(other.times()).not.toEqual(times())
})

test('the client waits as long as Retry-After requests, in seconds or until a date, unless that is too long', async () => {
  const seconds = harness([answer(429, '', { 'retry-after': '17' })])
  await seconds.call(post)
  expect(seconds.times()).toEqual([0, 17_000])
  const dated = harness([])
  const date = new Date(dated.clock.now() + 25_000).toUTCString()
  const until = harness([answer(503, '', { 'retry-after': date })])
  await until.call(get)
  expect(until.times()[1]).toBeGreaterThanOrEqual(24_000)
  expect(until.times()[1]).toBeLessThanOrEqual(25_000)
  const long = harness([answer(429, 'come back later', { 'retry-after': '31' })])
  expect(await long.call(get)).toBeInstanceOf(HttpError)
  const odd = harness([answer(429, '', { 'retry-after': 'soon' })])
  expect(await odd.call(get)).toBe('late')
})

test('the body of a response may report throttling', async () => {
  const throttled = answer(400, '{"code": "Throttling.User"}')
  const isThrottled = ({ text }: HttpResponse): boolean => text.includes('"Throttling')
  expect(await harness([throttled]).call(post)).toBeInstanceOf(HttpError)
  expect(await harness([throttled], { isThrottled }).call(post)).toBe('late')
})

test('credentials are requested for each attempt, and renewed once after a refusal', async () => {
  let token = 1
  const credentials: Credentials = {
    authorize: async (request) => ({ ...request, headers: { ...request.headers, 'x-token': `${token}` } }),
    invalidate: () => void token++,
  }
  const sentTokens = ({ sent }: ReturnType<typeof harness>) => sent.map(({ request }) => request.headers?.['x-token'])
  const renewed = harness([answer(503), answer(401)], { credentials })
  expect(await renewed.call(get)).toBe('late')
  expect(sentTokens(renewed)).toEqual(['1', '1', '2'])
  const refused = harness([answer(401), answer(401), answer(401)], { credentials })
  expect(await refused.call(get)).toBeInstanceOf(HttpError)
  expect(sentTokens(refused)).toEqual(['2', '3'])
  expect(await harness([answer(401)]).call(get)).toBeInstanceOf(HttpError)
})

test('an abort during a wait rejects with its reason, and no further request is sent', async () => {
  const { client, clock, sent } = harness([answer(503), answer(503)])
  const stop = new AbortController()
  const outcome = client.call(get, stop.signal).catch((error: Error) => error.message)
  await clock.advance(500)
  stop.abort(new Error('enough'))
  await clock.advance(60_000)
  expect(await outcome).toBe('enough')
  expect(sent).toHaveLength(1)
})

test('an error contains the request without its query, and the shortened body of the response', async () => {
  const error = await harness([answer(400, `  a\n  lot: ${'x'.repeat(400)}`)]).call(get)
  expect(String(error)).toMatch(/^HttpError: GET https:\/\/api\.invalid\/servers returned HTTP status 400: a lot: x+$/)
  expect(String(error)).not.toContain('secret')
  expect(String(error).length).toBeLessThan(400)
  expect((error as HttpError).answer.status).toBe(400)
})

test('an error for an empty response ends with the status', async () => {
  expect(String(await harness([answer(404, ' \n')]).call(get))).toBe(
    'HttpError: GET https://api.invalid/servers returned HTTP status 404',
  )
})
