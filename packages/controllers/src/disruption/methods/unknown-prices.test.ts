import { karpenterKinds, labels } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { KwokProvider } from '@kerf/provider-kwok'
import { describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { busy, closedWith, LARGE, open, SMALL, singleBlockers } from '../../testing/closed-pools.ts'
import { alteredProvider, type HarnessOptions, launchNodes } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

// Tests of consolidation if prices are unknown, so that savings cannot be computed (`docs/decisions/0007-unknown-prices.md`).

const start = harnessPerTest()
const closed = closedWith(start)

const withoutPrices = (...names: readonly string[]): HarnessOptions => {
  const unpriced = (type: InstanceType): InstanceType =>
    names.includes(type.name)
      ? { ...type, offerings: type.offerings.map((offering) => ({ ...offering, price: undefined })) }
      : type
  let known: { readonly from: readonly InstanceType[]; readonly to: readonly InstanceType[] } | undefined
  return {
    settings: { featureGates: { ...defaultControllerSettings.featureGates, NodeOverlay: true } },
    provider: (kwok: KwokProvider) =>
      alteredProvider(kwok, {
        instanceTypes: async (pool, signal) => {
          const from = await kwok.instanceTypes(pool, signal)
          if (known?.from !== from) known = { from, to: from.map(unpriced) }
          return known.to
        },
      }),
  }
}
const minutes = (count: number): number => count * 60_000

describe('a node of unknown price', () => {
  test('is kept and reported although its pods fit elsewhere, and is disrupted once a NodeOverlay sets its price', async () => {
    const w = await closed(withoutPrices(LARGE), LARGE)
    const [one] = await busy(w, 2, '1', { type: LARGE })
    await open(w)
    await w.pass(minutes(10))
    expect(await w.staying()).toHaveLength(2)
    expect(await singleBlockers(w, one?.node ?? '')).toContainEqual({ code: 'price.unknown', type: LARGE })
    expect(w.distinctMessages('Unconsolidatable').join()).toMatch(/^[Tt]he price of Instance Type "c-8x/)
    const tell = async (spec: object): Promise<void> => {
      const metadata = { name: 'price' }
      const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [LARGE] }]
      await w.put(karpenterKinds.NodeOverlay, {
        apiVersion: 'karpenter.sh/v1alpha1',
        kind: 'NodeOverlay',
        metadata,
        spec: { requirements, ...spec },
      })
    }
    await tell({ priceAdjustment: '-10%' })
    await w.pass(minutes(5))
    expect(await w.staying()).toHaveLength(2)
    await w.patch(karpenterKinds.NodeOverlay, 'price', { spec: { price: '0.5', priceAdjustment: null } })
    await w.pass(minutes(10))
    expect(await w.staying()).toHaveLength(1)
  })

  test('is disrupted when it is empty, and the message does not claim that this saves nothing', async () => {
    const w = await closed(withoutPrices(LARGE), LARGE)
    const [empty] = await launchNodes(w, 1, { type: LARGE })
    await busy(w, 1, '1', { type: LARGE })
    await open(w, { budgets: [{ nodes: '100%' }] })
    await w.pass(minutes(2))
    expect(await w.staying()).toHaveLength(1)
    expect(await w.isStaying(empty?.claim ?? '')).toBe(false)
    const started = w.log.lines.filter(({ message }) => message.startsWith('disrupting node'))
    expect(JSON.stringify(started)).toContain('(savings: unknown)')
    expect(await w.metric('karpenter_nodepools_cost_total')).toBe(0)
    expect(await w.metric('karpenter_nodepools_cost_tracker_errors_total')).toBeGreaterThan(0)
  })

  test('a node with a price is not replaced by a node without one', async () => {
    const w = await closed(withoutPrices(SMALL), SMALL, LARGE)
    const [one] = await busy(w, 1, '1', { type: LARGE })
    await open(w)
    await w.pass(minutes(10))
    expect(await w.staying()).toHaveLength(1)
    expect(await singleBlockers(w, one?.node ?? '')).toContainEqual({ code: 'price.unknown', type: SMALL })
  })
})
