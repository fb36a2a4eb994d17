import { annotations, DISRUPTION_BLOCKED, findCondition, isConditionTrue, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { busy, LARGE, MIDDLE, only } from '../../testing/closed-pools.ts'
import { createDisruptablePool, createPodOn, type Harness, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()

const MINUTE = 60_000

const reported = async (w: Harness, claim: string) => {
  const found = await w.readClaim(claim)
  return found === undefined ? undefined : findCondition(found, DISRUPTION_BLOCKED)
}

test('the condition gives the current blocker, which changes several times until the node is disrupted', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } },
    only(MIDDLE, LARGE),
  )
  const [made] = await busy(w, 1, '1', { type: LARGE })
  if (made === undefined) throw new Error('no node')
  const { claim, node } = made
  await w.patch(kinds.Node, node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
  await w.pass(2 * MINUTE)
  expect(await reported(w, claim)).toMatchObject({ status: 'True', reason: 'NodeDoNotDisrupt' })
  // A metric series per claim would be too many series. Another metric counts nodes by reason.
  expect(await w.metric('operator_nodeclaim_status_condition_count', { type: DISRUPTION_BLOCKED })).toBe(0)
  expect(await w.metric('operator_nodeclaim_status_condition_count', { type: 'Ready' })).toBe(1)
  await w.patch(kinds.Node, node, { metadata: { annotations: { [annotations.doNotDisrupt]: null } } })
  await w.pass(2 * MINUTE)
  const budget = await reported(w, claim)
  expect(budget?.reason).toBe('BudgetExhausted')
  expect(budget?.message).toContain('Budget of NodePool "general" allows 0 for Underutilized')
  expect(budget?.message).toContain('What would change it: raise spec.disruption.budgets[0] of NodePool general')
  const before = await w.readClaim(claim)
  expect(before === undefined ? undefined : isConditionTrue(before, 'Ready')).toBe(true)
  // The condition is removed as soon as the node is chosen for disruption.
  await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '100%' }] } } })
  let chosen: boolean | undefined
  for (let look = 0; chosen === undefined && look < 400; look++) {
    await w.pass(200)
    const found = await w.readClaim(claim)
    if (found === undefined) throw new Error('it went before anybody could look')
    if (isConditionTrue(found, 'DisruptionReason')) chosen = findCondition(found, DISRUPTION_BLOCKED) === undefined
  }
  expect(chosen).toBe(true)
  await w.pass(PASS + MINUTE)
  expect(await w.readClaim(claim)).toBeUndefined()
})

test('an unchanged cluster gets no writes, not even after a restart', async () => {
  const writes: string[] = []
  const w = await start({
    fault: ({ verb, kind, subresource, ref }, when) => {
      const isStatus = verb === 'patch' && kind?.kind === 'NodeClaim' && subresource === 'status'
      if (when === 'after' && isStatus) writes.push(ref?.name ?? '')
      return undefined
    },
  })
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: '0s' } }, only(MIDDLE))
  await createDisruptablePool(w, 'off', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
  const busyNodes = await busy(w, 6, '3')
  const others = await busy(w, 3, '3', { pool: 'off' })
  await createPodOn(w, 'guard', busyNodes[0]?.node ?? '', {
    metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } },
  })
  await w.pass(10 * MINUTE)
  const reasons = await Promise.all(
    [...busyNodes, ...others].map(async ({ claim }) => (await reported(w, claim))?.reason),
  )
  expect(reasons).toEqual([
    'PodDoNotDisrupt',
    ...Array.from({ length: 5 }, () => 'PriceNotCheaper'),
    ...Array.from({ length: 3 }, () => 'PoolConsolidationOff'),
  ])
  writes.splice(0)
  await w.pass(60 * MINUTE)
  expect(writes).toEqual([])
  const conditionsOf = async () => (await w.claims()).map(({ status }) => status?.conditions)
  const said = await conditionsOf()
  w.restart()
  await w.pass(30 * MINUTE)
  expect(await conditionsOf()).toEqual(said)
  writes.splice(0)
  // If one node changes, only the claim of that node is written.
  await w.admin.delete(kinds.Pod, { namespace: 'default', name: 'guard' })
  await w.pass(20 * MINUTE)
  expect((await reported(w, busyNodes[0]?.claim ?? ''))?.reason).toBe('PriceNotCheaper')
  expect(new Set(writes)).toEqual(new Set([busyNodes[0]?.claim]))
})
