import type { KubeObject, Milliseconds, ResourceKind } from '@kerf/apis'
import { afterEach, describe, expect, test } from 'vitest'
import type { Clock, Timer } from '../clock/clock.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { converse, responseStatus } from '../testing/raw-socket.ts'
import { type EndpointsOptions, serveEndpoints } from './endpoints.ts'
import { MetricsAuthorization } from './metrics-authorization.ts'

/**
 * A clock that stands still until the test moves it. A wait of zero ends in the next iteration of the event loop, because real
 * sockets need that.
 */
class StandingClock implements Clock {
  #elapsed = 0

  now(): Milliseconds {
    return this.#elapsed
  }

  monotonic(): Milliseconds {
    return this.#elapsed
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    if (after > 0) return { cancel: () => {} }
    const handle = setImmediate(fire)
    return { cancel: () => clearImmediate(handle) }
  }

  move(duration: Milliseconds): void {
    this.#elapsed += duration
  }
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const serve = async (options: Partial<EndpointsOptions>) => {
  const endpoints = await serveEndpoints({
    clock: new StandingClock(),
    metrics: new PrometheusMetrics(),
    logger: new RecordingLogger(),
    metricsPort: 0,
    healthProbePort: 0,
    address: '127.0.0.1',
    ready: {},
    answer: async (path) => (path.startsWith('/kerf/v1/') ? { path } : undefined),
    ...options,
  })
  open.push(endpoints)
  const { port } = endpoints.metrics
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  /** Returns the status for a path that is sent unchanged. `fetch` would normalise it. */
  const asWritten = async (path: string): Promise<number | undefined> =>
    responseStatus(await converse(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))
  return Object.assign(get, { asWritten })
}

describe('the JSON responses on the metrics port', () => {
  test('are limited by a rate and say when to retry; scrapes do not count', async () => {
    const clock = new StandingClock()
    const get = await serve({ clock, requestRate: { qps: 0.5, burst: 3 } })
    const statuses = async (count: number, path: string): Promise<readonly number[]> => {
      const found: number[] = []
      for (let index = 0; index < count; index++) found.push((await get(path)).status)
      return found
    }
    expect(await statuses(4, '/kerf/v1/decisions')).toEqual([200, 200, 200, 429])
    expect(await statuses(4, '/metrics')).toEqual([200, 200, 200, 200])
    const refused = await get('/kerf/v1/decisions')
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await refused.text()).toBe('too many requests; try again later\n')
    clock.move(2_000)
    expect(await statuses(2, '/kerf/v1/nodes/a')).toEqual([200, 429])
    expect(await get.asWritten('/metrics/../kerf/v1/decisions')).toBe(429)
    expect(await get.asWritten('/kerf/v1/%2e%2e/../metrics')).toBe(200)
  })
})

/**
 * A fake client that returns the documented responses to TokenReviews and SubjectAccessReviews. Like the API server, it omits fields that
 * are false.
 */
class Reviews {
  readonly asked: string[] = []
  isDown = false
  readonly client = { create: this.#create.bind(this) } as unknown as Pick<KubeClient, 'create'>

  async #create(kind: ResourceKind, object: KubeObject & { readonly spec: Record<string, unknown> }): Promise<object> {
    this.asked.push(`${kind.kind} ${JSON.stringify(object.spec)}`)
    if (this.isDown) throw new Error('connection refused')
    if (kind.kind === 'TokenReview') {
      const { token } = object.spec
      if (token !== 'scraper' && token !== 'visitor') return { ...object, status: { user: {}, error: 'invalid token' } }
      return { ...object, status: { authenticated: true, user: { username: token, groups: ['g'] } } }
    }
    return { ...object, status: object.spec['user'] === 'scraper' ? { allowed: true } : {} }
  }
}

describe('metrics that require authorization by the API server', () => {
  const guarded = async () => {
    const reviews = new Reviews()
    const clock = new StandingClock()
    const logger = new RecordingLogger()
    const authorization = new MetricsAuthorization({ client: reviews.client, clock, logger })
    const get = await serve({ clock, logger, authorization, profiling: true })
    const status = async (token: string, path = '/metrics'): Promise<number> =>
      (await get(path, { authorization: `Bearer ${token}` })).status
    return { reviews, clock, logger, get, status }
  }

  test('are served for a token that may read them', async () => {
    const { get, reviews, status } = await guarded()
    expect(await status('scraper')).toBe(200)
    expect(reviews.asked).toEqual([
      'TokenReview {"token":"scraper"}',
      'SubjectAccessReview {"user":"scraper","groups":["g"],"nonResourceAttributes":{"path":"/metrics","verb":"get"}}',
    ])
    expect(await status('visitor')).toBe(403)
    expect(await status('visitor', '/debug/pprof/heap')).toBe(403)
    expect(await status('stranger')).toBe(401)
    const before = reviews.asked.length
    expect((await get('/metrics')).status).toBe(401)
    expect((await get('/metrics', { authorization: 'Basic c2NyYXBlcg==' })).status).toBe(401)
    expect((await get('/nothing')).status).toBe(401)
    expect(reviews.asked.length).toBe(before)
    // These responses contain no names of objects and need no token, because the API server does not forward tokens.
    expect((await get('/kerf/v1/decisions')).status).toBe(200)
    for (const path of ['/kerf/v1/../../metrics', '/kerf/v1/%2e%2e/.%2E/metrics', '/kerf/..//metrics'])
      expect([path, await get.asWritten(path)]).toEqual([path, 401])
  })

  test('have their reviews cached: authentication for a minute, permission for five minutes, a refusal for half a minute', async () => {
    const { clock, reviews, status } = await guarded()
    const asked = (): readonly string[] => reviews.asked.splice(0).map((each) => each.split(' ')[0] ?? '')
    await status('scraper')
    await status('visitor')
    asked()
    await status('scraper')
    expect(asked()).toEqual([])
    clock.move(31_000)
    await status('visitor')
    expect(asked()).toEqual(['SubjectAccessReview'])
    clock.move(30_000)
    await status('scraper')
    expect(asked()).toEqual(['TokenReview'])
    clock.move(5 * 60_000)
    await status('scraper')
    expect(asked()).toEqual(['TokenReview', 'SubjectAccessReview'])
  })

  test('are served to nobody while the API server is unreachable, and the log says why', async () => {
    const { logger, reviews, status } = await guarded()
    reviews.isDown = true
    expect(await status('scraper')).toBe(500)
    expect(logger.lines.map(({ fields }) => String(fields?.['error']))).toEqual(['Error: connection refused'])
    expect(JSON.stringify(logger.lines)).not.toContain('Bearer')
    reviews.isDown = false
    expect(await status('scraper')).toBe(200)
  })

  test('cause no load on the API server if a client guesses tokens', async () => {
    const { reviews, status } = await guarded()
    const statuses = new Map<number, number>()
    for (let index = 0; index < 60; index++) {
      const found = await status(`guess-${index}`)
      statuses.set(found, (statuses.get(found) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 50, 429: 10 })
    expect(reviews.asked).toHaveLength(50)
  })
})
