import { karpenterKinds, kinds } from '@kerf/apis'
import { scheduleInSteps, trialsWithin } from '@kerf/engine'
import { afterEach, expect, test } from 'vitest'
import type { Scheduler } from '../deps.ts'
import { createPendingPods, createPool, createPoolOfType, Harness } from '../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

/** Returns a list with the virtual time and the number of pods of each decision. Later decisions are appended to the list. */
const watched = async (rehearses: boolean): Promise<(readonly [at: number, pods: number])[]> => {
  const asked: (readonly [number, number])[] = []
  const noted: Scheduler = (snapshot, pods, options) => {
    asked.push([harness.clock.monotonic() - began, pods.length])
    return scheduleInSteps(snapshot, pods, options)
  }
  harness = await Harness.create({ rehearses, schedule: noted })
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await harness.pass(10_000)
  const began = harness.clock.monotonic()
  asked.length = 0
  await createPendingPods(harness, 3, { requests: { cpu: '500m' } })
  return asked
}

test('the first decision of a process is rehearsed during its batching window, without effect', async () => {
  const asked = await watched(true)
  await harness.pass(900)
  expect(asked).toEqual([[500, 3]])
  expect((await harness.admin.list(karpenterKinds.NodeClaim)).items).toEqual([])
  expect(harness.log.lines.filter(({ message }) => message.includes('provisionable'))).toEqual([])
  await harness.pass(5_000)
  expect(asked).toEqual([
    [500, 3],
    [1_000, 3],
  ])
  expect((await harness.admin.list(kinds.Node)).items).toHaveLength(1)
  await createPendingPods(harness, 20, { requests: { cpu: '500m' } }, 'more')
  await harness.pass(5_000)
  expect(asked).toHaveLength(3)
})

test('a rehearsal spends little time on a cheaper plan, and none if the plan budget is 0', async () => {
  for (const [planBudget, most] of [
    [200, 100_000],
    [0, 0],
  ] as const) {
    const budgets: (number | undefined)[] = []
    const noted: Scheduler = (snapshot, pods, options) => {
      budgets.push(options?.planBudget)
      return scheduleInSteps(snapshot, pods, options)
    }
    harness = await Harness.create({ rehearses: true, schedule: noted, settings: { planBudget } })
    await createPoolOfType(harness, 's-8x-amd64-linux')
    await harness.pass(10_000)
    budgets.length = 0
    await createPendingPods(harness, 3, { requests: { cpu: '500m' } })
    await harness.pass(2_000)
    const [rehearsed, decided] = budgets
    expect(rehearsed).toBeLessThanOrEqual(most)
    expect(decided).toBe(trialsWithin(planBudget, 3))
    await harness.stop()
  }
})

test('without a rehearsal, Kerf makes one decision', async () => {
  const asked = await watched(false)
  await harness.pass(5_000)
  expect(asked).toEqual([[1_000, 3]])
})

test('a rehearsal has no side effects: logs, events, metrics and writes are the same without it', async () => {
  const told = async (rehearses: boolean): Promise<unknown> => {
    harness = await Harness.create({ rehearses })
    await createPoolOfType(harness, 's-8x-amd64-linux')
    await createPoolOfType(harness, 'c-4x-amd64-linux', 'other')
    await createPool(harness, 'unready')
    const body = { spec: { template: { spec: { nodeClassRef: { name: 'missing' } } } } }
    await harness.admin.patch(karpenterKinds.NodePool, { name: 'unready' }, { type: 'merge', body })
    await harness.pass(100)
    await createPendingPods(harness, 20, { requests: { cpu: '500m' } })
    const tales: unknown[] = []
    for (const duration of [700, 29_300]) {
      await harness.pass(duration)
      const claims = await harness.claims()
      tales.push([harness.log.lines, harness.events, claims, await harness.nodes(), await harness.metrics.text()])
    }
    expect(harness.log.lines.map(({ message }) => message)).toContain('ignoring nodepool, not ready')
    harness.stop()
    return JSON.parse(JSON.stringify(tales))
  }
  expect(await told(true)).toEqual(await told(false))
})
