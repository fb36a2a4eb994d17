import { blockerRemedy, blockerSentence } from '@kerf/engine'
import { expect, test } from 'vitest'
import { closedWith, MIDDLE, open, singleBlockers } from '../../testing/closed-pools.ts'
import { alteredProvider, createDeployment, launchNodes, scaleDeployment } from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

/** The duration of a validation, plus the time until the last pod has left. */
const MOVE = PASS + 5_000

const MINUTE = 60_000

const start = harnessPerTest()
const closed = closedWith(start)

test('a move that is undone repeatedly must wait, is reported, and continues when the demand changes', async () => {
  const w = await closed({}, MIDDLE)
  await launchNodes(w, 1)
  await createDeployment(w, 'web', 2, '500m')
  await w.pass(5_000)
  await open(w)
  // In each iteration, a user launches a node like the one that Kerf removed.
  for (let turn = 0; turn < 3; turn++) {
    await launchNodes(w, 1)
    expect((await w.staying()).length).toBe(2)
    await w.pass(MOVE)
    expect((await w.staying()).length).toBe(1)
  }
  const [busy] = await w.staying()
  await launchNodes(w, 1)
  await w.pass(2 * PASS)
  expect((await w.staying()).length).toBe(2)
  const [blocker, ...others] = await singleBlockers(w, busy ?? '')
  expect(others).toEqual([])
  if (blocker === undefined) throw new Error()
  expect(blockerSentence(blocker)).toBe(
    'the savings of moves in NodePool(s) [general] were spent again at the same demand and prices',
  )
  expect(blockerRemedy(blocker)).toMatch(/^wait until .*Z; a change of demand or prices ends the wait$/)
  expect(w.distinctMessages('Unconsolidatable')).toContain(
    'The savings of moves in NodePool(s) [general] were spent again at the same demand and prices',
  )

  await scaleDeployment(w, 'web', 3)
  // The changed demand must last a minute, because a pod that moves is missing for a moment.
  await w.pass(MINUTE + 3 * MOVE)
  expect((await w.staying()).length).toBe(1)

  // If nothing changes, the wait ends a few seconds after a full minute. The move starts at that time, and not only at the next full
  // minute.
  await w.pass(20_000)
  for (let turn = 0; turn < 2; turn++) {
    await launchNodes(w, 1)
    await w.pass(MOVE)
  }
  await launchNodes(w, 1)
  await w.pass(PASS)
  const [kept = '', ...more] = await w.staying()
  expect(more.length).toBe(1)
  const [wait] = await singleBlockers(w, kept)
  if (wait?.code !== 'moves.undone') throw new Error()
  expect(wait.until % MINUTE).toBeLessThan(20_000)
  await w.pass(wait.until - w.clock.now())
  expect((await w.staying()).length).toBe(2)
  await w.pass(MOVE)
  expect((await w.staying()).length).toBe(1)
})

test('a move that is undone repeatedly waits even if the provider returns new instance type objects on every call', async () => {
  const w = await closed(
    {
      provider: (kwok) =>
        alteredProvider(kwok, {
          instanceTypes: async (pool, signal) => structuredClone(await kwok.instanceTypes(pool, signal)),
        }),
    },
    MIDDLE,
  )
  await launchNodes(w, 1)
  await createDeployment(w, 'web', 2, '500m')
  await w.pass(5_000)
  await open(w)
  for (let turn = 0; turn < 3; turn++) {
    await launchNodes(w, 1)
    await w.pass(MOVE)
    expect((await w.staying()).length).toBe(1)
  }
  await launchNodes(w, 1)
  await w.pass(2 * PASS)
  expect((await w.staying()).length).toBe(2)
})
