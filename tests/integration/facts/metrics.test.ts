import { defaultControllerSettings } from '@kerf/controllers'
import { createPendingPods, createPool, World } from '@kerf/controllers/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bufferMetrics, conditionMetrics, coreMetrics } from './metrics.ts'
import { expectedOf, familiesOf } from './registered-metrics.ts'

const all = [...coreMetrics, ...conditionMetrics, ...bufferMetrics]
let world: World
beforeAll(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, NodeRepair: true, CapacityBuffer: true }
  world = await World.create({ cluster: 'whole', settings: { featureGates } })
  await createPool(world)
  await createPendingPods(world, 3)
  await world.pass(60_000)
})
afterAll(() => world.stop())

test.each(all)('$name is published as dashboards expect it', (fact) => {
  expect(familiesOf(world.metrics)[fact.name]).toEqual(expectedOf(fact))
})

test('no other metrics are published under these names', () => {
  const known = new Set(all.map(({ name }) => name))
  const own = Object.keys(familiesOf(world.metrics)).filter(
    (name) => /^(karpenter|operator)_/.test(name) && !known.has(name),
  )
  expect(own).toEqual([])
})
