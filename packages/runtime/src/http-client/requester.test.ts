import { kinds } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { describe, expect, test, vi } from 'vitest'
import { sleep } from '../clock/clock.ts'
import { fixedCredentials } from '../connection/credentials.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { fixtureClient, json, node, rejection, served, unusedPort } from '../testing/http-fixture.ts'

const ref = { name: 'a' }

/** Starts a server that gives the same response to every request, and a client for it. */
const answering = async (code: number, headers: Record<string, string> = {}) => {
  const clock = new HastyClock()
  const fixture = await served(
    (_request, response) => json(response, { kind: 'Status', code, message: 'no' }, code, headers),
    { clock },
  )
  return { ...fixture, clock }
}

test('the observer of server time gets the Date header of each response, even of refusals, and creation times of objects', async () => {
  const headers: number[] = []
  const created: number[] = []
  const serverTime = {
    observeHeader: (time: number): void => void headers.push(time),
    observeCreation: (time: number): void => void created.push(time),
  }
  const at = Date.parse('2026-01-01T00:00:07Z')
  const { client } = await served(
    ({ method, url }, response) => {
      const date = { date: new Date(at).toUTCString() }
      if (method === 'GET') return json(response, { kind: 'Status', code: 403, message: 'no' }, 403, date)
      response.sendDate = false
      if (url.includes('none')) return json(response, { kind: 'Pod' }, 201)
      json(response, { ...node('a'), metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:09Z' } }, 201)
    },
    { serverTime },
  )
  expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ code: 403 })
  await client.create(kinds.Node, node('a'))
  // Like a review, this response has no metadata.
  await client.create(kinds.Pod, { ...buildPod('p'), metadata: { namespace: 'none' } })
  expect(headers).toEqual([at])
  expect(created).toEqual([at + 2_000])
})

describe('a failed request is retried', () => {
  test('after a lost connection, with pauses of 100, 200 and 400 ms plus up to half of that, before the error is thrown', async () => {
    const clock = new HastyClock()
    const random = new SeededRandom(1)
    vi.spyOn(random, 'next').mockReturnValueOnce(0).mockReturnValue(1)
    const { client, seen } = await served((_request, response) => response.destroy(), { clock, random })
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ reason: 'Unreachable' })
    expect(seen).toHaveLength(4)
    expect(clock.waits).toEqual([100, 300, 600])
  })

  test('but not if nothing listens on the port', async () => {
    const clock = new HastyClock()
    const port = await unusedPort()
    const metrics = new PrometheusMetrics()
    const client = fixtureClient({ server: `http://127.0.0.1:${port}` }, { clock, metrics })
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ reason: 'Unreachable' })
    expect(clock.waits).toEqual([])
    expect(await metrics.text()).toContain('client_go_request_total{code="<error>",method="GET"} 1')
  })

  test.each([
    ['0', [1_000, 1_000, 1_000]],
    ['1', [1_000, 1_000, 1_000]],
    ['10', [10_000, 10_000, 10_000]],
    ['11', []],
    ['soon', []],
  ])('up to three times, after a Retry-After of %s if that is at most ten seconds', async (header, waits) => {
    const { client, clock, seen } = await answering(429, { 'retry-after': header })
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ code: 429 })
    expect(clock.waits).toEqual(waits)
    expect(seen).toHaveLength(waits.length + 1)
  })

  test.each([429, 503])('after %i only if the server sends Retry-After', async (code) => {
    const { client, seen } = await answering(code)
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ code, details: {} })
    expect(seen).toHaveLength(1)
  })

  test('but not after other responses, even with Retry-After', async () => {
    const { client, seen } = await answering(500, { 'retry-after': '1' })
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ code: 500 })
    expect(seen).toHaveLength(1)
  })

  test('unless its caller has aborted meanwhile', async () => {
    const stop = new AbortController()
    const { client, seen } = await served((_request, response) => {
      json(response, { kind: 'Status', code: 429 }, 429, { 'retry-after': '5' })
      setImmediate(() => stop.abort(new Error('changed my mind')))
    })
    await expect(client.get(kinds.Node, ref, { signal: stop.signal })).rejects.toThrow('changed my mind')
    expect(seen).toHaveLength(1)
  })
})

describe('a request', () => {
  test.each([200, 201, 202, 299])('succeeds if the response is %i', async (code) => {
    const { client } = await served((_request, response) => json(response, node('a'), code))
    expect(await client.get(kinds.Node, ref)).toEqual(node('a'))
  })

  test('fails if the response is a redirect', async () => {
    const { client } = await served((_request, response) => json(response, node('a'), 300))
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ code: 300 })
  })

  test('is sent below the path of the server, with the headers of the connection', async () => {
    const { server, seen } = await served((_request, response) => json(response, node('a')))
    const credentials = fixedCredentials({ authorization: 'Bearer t' })
    const headers = { 'impersonate-user': 'ada' }
    const client = fixtureClient({ server: `${server}/clusters/c1/`, credentials, headers }, { userAgent: 'kerf' })
    await client.get(kinds.Node, ref)
    await client.create(kinds.Node, node('a'))
    expect(seen.map(({ url }) => url)).toEqual(['/clusters/c1/api/v1/nodes/a', '/clusters/c1/api/v1/nodes'])
    expect(seen[0]?.headers).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer t',
      'impersonate-user': 'ada',
      'user-agent': 'kerf',
    })
    expect(seen[0]?.headers).not.toHaveProperty('content-type')
    expect(seen[1]?.headers['content-type']).toBe('application/json')
  })

  test('has no authorization header without credentials', async () => {
    const { client, seen } = await served((_request, response) => json(response, node('a')))
    await client.get(kinds.Node, ref)
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is measured in seconds until its response begins, in twenty buckets from a millisecond', async () => {
    const metrics = new PrometheusMetrics()
    const clock = new HastyClock()
    const { client } = await served(
      (_request, response) => {
        clock.timer(2, () => json(response, node('a')))
      },
      { clock, metrics },
    )
    await sleep(clock, 5_000)
    await client.get(kinds.Node, ref)
    const text = await metrics.text()
    const buckets = [...text.matchAll(/client_go_request_duration_seconds_bucket\{le="([^"]+)".*\} (\d)/g)]
    expect(buckets.map(([, le]) => le)).toEqual([
      '0.001',
      '0.0015',
      '0.00225',
      '0.003375',
      '0.0050625',
      '0.00759375',
      '0.0113906',
      '0.0170859',
      '0.0256289',
      '0.0384434',
      '0.057665',
      '0.0864976',
      '0.129746',
      '0.19462',
      '0.291929',
      '0.437894',
      '0.656841',
      '0.985261',
      '1.47789',
      '2.21684',
      '+Inf',
    ])
    expect(buckets.filter(([, , count]) => count === '0').map(([, le]) => le)).toEqual(['0.001', '0.0015'])
    expect(text).toMatch(/client_go_request_duration_seconds_sum\{.*\} 0\.002\n/)
  })
})
