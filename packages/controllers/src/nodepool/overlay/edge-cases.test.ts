import { coreVocabulary, karpenterKinds, type NodeOverlay, toQuantity } from '@kerf/apis'
import { type InstanceType, LabelRules } from '@kerf/engine'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodeClassRef, nodePool } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { createPendingPod, createPool, Harness } from '../../testing/harness/index.ts'
import { evaluateOverlays } from './evaluation.ts'
import { OverlayStore } from './overlay-store.ts'

// Tests of `docs/spec/scheduling-edge-cases.md`. `tests/integration/facts/numbered-cases.ts` has the numbers of the cases.

const rules = new LabelRules(coreVocabulary)
const on = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

const machine: InstanceType = {
  name: 'm',
  requirements: [on('node.kubernetes.io/instance-type', 'm')],
  offerings: [
    {
      requirements: [on('topology.kubernetes.io/zone', 'a'), on('karpenter.sh/capacity-type', 'spot')],
      price: 1,
      available: true,
    },
  ],
  capacity: { cpu: toQuantity(4) },
  overhead: {},
}

const overlay = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name, generation: 1 },
  spec: { requirements: [], ...spec },
})

const applied = (...overlays: readonly NodeOverlay[]) => {
  const pool = nodePool('general')
  const { overlays: evaluated, conflicting } = evaluateOverlays(overlays, [{ pool, types: [machine] }], rules)
  const store = new OverlayStore(rules)
  store.replace(evaluated)
  const [type] = store.apply(pool, [machine])
  return { type, conflicting: [...conflicting].sort() }
}

test('two lighter overlays with equal weight conflict, even if a heavier overlay sets the price', () => {
  const { type, conflicting } = applied(
    overlay('heavy', { weight: 10, price: '7' }),
    overlay('b', { weight: 5, price: '5' }),
    overlay('a', { weight: 5, price: '3' }),
  )
  expect([type?.offerings[0]?.price, conflicting]).toEqual([7, ['a']])
})

test('capacity overlays with equal weight conflict, even if others come between them (upstream checks only the last one)', () => {
  const gpu = { capacity: { 'example.com/gpu': '2' } }
  const nic = { capacity: { 'example.com/nic': '1' } }
  const { type, conflicting } = applied(overlay('c', gpu), overlay('b', nic), overlay('a', gpu))
  expect(conflicting).toEqual(['a'])
  expect(type?.capacity).toMatchObject({ 'example.com/gpu': toQuantity(2), 'example.com/nic': toQuantity(1) })
})

test('requirements may refer to labels of the pool, which do not become labels of the instance type', () => {
  const { type } = applied(overlay('a', { requirements: [on('karpenter.sh/nodepool', 'general')], price: '5' }))
  expect(type?.offerings[0]?.price).toBe(5)
  expect(type?.requirements).toEqual(machine.requirements)
})

test('an offering whose price changes keeps its other values', () => {
  const own = {
    capacityOverride: { 'example.com/fpga': toQuantity(1) },
    overheadOverride: { kubeReserved: { cpu: toQuantity(1) } },
  }
  const special: InstanceType = { ...machine, offerings: machine.offerings.map((each) => ({ ...each, ...own })) }
  const pool = nodePool('general')
  const store = new OverlayStore(rules)
  store.replace(evaluateOverlays([overlay('a', { price: '5' })], [{ pool, types: [special] }], rules).overlays)
  expect(store.apply(pool, [special])[0]?.offerings[0]).toMatchObject({ ...own, price: 5 })
})

describe('a pool whose instance types cannot be read', () => {
  let harness: Harness | undefined
  afterEach(() => harness?.stop())

  test('does not delay the other pools, and is evaluated when its types can be read', async () => {
    const featureGates = { ...defaultControllerSettings.featureGates, NodeOverlay: true }
    harness = await Harness.create({ settings: { featureGates } })
    const w = harness
    await createPool(w, 'broken', {
      template: { spec: { requirements: [], nodeClassRef: { ...nodeClassRef, name: 'late' } } },
    })
    await createPool(w, 'fine')
    await w.put(karpenterKinds.NodeOverlay, overlay('cheap', { price: '0.001' }))
    await createPendingPod(w, 'any', {
      requests: { cpu: '1' },
      spec: { nodeSelector: { 'karpenter.sh/nodepool': 'fine' } },
    })
    await createPendingPod(w, 'late', {
      requests: { cpu: '1' },
      spec: { nodeSelector: { 'karpenter.sh/nodepool': 'broken' } },
    })
    await w.pass(20_000)
    const overlaid = async () =>
      (await w.claims()).filter(
        ({ metadata }) => metadata.annotations?.['karpenter.sh/price-overlay-applied'] === 'true',
      ).length
    const pools = async () =>
      (await w.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool']).sort()
    expect([await pools(), await overlaid()]).toEqual([['fine'], 1])
    await w.admin.create(kwokNodeClassKind, kwokNodeClass('late'))
    await w.pass(60_000)
    expect([await pools(), await overlaid()]).toEqual([['broken', 'fine'], 2])
  })
})

test('a pod that needs a resource from an overlay gets only one node, even if the device plugin takes long', async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, NodeOverlay: true }
  const w = await Harness.create({ settings: { featureGates } })
  await createPool(w)
  await w.put(karpenterKinds.NodeOverlay, overlay('gpu', { capacity: { 'example.com/gpu': '2' } }))
  await createPendingPod(w, 'wants-gpu', { requests: { 'example.com/gpu': '1' } })
  await w.pass(120_000)
  const [claim, ...others] = await w.claims()
  expect(others).toEqual([])
  expect(claim?.status?.capacity?.['example.com/gpu']).toBe('2')
  expect(claim?.status?.conditions?.find(({ type }) => type === 'Initialized')?.status).toBe('Unknown')
  w.stop()
})
