import { get as request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Milliseconds } from '@kerf/apis'
import { afterEach, describe, expect, test } from 'vitest'
import type { Clock, Timer } from '../clock/clock.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics, SERIES_PER_CHUNK } from '../metrics/prometheus-metrics.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { acceptsGzip } from './accept-encoding.ts'
import { type Endpoints, type EndpointsOptions, serveEndpoints } from './endpoints.ts'

const open: Endpoints[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const PODS = 10_000
/** The number of chunks. The last one is the final line break. */
const CHUNKS = PODS / SERIES_PER_CHUNK + 1
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A clock whose waits end only when the test ends them. */
class HeldClock implements Clock {
  readonly #held: (() => void)[] = []

  now(): Milliseconds {
    return 0
  }

  monotonic(): Milliseconds {
    return 0
  }

  timer(_after: Milliseconds, fire: () => void): Timer {
    this.#held.push(fire)
    return { cancel: () => void this.#held.splice(this.#held.indexOf(fire), 1) }
  }

  get isHeld(): boolean {
    return this.#held.length > 0
  }

  /** Resolves when a caller waits. */
  async held(): Promise<void> {
    while (!this.isHeld) await turn()
  }

  release(): void {
    this.#held.shift()?.()
  }
}

/** Starts endpoints with many pod series, and counts the chunks that are rendered. */
const serve = async (clock: Clock = new HastyClock(), options: Partial<EndpointsOptions> = {}) => {
  const metrics = new PrometheusMetrics()
  const pods = metrics.gauge({ name: 'karpenter_pods_state', help: 'x', labels: ['name'] })
  for (let nth = 0; nth < PODS; nth++) pods.set(1, { name: `pod-${nth}` })
  const made = { chunks: 0, begun: 0 }
  const counted = Object.assign(Object.create(metrics) as PrometheusMetrics, {
    chunks: async function* () {
      made.begun++
      for await (const chunk of metrics.chunks()) {
        made.chunks++
        yield chunk
      }
    },
  })
  const logger = new RecordingLogger()
  const ports = { metricsPort: 0, healthProbePort: 0, address: '127.0.0.1' }
  const endpoints = await serveEndpoints({ clock, metrics: counted, logger, ready: {}, ...ports, ...options })
  open.push(endpoints)
  const scrape = async (headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      readonly headers: Readonly<Record<string, unknown>>
      readonly body: Buffer
    }>()
    const options = { host: '127.0.0.1', port: endpoints.metrics.port, path: '/metrics', agent: false, method, headers }
    const asked = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
    return { asked, answer: promise }
  }
  return { metrics, made, logger, endpoints, scrape }
}

describe('a scrape of 10,000 pods', () => {
  test('is compressed for clients that accept gzip, with the same content', async () => {
    const { metrics, scrape } = await serve()
    const plain = await (await scrape()).answer
    const compressed = await (await scrape({ 'accept-encoding': 'deflate;q=0.5, gzip;q=0.8' })).answer
    expect(plain.body.toString()).toBe(await metrics.text())
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true)
    expect(compressed.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'content-encoding': 'gzip',
      'content-length': String(compressed.body.length),
      vary: 'accept-encoding',
    })
    expect(plain.headers).toMatchObject({ 'content-length': String(plain.body.length), vary: 'accept-encoding' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(compressed.body.length).toBeLessThan(plain.body.length / 4)
  })

  test('is not rendered for a HEAD request', async () => {
    const { made, scrape } = await serve()
    expect((await (await scrape({}, 'HEAD')).answer).body).toHaveLength(0)
    expect(made.begun).toBe(0)
  })

  test('lets other work run after each chunk', async () => {
    const clock = new HeldClock()
    const { made, scrape, endpoints } = await serve(clock)
    const { answer } = await scrape()
    for (let chunk = 0; chunk <= CHUNKS; chunk++) {
      await clock.held()
      expect(made.chunks).toBe(chunk)
      expect((await fetch(`http://127.0.0.1:${endpoints.health.port}/healthz`)).ok).toBe(true)
      clock.release()
    }
    expect((await answer).body.length).toBeGreaterThan(PODS)
  })

  test('is not rendered if the scraper disconnects before it is authorized', async () => {
    const reviewed = Promise.withResolvers<undefined>()
    const begun = Promise.withResolvers<void>()
    const refusal = (): Promise<undefined> => {
      begun.resolve()
      return reviewed.promise
    }
    const { made, scrape, endpoints, logger } = await serve(new HastyClock(), { authorization: { refusal } })
    const { asked, answer } = await scrape()
    answer.catch(() => {})
    await begun.promise
    asked.destroy()
    while ((await endpoints.metrics.connections()) > 0) await turn()
    reviewed.resolve(undefined)
    for (let each = 0; each < 5; each++) await turn()
    expect([made.begun, logger.lines]).toEqual([0, []])
  })

  test('is cancelled without a log line when the scraper disconnects', async () => {
    const clock = new HeldClock()
    const { made, scrape, logger } = await serve(clock)
    const { asked, answer } = await scrape()
    answer.catch(() => {})
    for (let chunk = 0; chunk < 2; chunk++) {
      await clock.held()
      clock.release()
    }
    await clock.held()
    asked.destroy()
    while (clock.isHeld) await turn()
    await turn()
    expect([made.chunks, clock.isHeld, logger.lines]).toEqual([2, false, []])
  })
})

test.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['*', true],
  ['*;q=0, gzip', true],
  ['GZIP;Q=0.1', true],
  ['gzip;level=1;q=0', false],
  ['gzip;q=0', false],
  ['*;q=0.5, gzip;q=0', false],
  ['gzip;q=never', false],
  ['deflate', false],
  ['', false],
])('accept-encoding %j accepts gzip: %j', (header, takes) => {
  expect(acceptsGzip({ 'accept-encoding': header })).toBe(takes)
})
