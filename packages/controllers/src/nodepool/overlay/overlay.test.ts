import { type Condition, coreVocabulary, findCondition, karpenterKinds, type NodeOverlay, toQuantity } from '@kerf/apis'
import { type InstanceType, LabelRules } from '@kerf/engine'
import { UnevaluatedNodePoolError } from '@kerf/provider-contract'
import { ApiError } from '@kerf/runtime'
import { nodePool } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { createPendingPod, createPool, Harness } from '../../testing/harness/index.ts'
import { adjustedPrice } from './adjusted-price.ts'
import { evaluateOverlays } from './evaluation.ts'
import { OverlayStore } from './overlay-store.ts'

const rules = new LabelRules(coreVocabulary)

const type = (name: string, price = 1): InstanceType => ({
  name,
  requirements: [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [name] },
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
  ],
  offerings: ['a', 'b'].flatMap((zone) =>
    ['spot', 'on-demand'].map((capacityType) => ({
      requirements: [
        { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [zone] },
        { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: [capacityType] },
      ],
      price,
      available: true,
    })),
  ),
  capacity: { cpu: toQuantity(4) },
  overhead: {},
})

const overlay = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name, generation: 1 },
  spec: { requirements: [], ...spec },
})

const on = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const zone = (...values: readonly string[]) => on('topology.kubernetes.io/zone', ...values)
const pools = ['general', 'other'].map((name) => ({ pool: nodePool(name), types: [type('small'), type('large', 2)] }))

/** Returns the changed prices by pool, instance type, zone and capacity type, and the names of conflicting overlays. */
const prices = (...overlays: readonly NodeOverlay[]) => {
  const { overlays: evaluated, conflicting } = evaluateOverlays(overlays, pools, rules)
  const store = new OverlayStore(rules)
  store.replace(evaluated)
  const rows = pools.flatMap(({ pool, types }) =>
    store.apply(pool, types).flatMap((each) =>
      each.offerings.map(({ price, requirements }) => {
        const [at, capacityType] = requirements.map(({ values }) => values?.[0])
        return [`${pool.metadata.name}/${each.name}/${at}/${capacityType}`, price] as const
      }),
    ),
  )
  return { changed: new Map(rows.filter(([key, price]) => price !== (key.includes('large') ? 2 : 1))), conflicting }
}

test.each([
  [10, '', 10],
  [10, '-10%', 9],
  [10, '+10%', 11],
  [10, '+100%', 20],
  [10, '-100%', 0],
  [10, '-200%', 0],
  [10, '+0.5', 10.5],
  [10, '-12', 0],
  [10, '3.25', 3.25],
  [10, '0', 0],
])('the price %d with the adjustment "%s" becomes %d', (price, adjustment, expected) => {
  expect(adjustedPrice(price, adjustment)).toBeCloseTo(expected, 12)
})

test.each([
  ['-10%', undefined],
  ['+0.5', undefined],
  ['', undefined],
  ['3.25', 3.25],
])('with the adjustment "%s" an unknown price becomes %s', (adjustment, expected) => {
  expect(adjustedPrice(undefined, adjustment)).toBe(expected)
})

describe('evaluation', () => {
  test('applies only to matching pools, types, zones and capacity types', () => {
    const requirements = [
      on('karpenter.sh/nodepool', 'general'),
      on('node.kubernetes.io/instance-type', 'small'),
      zone('a'),
      on('karpenter.sh/capacity-type', 'spot'),
    ]
    expect([...prices(overlay('one', { requirements, price: '0.5' })).changed]).toEqual([['general/small/a/spot', 0.5]])
    expect(prices(overlay('none', { requirements: [zone('elsewhere')], price: '0.5' })).changed.size).toBe(0)
    expect(prices(overlay('unknown', { requirements: [on('team', 'a')], price: '0.5' })).changed.size).toBe(0)
  })

  test('returns the same price for a single offering as in the instance types', () => {
    const requirements = [on('karpenter.sh/nodepool', 'general'), zone('a')]
    const store = new OverlayStore(rules)
    const priced = () =>
      pools.flatMap(({ pool, types }) =>
        types.flatMap(({ name, offerings }) =>
          offerings.map((offering) => store.priceOf(pool.metadata.name, name, offering)),
        ),
      )
    expect(priced()).toEqual(pools.flatMap(({ types }) => types.flatMap((each) => each.offerings.map((o) => o.price))))
    store.replace(evaluateOverlays([overlay('one', { requirements, price: '0.5' })], pools, rules).overlays)
    const applied = pools.flatMap(({ pool, types }) =>
      store.apply(pool, types).flatMap(({ offerings }) => offerings.map(({ price }) => price)),
    )
    expect(priced()).toEqual(applied)
    expect(applied).toContain(0.5)
  })

  test('applies the heavier of two overlays to each offering', () => {
    const { changed, conflicting } = prices(
      overlay('all', { price: '7', weight: 1 }),
      overlay('zone-a', { requirements: [zone('a')], price: '5', weight: 2 }),
    )
    expect(conflicting.size).toBe(0)
    expect(changed.get('general/small/a/spot')).toBe(5)
    expect(changed.get('general/small/b/spot')).toBe(7)
  })

  test('applies only the overlay with the later name if weights are equal, even if the values are equal', () => {
    const { changed, conflicting } = prices(
      overlay('b', { requirements: [zone('a')], price: '5' }),
      overlay('a', { requirements: [zone('a', 'b')], price: '5' }),
    )
    expect([...conflicting]).toEqual(['a'])
    expect(changed.get('general/small/a/spot')).toBe(5)
    expect(changed.has('general/small/b/spot')).toBe(false)
  })

  test('rejects an overlay in all pools if it conflicts in one', () => {
    const { changed, conflicting } = prices(
      overlay('b', { requirements: [on('karpenter.sh/nodepool', 'general')], price: '5' }),
      overlay('a', { price: '9' }),
    )
    expect([...conflicting]).toEqual(['a'])
    expect([...changed.keys()].every((key) => key.startsWith('general/'))).toBe(true)
  })

  test('finds conflicts only between overlays that match the same types and change the same resource', () => {
    const gpu = { capacity: { 'example.com/gpu': '2' } }
    expect(
      prices(
        overlay('a', { requirements: [zone('a')], price: '5' }),
        overlay('b', { requirements: [zone('b')], price: '6' }),
      ).conflicting.size,
    ).toBe(0)
    expect(prices(overlay('a', gpu), overlay('b', { capacity: { 'example.com/fuse': '1' } })).conflicting.size).toBe(0)
    expect([...prices(overlay('a', gpu), overlay('b', gpu)).conflicting]).toEqual(['a'])
    expect(prices(overlay('a', gpu), overlay('b', { ...gpu, weight: 4 })).conflicting.size).toBe(0)
  })
})

describe('the store', () => {
  test('throws for pools that were not evaluated, and returns the same objects while nothing changes', () => {
    const store = new OverlayStore(rules)
    const [general] = pools
    if (general === undefined) throw new Error('a pool')
    expect(() => store.apply(general.pool, general.types)).toThrow(UnevaluatedNodePoolError)
    store.replace(evaluateOverlays([overlay('a', { capacity: { 'example.com/gpu': '2' } })], pools, rules).overlays)
    const applied = store.apply(general.pool, general.types)
    expect(store.apply(general.pool, general.types)).toBe(applied)
    expect(applied[0]).toMatchObject({ capacityOverlayApplied: true, capacity: { 'example.com/gpu': toQuantity(2) } })
    expect(general.types[0]?.capacityOverlayApplied).toBeUndefined()
    store.replace(evaluateOverlays([], pools, rules).overlays)
    expect(store.apply(general.pool, general.types)).toBe(general.types)
  })
})

describe('the controller', () => {
  let harness: Harness | undefined
  afterEach(() => harness?.stop())

  test('reports the result on each overlay, and pods are planned with the new prices', async () => {
    const featureGates = { ...defaultControllerSettings.featureGates, NodeOverlay: true }
    harness = await Harness.create({ settings: { featureGates } })
    const w = harness
    await createPool(w)
    const gpu = { 'example.com/gpu': '2' }
    await createPendingPod(w, 'wants-gpu', { requests: { cpu: '1', 'example.com/gpu': '1' } })
    await w.pass(3_000)
    expect(await w.claims()).toEqual([])
    const only = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m-8x-amd64-linux'] }] as const
    for (const name of ['first', 'second']) {
      await w.put(karpenterKinds.NodeOverlay, overlay(name, { requirements: only, capacity: gpu }))
    }
    await w.pass(12_000)
    const verdict = async (name: string): Promise<Condition | undefined> =>
      findCondition(await w.admin.get(karpenterKinds.NodeOverlay, { name }), 'ValidationSucceeded')
    expect(await verdict('second')).toMatchObject({ status: 'True' })
    expect(await verdict('first')).toMatchObject({ status: 'False', reason: 'Conflict' })
    const [claim] = await w.claims()
    expect(claim?.metadata.labels?.['node.kubernetes.io/instance-type']).toBe('m-8x-amd64-linux')
    expect(claim?.metadata.annotations?.['karpenter.sh/capacity-overlay-applied']).toBe('true')
  })

  test('applies the other overlays if the status of one cannot be written', async () => {
    const featureGates = { ...defaultControllerSettings.featureGates, NodeOverlay: true }
    harness = await Harness.create({ settings: { featureGates } })
    const w = harness
    w.fault = ({ verb, kind, ref }) =>
      verb === 'patch' && kind?.kind === 'NodeOverlay' && ref?.name === 'a-refused'
        ? new ApiError({ code: 403, reason: 'Forbidden', message: 'a webhook does not let it change' })
        : undefined
    await createPool(w)
    const only = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m-8x-amd64-linux'] }] as const
    await w.put(karpenterKinds.NodeOverlay, overlay('a-refused', { requirements: only, priceAdjustment: '+1' }))
    const gpu = { 'example.com/gpu': '2' }
    await w.put(karpenterKinds.NodeOverlay, overlay('gpus', { requirements: only, capacity: gpu }))
    await createPendingPod(w, 'wants-gpu', { requests: { cpu: '1', 'example.com/gpu': '1' } })
    await w.pass(30_000)
    expect(await w.claims()).toHaveLength(1)
    const reported = await w.admin.get(karpenterKinds.NodeOverlay, { name: 'gpus' })
    expect(findCondition(reported, 'ValidationSucceeded')).toMatchObject({ status: 'True' })
  })
})

test('keeps the devices of an instance type and the overrides of its offerings', () => {
  const dynamicResources = {
    resourceSliceTemplates: [{ driver: 'd.io', pool: { name: 'p' }, devices: [{ name: 'a' }] }],
  }
  const plain = type('small')
  const capacityOverride = { cpu: toQuantity(8) }
  const rich: InstanceType = {
    ...plain,
    dynamicResources,
    offerings: plain.offerings.map((offering) => ({ ...offering, capacityOverride })),
  }
  const pool = nodePool('general')
  const store = new OverlayStore(rules)
  const both = overlay('both', { price: '9', capacity: { 'example.com/fpga': '1' } })
  store.replace(evaluateOverlays([both], [{ pool, types: [rich] }], rules).overlays)
  const [changed] = store.apply(pool, [rich])
  expect(changed).not.toBe(rich)
  expect(changed?.dynamicResources).toEqual(dynamicResources)
  expect(changed?.offerings.map((offering) => [offering.price, offering.capacityOverride])).toEqual(
    Array(4).fill([9, capacityOverride]),
  )
})
