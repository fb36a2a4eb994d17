import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { watchEventLoop } from './loop-metrics.ts'

test('reports percentiles of the event loop delay and garbage collections by kind, and removes all series at the end', async () => {
  const metrics = new PrometheusMetrics()
  const clock = new VirtualClock()
  const stop = watchEventLoop(metrics, clock)
  await clock.advance(150_000)
  const series = await metrics.series('kerf_event_loop_delay_seconds')
  expect(series.map(({ labels }) => labels['percentile'])).toEqual(['50', '99', '100'])
  const [median = -1, high = -1, most = -1] = series.map(({ value }) => value)
  expect(median).toBeGreaterThanOrEqual(0)
  expect(high).toBeGreaterThanOrEqual(median)
  expect(most).toBeGreaterThanOrEqual(high)
  expect(await metrics.series('kerf_event_loop_gc_longest_seconds')).toHaveLength(1)
  expect(clock.pending).toBe(1)
  stop()
  expect(clock.pending).toBe(0)
})
