import { defaultControllerSettings } from '@kerf/controllers'
import { createPendingPods, createPool, Harness } from '@kerf/controllers/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bufferMetrics, conditionMetrics, coreMetrics } from './metrics.ts'
import { expectedFact, metricFamilies } from './registered-metrics.ts'

const all = [...coreMetrics, ...conditionMetrics, ...bufferMetrics]
let harness: Harness
beforeAll(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, NodeRepair: true, CapacityBuffer: true }
  harness = await Harness.create({ cluster: 'whole', settings: { featureGates } })
  await createPool(harness)
  await createPendingPods(harness, 3)
  await harness.pass(60_000)
})
afterAll(() => harness.stop())

test.each(all)('$name is published in the form that dashboards expect', (fact) => {
  expect(metricFamilies(harness.metrics)[fact.name]).toEqual(expectedFact(fact))
})

test('no other metrics are published under these names', () => {
  const known = new Set(all.map(({ name }) => name))
  const own = Object.keys(metricFamilies(harness.metrics)).filter(
    (name) => /^(karpenter|operator)_/.test(name) && !known.has(name),
  )
  expect(own).toEqual([])
})
