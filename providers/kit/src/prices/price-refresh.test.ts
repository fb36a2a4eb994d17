import { PrometheusMetrics, RecordingLogger, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { PriceBook } from './price-book.ts'
import { PriceMemory } from './price-memory.ts'
import { definePriceMetrics, reportPrices } from './price-metrics.ts'
import { PriceRefresh } from './price-refresh.ts'

const never = new AbortController().signal
const HALF_A_DAY = 12 * 3_600_000

/** Creates a cloud with one instance type and one price, and a cluster that remains when the controller restarts. */
const harness = () => {
  const clock = new VirtualClock()
  const { client } = new SandboxCluster({ clock, random: new SeededRandom(1), kubelet: false, scheduler: false })
  const reads: string[] = []
  const broken = new Set<string>()
  const start = (options: { readonly withSpot?: boolean } = {}) => {
    const book = new PriceBook(clock, { cloud: 'acme', estimate: new Map([['small', 9]]) })
    const log = new RecordingLogger()
    const read = (kind: 'onDemand' | 'spot', learn: () => void) => async (): Promise<void> => {
      reads.push(kind)
      if (broken.has(kind)) throw new Error(`no ${kind} today`)
      learn()
    }
    const refresh = new PriceRefresh({
      ...{ log, book },
      memory: new PriceMemory(client, { namespace: 'kube-system', name: 'acme-prices', key: 'here' }),
      reads: {
        onDemand: read('onDemand', () => book.learnOnDemand(new Map([['small', 1]]))),
        ...(options.withSpot === false
          ? {}
          : { spot: read('spot', () => book.learnSpot(new Map([['small', new Map([['a', 0.5]])]]))) }),
      },
      failureOf: (error) => ({ code: 'Broken', message: (error as Error).message }),
    }).controller('acme.prices')
    return { book, log, refresh, pass: () => refresh.reconcile('', never) }
  }
  return { clock, reads, broken, start }
}

test('prices are read every twelve hours, but not if they were just read elsewhere', async () => {
  const { clock, reads, start } = harness()
  const { book, pass } = start()
  expect(await pass()).toEqual({ kind: 'retry-after', after: HALF_A_DAY })
  expect([book.onDemand('small'), book.spot('small', 'a')]).toEqual([1, 0.5])
  await clock.advance(HALF_A_DAY - 1_000)
  book.learnSpot(new Map([['small', new Map([['a', 0.4]])]]))
  expect(await pass()).toEqual({ kind: 'retry-after', after: 1_000 })
  await clock.advance(1_000)
  await pass()
  expect(reads).toEqual(['onDemand', 'spot', 'onDemand'])
})

test('a failed read keeps the old prices, is logged and retried; the other prices are saved for the next start', async () => {
  const { clock, broken, reads, start } = harness()
  broken.add('spot')
  const first = start()
  await expect(first.pass()).rejects.toThrow('no spot today')
  expect(first.log.lines.map(({ message, fields }) => [message, fields?.['code'], fields?.['error']])).toEqual([
    ['cannot read spot prices; continuing with the known ones', 'Broken', 'no spot today'],
  ])
  const readAt = clock.now()
  broken.add('onDemand')
  await clock.advance(60_000)
  const second = start()
  await expect(second.pass()).rejects.toThrow('no onDemand today')
  expect(second.book.standing.onDemand).toEqual({ source: 'last-seen', types: 1, readAt })
  broken.clear()
  await second.pass()
  expect(second.book.sourceOf('small')).toBe('acme')
  expect(reads).toEqual(['onDemand', 'spot', 'onDemand', 'spot', 'onDemand', 'spot'])
})

test('spot prices are not requested from a cloud that has none', async () => {
  const { reads, start } = harness()
  const { pass } = start({ withSpot: false })
  expect(await pass()).toEqual({ kind: 'retry-after', after: HALF_A_DAY })
  expect(reads).toEqual(['onDemand'])
})

test('metrics report where the current prices come from, and how old they are', async () => {
  const { clock, start } = harness()
  const { book, pass } = start({ withSpot: false })
  const metrics = new PrometheusMetrics()
  reportPrices(definePriceMetrics('kerf_acme', 'acme'), { metrics, clock, book })
  const lines = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('kerf_acme_'))
  expect(await lines()).toEqual([
    'kerf_acme_price_source{kind="on-demand",source="estimate"} 1',
    'kerf_acme_price_source{kind="spot",source="estimate"} 0',
  ])
  await pass()
  await clock.advance(5_000)
  expect(await lines()).toEqual([
    'kerf_acme_price_source{kind="on-demand",source="acme"} 1',
    'kerf_acme_price_source{kind="spot",source="estimate"} 0',
    'kerf_acme_price_age_seconds{kind="on-demand"} 5',
  ])
})

test('the controller watches no objects', () => {
  expect(harness().start().refresh).toMatchObject({ singleton: true, sources: [] })
})
