import { describe, expect, test } from 'vitest'
import { PrometheusMetrics } from './prometheus-metrics.ts'

describe('metrics', () => {
  test('a family is made once and may not change its labels', () => {
    const metrics = new PrometheusMetrics()
    const options = { name: 'x_total', help: 'x', labels: ['a'] }
    expect(metrics.counter(options)).toBe(metrics.counter(options))
    expect(() => metrics.gauge(options)).toThrow('exists already as a counter')
    expect(() => metrics.counter({ ...options, labels: ['b'] })).toThrow('labels [a]')
  })

  test('a gauge forgets the series that match, and is brought up to date before a scrape', async () => {
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

  test('what an update does not write is read without it', async () => {
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

test('the process’s own metrics come when asked for', async () => {
  const metrics = new PrometheusMetrics()
  metrics.collectProcess()
  expect(await metrics.text()).toContain('process_resident_memory_bytes')
})
