import { describe, expect, test } from 'vitest'
import { PrometheusMetrics, SERIES_PER_CHUNK } from './prometheus-metrics.ts'

describe('metrics', () => {
  test('a family is created once and cannot change its labels', () => {
    const metrics = new PrometheusMetrics()
    const options = { name: 'x_total', help: 'x', labels: ['a'] }
    expect(metrics.counter(options)).toBe(metrics.counter(options))
    expect(() => metrics.gauge(options)).toThrow('exists already as a counter')
    expect(() => metrics.counter({ ...options, labels: ['b'] })).toThrow('labels [a]')
  })

  test('a gauge removes matching series, and is updated before a scrape', async () => {
    const metrics = new PrometheusMetrics()
    const gauge = metrics.gauge({ name: 'nodes', help: 'x', labels: ['pool', 'zone'] })
    gauge.set(1, { pool: 'a', zone: '1' })
    gauge.set(2, { pool: 'a', zone: '2' })
    gauge.set(3, { pool: 'b', zone: '1' })
    gauge.remove({ pool: 'a' })
    const stop = metrics.onScrape(() => gauge.set(4, { pool: 'c', zone: '1' }))
    const text = await metrics.text()
    expect(text).not.toContain('pool="a"')
    expect(text).toContain('nodes{pool="b",zone="1"} 3')
    expect(text).toContain('nodes{pool="c",zone="1"} 4')
    stop()
    gauge.reset()
    expect(await metrics.text()).not.toContain('nodes{')
  })

  test('an update is not called to read series that it does not write', async () => {
    const metrics = new PrometheusMetrics()
    const ages = metrics.gauge({ name: 'ages', help: 'x', labels: [] })
    metrics.gauge({ name: 'nodes', help: 'x', labels: [] })
    let updates = 0
    metrics.onScrape(() => ages.set(++updates), [ages])
    await metrics.series('nodes')
    expect(updates).toBe(0)
    expect(await metrics.series('ages')).toMatchObject([{ value: 1 }])
    expect(await metrics.text()).toContain('ages 2')
  })
})

describe('a scrape in chunks', () => {
  const linesOf = (chunk: string): number =>
    chunk.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length

  test('equals the output of prom-client byte for byte', async () => {
    const metrics = new PrometheusMetrics()
    expect(await metrics.text()).toBe(await metrics.registry.metrics())
    metrics.gauge({ name: 'nodes', help: 'a \\ and\na line', labels: ['pool', 'zone'] })
    const nodes = metrics.gauge({ name: 'odd', help: 'x', labels: ['pool'] })
    for (const value of [1, -0.5, 1e21, 1e-9, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      nodes.set(value, { pool: `"${value}"\\\n` })
    }
    metrics.gauge({ name: 'alone', help: 'x' }).set(2)
    metrics.counter({ name: 'some_total', help: 'x', labels: ['b', 'a'] }).inc({ a: '1', b: '2' }, 3)
    metrics.counter({ name: 'none_total', help: 'x' })
    const times = metrics.histogram({ name: 'took_seconds', help: 'x', labels: ['verb'], buckets: [0.5, 1] })
    times.observe(0.7, { verb: 'get' })
    times.observe(7, { verb: '"' })
    metrics.histogram({ name: 'plain_seconds', help: 'x' }).observe(1)
    metrics.summary({ name: 'quantiles', help: 'x', labels: ['a'] }).observe(3, { a: 'b' })
    const text = await metrics.text()
    expect(text).toBe(await metrics.registry.metrics())
    expect(text).toContain('quantiles{quantile="0.99",a="b"} 3')
  })

  test('has a limited number of series in each chunk', async () => {
    const metrics = new PrometheusMetrics()
    for (const family of ['nodes', 'pods']) {
      const gauge = metrics.gauge({ name: family, help: 'x', labels: ['name'] })
      for (let nth = 0; nth < 2.5 * SERIES_PER_CHUNK; nth++) gauge.set(nth, { name: `${nth}` })
    }
    const counter = metrics.counter({ name: 'many_total', help: 'x', labels: ['name'] })
    for (let nth = 0; nth < 1.5 * SERIES_PER_CHUNK; nth++) counter.inc({ name: `${nth}` })
    const chunks: string[] = []
    for await (const chunk of metrics.chunks()) chunks.push(chunk)
    expect(chunks.map(linesOf)).toEqual([...Array.from({ length: 6 }, () => SERIES_PER_CHUNK), SERIES_PER_CHUNK / 2])
    expect(chunks.join('')).toBe(await metrics.text())
  })

  test('shows each family at one moment, even if it is written between two chunks', async () => {
    const metrics = new PrometheusMetrics()
    const pods = metrics.gauge({ name: 'pods', help: 'x', labels: ['name', 'node'] })
    const ages = metrics.gauge({ name: 'ages', help: 'x', labels: ['name'] })
    const counter = metrics.counter({ name: 'many_total', help: 'x', labels: ['name'] })
    const sizes = metrics.gauge({ name: 'sizes', help: 'x', labels: ['name'] })
    let now = 5_000
    metrics.showAges([ages], { now: () => now })
    const count = SERIES_PER_CHUNK + 2
    for (let nth = 0; nth < count; nth++) {
      pods.set(1, { name: `${nth}`, node: '' })
      sizes.set(1, { name: `${nth}` })
      ages.set(1_000, { name: `${nth}` })
      counter.inc({ name: `${nth}` })
    }
    let text = ''
    for await (const chunk of metrics.chunks()) {
      text += chunk
      now += 1_000
      for (let nth = 0; nth < count; nth++) {
        // When a pod is bound to a node, its labels change. A scrape must show either the old or the new series, and not both.
        pods.remove({ name: `${nth}`, node: '' })
        pods.set(2, { name: `${nth}`, node: 'a' })
        sizes.set(now, { name: `${nth}` })
        counter.inc({ name: `${nth}` })
      }
    }
    const lines = text.split('\n')
    const familyValues = (family: string): readonly string[] =>
      lines.filter((line) => line.startsWith(`${family}{`)).map((line) => line.split(' ')[1] ?? '')
    for (const family of ['pods', 'sizes', 'ages', 'many_total']) expect(new Set(familyValues(family)).size).toBe(1)
    expect(familyValues('pods')).toHaveLength(count)
    expect(familyValues('ages')[0]).toBe('5')
    expect((await metrics.series('ages'))[0]?.value).toBe((now - 1_000) / 1_000)
    expect((await metrics.series('pods')).every(({ value, labels }) => value === 2 && labels['node'] === 'a')).toBe(
      true,
    )
  })

  test('an age is not negative', async () => {
    const metrics = new PrometheusMetrics()
    const ages = metrics.gauge({ name: 'ages', help: 'x' })
    metrics.showAges([ages], { now: () => 1_000 })
    for (const time of [2_000, Number.POSITIVE_INFINITY]) {
      ages.set(time)
      expect(await metrics.text()).toContain('ages 0\n')
    }
  })
})

test('the metrics of the process are added on request', async () => {
  const metrics = new PrometheusMetrics()
  metrics.collectProcess()
  expect(await metrics.text()).toContain('process_resident_memory_bytes')
})
