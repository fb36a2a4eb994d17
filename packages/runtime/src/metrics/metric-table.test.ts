import { expect, test } from 'vitest'
import { defineMetrics } from './metric-table.ts'
import { PrometheusMetrics } from './prometheus-metrics.ts'

const table = defineMetrics({
  launches: { name: 'test_launches_total', type: 'counter', help: 'Launches.', labels: ['zone', 'reason'] },
  size: { name: 'test_size', type: 'gauge', help: 'Size.' },
  took: { name: 'test_took_seconds', type: 'histogram', help: 'Duration.', labels: ['zone'], buckets: [1, 2] },
  quantiles: { name: 'test_quantiles', type: 'summary', help: 'Quantiles.', percentiles: [0.5] },
})

test('a metric table registers its families and writes values', async () => {
  const metrics = new PrometheusMetrics()
  const { launches, size, took, quantiles } = table.register(metrics)
  launches.inc({ zone: 'a', reason: 'r' }, 2)
  size.set(3)
  took.observe(1.5, { zone: 'a' })
  quantiles.observe(1)
  const text = await metrics.text()
  expect(text).toContain('test_launches_total{zone="a",reason="r"} 2')
  expect(text).toContain('test_size 3')
  expect(text).toContain('test_took_seconds_bucket{le="2",zone="a"} 1')
  expect(text).toContain('test_quantiles{quantile="0.5"} 1')
  expect(table.definitions.map(({ name }) => name)).toEqual([
    'test_launches_total',
    'test_size',
    'test_took_seconds',
    'test_quantiles',
  ])
})

test('a metric table that is registered again uses the same families', async () => {
  const metrics = new PrometheusMetrics()
  for (let time = 0; time < 2; time++) table.register(metrics).launches.inc({ zone: 'a', reason: 'r' })
  expect(await metrics.text()).toContain('test_launches_total{zone="a",reason="r"} 2')
})

/** Never called. The compiler checks it: a `@ts-expect-error` without an error is itself an error. */
export const doesNotCompile = (): void => {
  const { launches, size, took } = table.register(new PrometheusMetrics())
  // @ts-expect-error a label is missing
  launches.inc({ zone: 'a' })
  // @ts-expect-error all labels are missing
  launches.inc()
  // @ts-expect-error a label is misspelt
  launches.inc({ zone: 'a', raeson: 'r' })
  // @ts-expect-error one label too many
  launches.inc({ zone: 'a', reason: 'r', nodepool: 'p' })
  // @ts-expect-error the family has no labels
  size.set(1, { zone: 'a' })
  // @ts-expect-error a label is missing
  took.observe(1)
  // @ts-expect-error a counter is not set
  launches.set(1, { zone: 'a', reason: 'r' })
}
