import { karpenterKinds } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { nodeClassRef, nodePool } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { createPendingPod, createPool, Harness } from '../../testing/harness/index.ts'

// Tests of `docs/spec/scheduling-edge-cases.md`. `tests/integration/facts/numbered-cases.ts` has the numbers of the cases.

let harness: Harness | undefined
const start = async (): Promise<Harness> => {
  const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
  harness = await Harness.create({ settings: { featureGates } })
  return harness
}
afterEach(() => {
  harness?.stop()
  harness = undefined
})

const harnessClaims = async (w: Harness, pool: string): Promise<number> =>
  (await w.claims()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === pool).length

test('no claim may be created at the limit, and the reservations of failed creations are released', async () => {
  const w = await start()
  let isRefusing = true
  w.fault = (call, when) =>
    isRefusing && when === 'before' && call.verb === 'create' && call.kind?.kind === 'NodeClaim'
      ? new ApiError({ code: 403, reason: 'Forbidden', message: 'exceeded quota' })
      : undefined
  await createPool(w, 'still', { replicas: 5, limits: { nodes: '3' } })
  await w.pass(5_000)
  expect(await harnessClaims(w, 'still')).toBe(0)
  isRefusing = false
  await w.pass(120_000)
  expect(await harnessClaims(w, 'still')).toBe(3)
  expect(w.kerf.state.claims.reserve('still', 3, 1)).toBe(0)
})

test('no claim is created before cluster state has been complete once', async () => {
  const w = await start()
  await createPool(w, 'general')
  w.outages.breakDown('launch', new Error('the cloud is down'))
  await createPendingPod(w, 'waits')
  await w.pass(1_500)
  expect(w.kerf.state.unlaunched.size).toBe(1)
  w.restart()
  await createPool(w, 'still', { replicas: 2 })
  await w.pass(500)
  expect(w.kerf.state.unlaunched.size).toBe(1)
  expect(await harnessClaims(w, 'still')).toBe(0)
  w.outages.recover()
  await w.pass(120_000)
  expect(w.kerf.state.unlaunched.size).toBe(0)
  expect(await harnessClaims(w, 'still')).toBe(2)
})

test('static pools that are not ready or are being deleted get no claims', async () => {
  const w = await start()
  const spec = { requirements: [], expireAfter: 'Never' as const }
  await createPool(w, 'not-ready', {
    replicas: 2,
    template: { spec: { ...spec, nodeClassRef: { ...nodeClassRef, name: 'missing' } } },
  })
  await w.put(
    karpenterKinds.NodePool,
    nodePool('foreign', {
      templateSpec: { ...spec, nodeClassRef: { group: 'example.com', kind: 'Other', name: 'x' } },
      replicas: 2,
    }),
  )
  await w.put(
    karpenterKinds.NodePool,
    nodePool('going', { templateSpec: spec, replicas: 0, metadata: { finalizers: ['example.com/wait'] } }),
  )
  await w.pass(5_000)
  await w.admin.delete(karpenterKinds.NodePool, { name: 'going' })
  await w.admin.patch(karpenterKinds.NodePool, { name: 'going' }, { type: 'merge', body: { spec: { replicas: 2 } } })
  await w.pass(70_000)
  expect(await w.claims()).toEqual([])
  // Kerf did not create and delete claims in the meantime either.
  expect(w.log.messages('info')).not.toContain('created nodeclaims for a static nodepool')
})
