import { findCondition, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, MIDDLE, open } from '../testing/closed-pools.ts'
import {
  createDisruptablePool,
  createPendingPod,
  createPodDisruptionBudget,
  type Harness,
  patchPool,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'
import { operationsController } from './operations-controller.ts'
import { type OperationName, operationText, poolOperations, readOperation } from './pool-operation.ts'

const start = harnessPerTest()
const closed = closedWith(start)
const MINUTE = 60_000

const ask = (w: Harness, name: OperationName, minutes: number, pool = 'general'): Promise<void> => {
  const text = operationText({ until: w.clock.now() + minutes * MINUTE, owner: 'alice', reason: 'roll-out' })
  return patchPool(w, pool, { metadata: { annotations: { [poolOperations[name].annotation]: text } } })
}

const harnessCondition = async (w: Harness, name: OperationName, pool = 'general') =>
  findCondition(await w.readPool(pool), poolOperations[name].condition)

test('Kerf does not write a NodePool without operations', async () => {
  const w = await start({ cluster: 'api', controllers: (deps) => [operationsController(deps)] })
  const written: string[] = []
  w.fault = ({ verb }, when) => {
    if (when === 'before' && verb !== 'get' && verb !== 'list' && verb !== 'watch') written.push(verb)
    return undefined
  }
  await createDisruptablePool(w, 'general')
  await w.pass(MINUTE)
  expect(written).toEqual([])
  await ask(w, 'pause', 10)
  await w.pass(MINUTE)
  expect(written).toEqual(['patch'])
})

describe('a pause', () => {
  test('keeps all nodes, shows its owner, and ends automatically', async () => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 2, '1')
    await ask(w, 'pause', 10)
    await open(w)
    await w.pass(5 * MINUTE)
    expect((await w.staying()).length).toBe(2)
    expect(await harnessCondition(w, 'pause')).toMatchObject({
      status: 'True',
      message: expect.stringMatching(/^disruption is paused until .*Z, by alice: roll-out$/),
    })
    const found = await w.kerf.explainNode(made[0]?.node ?? '', new AbortController().signal)
    expect(found?.blockers).toContainEqual(expect.objectContaining({ code: 'pool.paused', owner: 'alice' }))
    await w.pass(7 * MINUTE)
    expect((await w.staying()).length).toBe(1)
    expect(await harnessCondition(w, 'pause')).toBeUndefined()
    expect((await w.readPool('general')).metadata.annotations?.[poolOperations.pause.annotation]).toBeUndefined()
    expect(w.distinctMessages('OperationStarted').length).toBe(1)
    expect(w.distinctMessages('OperationEnded')).toEqual(['disruption is paused ended: requested by alice'])
  })

  test('is invalid without an end or an owner, and this is reported', async () => {
    for (const text of ['', 'true', '{}', '{"until":"soon","owner":"a"}', '{"until":"2030-01-01T00:00:00Z"}'])
      expect(readOperation(text)).toBeUndefined()
    const w = await closed({}, MIDDLE)
    await busy(w, 2, '1')
    await patchPool(w, 'general', { metadata: { annotations: { [poolOperations.pause.annotation]: 'true' } } })
    await open(w)
    await w.pass(2 * MINUTE)
    expect((await w.staying()).length).toBe(1)
    expect(await harnessCondition(w, 'pause')).toMatchObject({ status: 'False', reason: 'Unreadable' })
  })
})

test('a cordoned NodePool launches nothing until the end of the cordon', async () => {
  const w = await start({ cluster: 'api' })
  await createDisruptablePool(w, 'general')
  await ask(w, 'cordon', 5)
  await createPendingPod(w, 'waits', { requests: { cpu: '1' } })
  await w.pass(2 * MINUTE)
  expect(await w.claims()).toEqual([])
  expect(w.distinctMessages('FailedScheduling', 'waits').join()).toContain('nodepool general is cordoned by alice')
  await w.pass(4 * MINUTE)
  expect((await w.claims()).length).toBe(1)
})

describe('the operation consolidate-now', () => {
  test('ignores consolidateAfter while it is active', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 2, '1')
    await open(w, { consolidateAfter: '6h' })
    await w.pass(5 * MINUTE)
    expect((await w.staying()).length).toBe(2)
    await ask(w, 'consolidate', 10)
    await w.pass(2 * MINUTE)
    expect((await w.staying()).length).toBe(1)
  })

  test('never ignores a budget or a PodDisruptionBudget', async () => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 2, '1')
    await open(w, { consolidateAfter: '6h', budgets: [{ nodes: '0' }] })
    await ask(w, 'consolidate', 30)
    await w.pass(5 * MINUTE)
    expect((await w.staying()).length).toBe(2)
    for (const { claim } of made) await w.patch(kinds.Pod, `on-${claim}`, { metadata: { labels: { app: 'x' } } })
    await createPodDisruptionBudget(w, 'strict', { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 0 })
    await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '100%' }] } } })
    await w.pass(5 * MINUTE)
    expect((await w.staying()).length).toBe(2)
    await w.admin.delete(kinds.PodDisruptionBudget, { name: 'strict', namespace: 'default' })
    await w.pass(5 * MINUTE)
    expect((await w.staying()).length).toBe(1)
  })
})
