import { annotations, karpenterKinds, labels } from '@kerf/apis'
import { nodeClaim, pod } from '@kerf/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { remainingLife } from '../../nodeclaim/remaining-life.ts'
import { evictionCost } from '../../pod/eviction-cost.ts'
import { createPool, Harness } from '../../testing/harness/index.ts'

let harness: Harness
beforeEach(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
  harness = await Harness.create({ settings: { featureGates } })
})
afterEach(() => harness.stop())

const requirements = [{ key: labels.instanceType, operator: 'In', values: ['s-4x-amd64-linux'] }] as const
const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' }
const pool = (replicas: number, limits?: Readonly<Record<string, string>>) =>
  createPool(harness, 'still', {
    replicas,
    template: { spec: { requirements, nodeClassRef, expireAfter: 'Never' } },
    ...(limits === undefined ? {} : { limits }),
  })
const scale = async (replicas: number): Promise<void> => {
  await harness.admin.patch(
    karpenterKinds.NodePool,
    { name: 'still' },
    { type: 'merge', body: { spec: { replicas } } },
    { subresource: 'scale' },
  )
  await harness.pass(10_000)
}

describe('a static pool', () => {
  test('gets nodes from its template, and new nodes when some are deleted', async () => {
    await pool(5)
    await harness.pass(5_000)
    const claims = await harness.claims()
    expect(claims).toHaveLength(5)
    expect(claims[0]?.spec.requirements).toEqual(requirements)
    expect(claims[0]?.metadata.labels).toMatchObject({ [labels.nodePool]: 'still' })
    await harness.admin.delete(karpenterKinds.NodeClaim, { name: claims[0]?.metadata.name ?? '' })
    await harness.pass(90_000)
    const living = (await harness.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    expect(living).toHaveLength(5)
    expect((await harness.readPool('still')).status?.nodes).toBe(5)
  })

  test('follows the scale subresource up, and down to zero', async () => {
    await pool(2)
    await scale(12)
    expect(await harness.claims()).toHaveLength(12)
    await scale(3)
    await harness.pass(60_000)
    expect(await harness.claims()).toHaveLength(3)
    await scale(0)
    await harness.pass(60_000)
    expect(await harness.claims()).toHaveLength(0)
  })

  test('requests instances at growing intervals while no capacity is available', async () => {
    harness.outages.stockOut({})
    await pool(2)
    await harness.pass(10 * 60_000)
    const asked = harness.log
      .messages('info')
      .filter((line) => line === 'created nodeclaims for a static nodepool').length
    // Kerf requests the first launches at once, then retries after 5, 10, 20, 40, 80, 160 and 180 seconds.
    expect(asked).toBeGreaterThan(4)
    expect(asked).toBeLessThan(10)
    harness.outages.restock()
    await scale(3)
    // Kerf avoids an offering without capacity for three minutes.
    await harness.pass(400_000)
    expect((await harness.claims()).filter(({ status }) => status?.providerID !== undefined)).toHaveLength(3)
  })

  test('respects its node limit', async () => {
    await pool(10, { nodes: '4' })
    await harness.pass(120_000)
    expect(await harness.claims()).toHaveLength(4)
    expect(harness.kerf.state.claims.counts('still')).toEqual({ active: 4, deleting: 0, pendingDisruption: 0 })
  })

  test('gets each node once, even if the process is killed during the pass', async () => {
    await pool(30)
    harness.restart()
    await harness.pass(70_000)
    expect(await harness.claims()).toHaveLength(30)
  })
})

describe('the cost of deleting a node', () => {
  test('is 1 for a pod, changed by its priority and deletion cost, within ±10', () => {
    expect(evictionCost(pod('plain'))).toBe(1)
    expect(evictionCost(pod('dear', { spec: { priority: 2 ** 25 } }))).toBe(2)
    expect(evictionCost(pod('system', { spec: { priority: 2_000_000_000 } }))).toBe(10)
    const cost = (value: string) =>
      evictionCost(pod('p', { metadata: { annotations: { [annotations.podDeletionCost]: value } } }))
    expect(cost(String(2 ** 27))).toBe(2)
    expect(cost('-2147483648')).toBe(-10)
    expect(cost('nonsense')).toBe(1)
    const rising = ['-100000', '-10', '0', '7', '100000'].map(cost)
    expect(rising).toEqual(rising.toSorted((a, b) => a - b))
    expect(new Set(rising).size).toBe(rising.length)
    expect(evictionCost(pod('low', { spec: { priority: -(2 ** 25) } }))).toBe(0)
    expect(evictionCost(pod('lower', { spec: { priority: -2_000_000_000 } }))).toBe(-10)
  })

  test('shrinks with the remaining lifetime', () => {
    const now = Date.parse('2026-01-01T06:00:00Z')
    expect(remainingLife(nodeClaim('a', { spec: { expireAfter: '24h' } }), now)).toBe(0.75)
    expect(remainingLife(nodeClaim('a', { spec: { expireAfter: '1h' } }), now)).toBe(0)
    expect(remainingLife(nodeClaim('a', { spec: { expireAfter: 'Never' } }), now)).toBe(1)
    expect(remainingLife(nodeClaim('a'), now)).toBe(1)
    // A claim with a lifetime of zero expires when it is created. A claim with a creation time in the future has its full lifetime left.
    expect(remainingLife(nodeClaim('a', { spec: { expireAfter: '0s' } }), now)).toBe(0)
    expect(remainingLife(nodeClaim('a', { spec: { expireAfter: '24h' } }), now - 12 * 3_600_000)).toBe(1)
  })
})
