import { expect, test } from 'vitest'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { LongTasks } from './long-tasks.ts'

const fixture = () => {
  const metrics = new PrometheusMetrics()
  let now = 0
  let cpu = 0
  const tasks = new LongTasks(metrics, { monotonic: () => now }, () => cpu)
  const work = (name: string, took: number, used: number): void =>
    tasks.run(name, () => {
      now += took
      cpu += used
    })
  const shown = async (family: string): Promise<Readonly<Record<string, number>>> => {
    const series = await metrics.series(`kerf_event_loop_${family}`)
    return Object.fromEntries(series.map(({ labels, value }) => [labels['task'], value]))
  }
  const pass = (time: number): void => {
    now += time
  }
  return { tasks, work, shown, pass }
}

test('long tasks are recorded by name with their processor time, but short tasks are not', async () => {
  const w = fixture()
  w.work('disruption', 60, 50)
  w.work('disruption', 300, 200)
  w.work('provisioner', 80, 10)
  w.work('metrics.pod', 49, 49)
  expect(await w.shown('longest_task_seconds')).toEqual({ disruption: 0.3, provisioner: 0.08 })
  expect(await w.shown('long_tasks_total')).toEqual({ disruption: 2, provisioner: 1 })
  expect(await w.shown('long_tasks_cpu_seconds_total')).toEqual({ disruption: 0.25, provisioner: 0.01 })
})

test('the longest task is that of the last one to two minutes, no matter how often it is read', async () => {
  const w = fixture()
  w.work('a', 400, 0)
  w.pass(60_000)
  w.work('a', 100, 0)
  for (let reading = 0; reading < 2; reading++) expect(await w.shown('longest_task_seconds')).toEqual({ a: 0.4 })
  w.pass(60_000)
  expect(await w.shown('longest_task_seconds')).toEqual({ a: 0.1 })
  w.pass(60_000)
  expect(await w.shown('longest_task_seconds')).toEqual({})
  w.work('b', 100, 0)
  w.pass(120_000)
  expect(await w.shown('longest_task_seconds')).toEqual({})
})

test('a task that throws is measured, and its error is rethrown', async () => {
  const w = fixture()
  const fails = (): never => {
    w.pass(70)
    throw new Error('cloud is cloudy')
  }
  expect(() => w.tasks.run('a', fails)).toThrow('cloud is cloudy')
  expect(await w.shown('longest_task_seconds')).toEqual({ a: 0.07 })
})
