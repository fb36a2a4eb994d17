import { labels } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createDisruptablePool, createPendingPod, launchNode, patchPool } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'
import { History, type HistoryResponse, type HistoryValue } from './history.ts'

const MINUTE = 60_000
const DAY = 1_440

const cost = (nodePool: string, value: number): HistoryValue => ({ chart: 'cost', nodePool, line: '', value })

test('the history has a value for each minute of a day, and null for a minute without a sample', () => {
  const history = new History(0)
  for (const minute of [0, 1, 3]) history.record(minute * MINUTE, [cost('a', minute)])
  expect(history.respond()).toEqual({
    since: 0,
    from: 0,
    step: MINUTE,
    leftOut: 0,
    charts: { cost: { a: [0, 1, null, 3] } },
  })
  for (let minute = 4; minute < 2 * DAY; minute++) history.record(minute * MINUTE, [cost('a', minute)])
  const { from, charts } = history.respond()
  expect(from).toBe(DAY * MINUTE)
  expect(charts.cost?.['a']).toHaveLength(DAY)
  expect(charts.cost?.['a']?.at(-1)).toBe(2 * DAY - 1)
})

test('a response covers the cluster, or one NodePool', () => {
  const history = new History(0)
  const nodes = (nodePool: string): HistoryValue => ({ chart: 'nodes', nodePool, line: 'm.large · z · spot', value: 2 })
  history.record(0, [
    cost('a', 1),
    cost('b', 2),
    nodes('a'),
    nodes('b'),
    { chart: 'pending', line: 'Pending', value: 4 },
  ])
  expect(history.respond().charts).toEqual({
    cost: { a: [1], b: [2] },
    pending: { Pending: [4] },
    nodes: { 'm.large · z · spot': [4] },
  })
  expect(history.respond('b').charts).toEqual({
    cost: { b: [2] },
    pending: { Pending: [4] },
    nodes: { 'm.large · z · spot': [2] },
  })
})

test('a response for the cluster has the largest lines, and the sum of the others', () => {
  const history = new History(0)
  history.record(
    0,
    Array.from({ length: 20 }, (_, place) => cost(`p${place}`, place)),
  )
  const lines = history.respond().charts.cost ?? {}
  expect(Object.keys(lines)).toHaveLength(12)
  expect(lines['…']).toEqual([36])
})

test('the history uses at most 16 MiB for 5,000 different nodes, and reports how many lines it leaves out', () => {
  const history = new History(0)
  const sample = Array.from(
    { length: 5_000 },
    (_, place): HistoryValue => ({
      chart: 'nodes',
      nodePool: `pool-${place % 100}`,
      line: `instance-type-of-a-long-name-${place}.24xlarge · eu-central-1${place % 3} · spot`,
      value: 1,
    }),
  )
  for (let minute = 0; minute < DAY; minute += 240) history.record(minute * MINUTE, sample)
  expect(history.bytes).toBeGreaterThan(8 * 2 ** 20)
  expect(history.bytes).toBeLessThanOrEqual(16 * 2 ** 20)
  expect(history.respond().leftOut).toBe(2_500)
  // The history drops a series that has no value for a whole day.
  for (let minute = DAY; minute < 3 * DAY; minute++) history.record(minute * MINUTE, [cost('a', 1)])
  expect(history.bytes).toBeLessThan(8_000)
})

const start = harnessPerTest()
const { signal } = new AbortController()
const asked = async (w: Awaited<ReturnType<typeof start>>, path: string): Promise<HistoryResponse> =>
  JSON.parse(JSON.stringify(await w.kerf.respond(path, signal))) as HistoryResponse

test('a running Kerf records its own metrics, and starts with an empty history after a restart', async () => {
  const w = await start()
  const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: ['c-4x-amd64-linux'] }]
  await createDisruptablePool(
    w,
    'general',
    { limits: { cpu: '64' }, disruption: { consolidateAfter: 'Never' } },
    { spec: { nodeClassRef, requirements } },
  )
  await launchNode(w)
  await w.pass(3 * MINUTE)
  const { charts, since, step } = await asked(w, '/kerf/v1/history')
  const [metered] = await w.metrics.series('karpenter_nodepools_cost_total')
  expect(metered?.value).toBeGreaterThan(0)
  expect(charts.cost?.['general']?.at(-1)).toBeCloseTo(metered?.value ?? 0, 5)
  expect(Object.values(charts.nodes ?? {}).map((values) => values.at(-1))).toEqual([1])
  expect(charts.usage?.['general · cpu']?.at(-1)).toBeGreaterThan(0)
  expect(charts.pending?.['Pending']?.at(-1)).toBe(0)
  const measured = (lines: Readonly<Record<string, readonly (number | null)[]>> | undefined, line: string) =>
    (lines?.[line] ?? []).filter((value) => value !== null)
  // A duration has a value only in the minutes in which it was observed.
  expect(measured(charts.cloudLatency, 'Create')).toHaveLength(1)
  expect(step).toBe(MINUTE)
  expect((await asked(w, '/kerf/v1/history/general')).charts.cost).toEqual(charts.cost)
  expect((await asked(w, '/kerf/v1/history/other')).charts.cost).toBeUndefined()
  await createPendingPod(w, 'waiting')
  await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
  await w.pass(2 * MINUTE)
  const busy = (await asked(w, '/kerf/v1/history')).charts
  expect(measured(busy.scheduling, 'p95').length).toBeGreaterThan(0)
  expect(measured(busy.disruptionTime, 'empty').length).toBeGreaterThan(0)
  w.restart()
  await w.pass(MINUTE + 1_000)
  const later = await asked(w, '/kerf/v1/history')
  expect(later.since).toBeGreaterThan(since)
  expect(later.charts.cost?.['general']?.length).toBeLessThanOrEqual(2)
})
