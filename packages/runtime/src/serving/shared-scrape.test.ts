import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PrometheusMetrics, SERIES_PER_CHUNK } from '../metrics/prometheus-metrics.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { SharedScrape } from './shared-scrape.ts'

const staying = new AbortController().signal
const textOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString()

const scrapeOf = (chunks: () => AsyncIterable<string>) => {
  const clock = new HastyClock()
  return { clock, scrape: new SharedScrape(clock, chunks) }
}

test('a text is rendered once for concurrent requests, and again for later requests', async () => {
  let made = 0
  const { scrape } = scrapeOf(async function* () {
    yield `answer ${++made}`
  })
  const together = Array.from({ length: 1_000 }, () => scrape.get('identity', staying))
  expect(new Set((await Promise.all(together)).map(textOf))).toEqual(new Set(['answer 1']))
  expect(textOf(await scrape.get('identity', staying))).toBe('answer 2')
})

test('a failed rendering does not affect the next one', async () => {
  let broken = true
  const { scrape } = scrapeOf(async function* () {
    if (broken) throw new Error('broken')
    yield 'well'
  })
  await expect(scrape.get('identity', staying)).rejects.toThrow('broken')
  broken = false
  expect(textOf(await scrape.get('identity', staying))).toBe('well')
})

test('other work runs after each chunk, compression does not change the content, and later requests wait for the next rendering', async () => {
  const events: string[] = []
  const { clock, scrape } = scrapeOf(async function* () {
    events.push('begins')
    for (let chunk = 0; chunk < 3; chunk++) yield `${chunk}`
    events.push('ends')
  })
  const [plain, compressed] = await Promise.all([scrape.get('identity', staying), scrape.get('gzip', staying)])
  expect([textOf(plain), gunzipSync(Buffer.concat(compressed)).toString()]).toEqual(['012', '012'])
  // One wait comes before the first chunk, and one after each chunk.
  expect(clock.waits).toEqual([0, 0, 0, 0])

  const first = scrape.get('identity', staying)
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  expect(events.filter((event) => event === 'begins')).toHaveLength(2)
  await Promise.all([first, scrape.get('identity', staying)])
  expect(events).toEqual(['begins', 'ends', 'begins', 'ends', 'begins', 'ends'])
})

test('rendering stops when all requests are cancelled, and continues while any request waits', async () => {
  const metrics = new PrometheusMetrics()
  const gauge = metrics.gauge({ name: 'pods', help: 'x', labels: ['name'] })
  for (let pod = 0; pod < 5 * SERIES_PER_CHUNK; pod++) gauge.set(1, { name: `pod-${pod}` })
  let chunks = 0
  const { scrape } = scrapeOf(async function* () {
    for await (const chunk of metrics.chunks()) {
      chunks++
      yield chunk
    }
  })
  const leaving = [new AbortController(), new AbortController()]
  const answers = leaving.map(({ signal }) => scrape.get('identity', signal).catch((error: Error) => error.message))
  const whenChunks = async (count: number): Promise<void> => {
    while (chunks < count) await new Promise((resolve) => setImmediate(resolve))
  }
  await whenChunks(1)
  leaving[0]?.abort(new Error('gone'))
  await whenChunks(2)
  leaving[1]?.abort(new Error('gone too'))
  expect(await Promise.all(answers)).toEqual(['gone', 'gone too'])
  const [last] = await scrape.get('identity', staying)
  expect(textOf([last ?? Buffer.of()]).split('\n')).toHaveLength(SERIES_PER_CHUNK + 2)
  // Two chunks of the first rendering, and all six chunks of the second.
  expect(chunks).toBe(8)
})

test('if all requests are cancelled before their rendering begins, the next request gets its own rendering', async () => {
  const { scrape } = scrapeOf(async function* () {
    yield 'well'
  })
  const leaving = new AbortController()
  const left = scrape.get('identity', leaving.signal)
  leaving.abort(new Error('gone'))
  const stayed = scrape.get('identity', staying)
  await expect(left).rejects.toThrow('gone')
  expect(textOf(await stayed)).toBe('well')
})
