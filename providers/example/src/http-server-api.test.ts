import { HttpError } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { httpServerApi } from './http-server-api.ts'
import { NoSuchServerError, OutOfStockError, type ServerRequest } from './server-api.ts'
import { FakeServers } from './testing/fake-servers.ts'
import { HttpServers } from './testing/http-servers.ts'

const never = new AbortController().signal
const OWN = ['owner', 'kerf'] as const

const request = (token: string): ServerRequest => ({
  ...{ token, image: 'linux-2026', type: 's-2', zone: 'example-1a', isSpot: false },
  tags: { owner: 'kerf' },
})

const harness = (key = 'the key') => {
  const clock = new VirtualClock()
  const servers = new FakeServers(clock, 4_000)
  const http = new HttpServers(servers, clock, 'the key')
  const random = new SeededRandom(1)
  const api = httpServerApi({ endpoint: 'https://example.invalid', key, send: http.send, clock, random })
  return { clock, servers, http, api }
}

test('creates, finds, lists (to the last page) and stops servers with a single token', async () => {
  const { http, api } = harness()
  const made = [await api.create(request('a'), never), await api.create(request('b'), never)]
  made.push(await api.create(request('c'), never))
  const [first] = made
  expect(await api.describe(first?.id ?? '', never)).toEqual(first)
  expect(await api.list(OWN, never)).toEqual(made)
  expect(await api.list(['owner', 'others'], never)).toEqual([])
  await api.stop(first?.id ?? '', never)
  expect((await api.describe(first?.id ?? '', never)).state).toBe('stopping')
  expect(http.requests.filter((each) => each === 'POST /v1/tokens')).toHaveLength(1)
  expect(http.requests).toContain('GET /v1/servers?tag=owner%3Dkerf&page=2')
})

test('a token is replaced before it expires, and after it is refused', async () => {
  const { clock, http, api } = harness()
  await api.list(OWN, never)
  await clock.advance(545_000)
  await api.list(OWN, never)
  http.revoke()
  await api.list(OWN, never)
  expect(http.requests.map((each) => each.split('?')[0])).toEqual([
    ...['POST /v1/tokens', 'GET /v1/servers', 'POST /v1/tokens', 'GET /v1/servers'],
    ...['GET /v1/servers', 'POST /v1/tokens', 'GET /v1/servers'],
  ])
})

test('missing stock and missing servers become errors of the provider; a wrong key is reported', async () => {
  const { servers, api } = harness()
  servers.outOfStock = [{ instanceType: 's-2' }]
  await expect(api.create(request('a'), never)).rejects.toThrow(OutOfStockError)
  await expect(api.describe('srv-9', never)).rejects.toThrow(NoSuchServerError)
  await expect(api.stop('srv-9', never)).rejects.toThrow(NoSuchServerError)
  const refused = await harness('another key')
    .api.list(OWN, never)
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(HttpError)
  expect(String(refused)).toContain('no such key')
  expect(String(refused)).not.toContain('another key')
})

test('a creation that fails with a server error is repeated, and creates one server', async () => {
  const { clock, servers, http, api } = harness()
  await api.list(OWN, never)
  http.next.push({ status: 503, headers: { 'retry-after': '2' }, text: '' })
  const made = api.create(request('a'), never)
  await clock.advance(2_000)
  const server = await made
  expect(await api.create(request('a'), never)).toEqual(server)
  expect(servers.all()).toHaveLength(1)
})
