import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { RefusedAction } from './refused-action.ts'

test('a refused action is retried after a second, and then with a back-off of up to five minutes, without end', async () => {
  const clock = new VirtualClock()
  const metrics = new PrometheusMetrics()
  const action = new RefusedAction({ clock, random: new SeededRandom(1), metrics, action: 'patch pods/status' })
  const shown = async (): Promise<string> =>
    (await metrics.text()).split('\n').find((line) => line.startsWith('kerf_refused_by_api_server{')) ?? ''
  expect(action.wait).toBe(0)
  expect(await shown()).toMatch(/ 0$/)
  expect(action.refused()).toBe(true)
  expect(await shown()).toMatch(/ 1$/)
  for (let attempt = 0; attempt < 12; attempt++) {
    const { wait } = action
    const whole = Math.min(300_000, 1_000 * 2 ** attempt)
    expect(wait).toBeGreaterThanOrEqual(whole)
    expect(wait).toBeLessThanOrEqual(1.2 * whole)
    // The refusal of another request that was already under way.
    action.refused()
    expect(action.wait).toBe(wait)
    await clock.advance(wait)
    expect(action.refused()).toBe(false)
  }
  expect(action.allowed()).toBe(true)
  expect(action.allowed()).toBe(false)
  expect(action.wait).toBe(0)
  expect(await shown()).toMatch(/ 0$/)
  expect(action.refused()).toBe(true)
})
