import { karpenterKinds, labels } from '@kerf/apis'
import { PrometheusMetrics } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createKitHarness } from '../testing/server-class.ts'
import { claimEnding } from './claim-ending.ts'

const never = new AbortController().signal

const harness = async () => {
  const { client, stop } = await createKitHarness(() => [])
  onTestFinished(() => stop())
  const metrics = new PrometheusMetrics()
  const names = async () => (await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name)
  const counted = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('karpenter_nodeclaims_disrupted_total{'))
  return { client, names, counted, end: claimEnding({ client, metrics }) }
}

test.each([
  [undefined, 'graceful'],
  ['0s', 'forceful'],
  ['5m', 'eventual'],
])('with terminationGracePeriod %s, the deletion counts as %s', async (terminationGracePeriod, mode) => {
  const { client, names, counted, end } = await harness()
  const spec = terminationGracePeriod === undefined ? {} : { terminationGracePeriod }
  const given = nodeClaim('a', { pool: 'web', labels: { [labels.capacityType]: 'spot' }, spec })
  const claim = await client.create(karpenterKinds.NodeClaim, given)
  expect(await end(claim, 'interrupted', never)).toBe(true)
  expect(await names()).toEqual([])
  expect(await counted()).toEqual([
    `karpenter_nodeclaims_disrupted_total{reason="interrupted",nodepool="web",capacity_type="spot",consolidation_policy="",termination_mode="${mode}"} 1`,
  ])
})

test('a claim that is already gone is not counted', async () => {
  const { client, counted, end } = await harness()
  const claim = await client.create(karpenterKinds.NodeClaim, nodeClaim('a'))
  await end(claim, 'interrupted', never)
  expect(await end(claim, 'interrupted', never)).toBe(false)
  expect(await counted()).toHaveLength(1)
})

test('another claim with the same name is kept', async () => {
  const { client, names, counted, end } = await harness()
  const before = await client.create(karpenterKinds.NodeClaim, nodeClaim('a'))
  await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
  await client.create(karpenterKinds.NodeClaim, nodeClaim('a'))
  await expect(end(before, 'interrupted', never)).rejects.toMatchObject({ code: 409 })
  expect(await names()).toEqual(['a'])
  expect(await counted()).toEqual([])
})
