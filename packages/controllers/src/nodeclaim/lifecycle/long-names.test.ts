import { finalizers, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createPendingPods, createPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const LONG_CLAIM = `${'n'.repeat(63)}-abc12`

const put = (w: Awaited<ReturnType<typeof start>>, name: string): Promise<NodeClaim> => {
  const { status: _, ...claim } = nodeClaim(name)
  return w.put(karpenterKinds.NodeClaim, {
    ...claim,
    metadata: { ...claim.metadata, finalizers: [finalizers.termination] },
  })
}

test.each([57, 58, 59, 62, 63])('a pool with a name of %i characters gets nodes', async (length) => {
  const w = await start({ cluster: 'whole' })
  const name = 'n'.repeat(length)
  await createPool(w, name)
  await createPendingPods(w, 3)
  await w.pass(20_000)
  const [claim] = await w.claims()
  expect(claim?.metadata.name).toMatch(length > 57 ? /^n{58}[a-z0-9]{5}$/ : /^n{57}-[a-z0-9]{5}$/)
  expect(claim?.metadata.labels?.['karpenter.sh/nodepool']).toBe(name)
  expect(claim?.status?.nodeName).toBeDefined()
})

test('a pool with a longer name is rejected and launches nothing, and other pools work as before', async () => {
  const w = await start({ cluster: 'whole' })
  await createPool(w, 'n'.repeat(64))
  await createPool(w, 'other')
  await createPendingPods(w, 3)
  await w.pass(20_000)
  const refused = await w.readPool('n'.repeat(64))
  expect(refused.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'ValidationSucceeded',
      status: 'False',
      message: expect.stringContaining('metadata.name is also the value of the label karpenter.sh/nodepool'),
    }),
  )
  expect(refused.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }))
  const claims = await w.claims()
  expect(claims.length).toBeGreaterThan(0)
  expect(claims.every(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === 'other')).toBe(true)
})

test('a claim whose name is too long for a label can be deleted', async () => {
  const w = await start({ cluster: 'whole' })
  await createPool(w)
  await put(w, LONG_CLAIM)
  await w.pass(5_000)
  await w.admin.delete(karpenterKinds.NodeClaim, { name: LONG_CLAIM })
  await w.pass(60_000)
  expect(await w.claims()).toEqual([])
  expect((await w.admin.list(kinds.Node)).items).toEqual([])
})
