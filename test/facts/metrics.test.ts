import { defaultControllerSettings } from '@kerf/controllers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KerfWorld } from '../../controllers/src/testing/kerf-world.ts'
import { bufferMetrics, conditionMetrics, coreMetrics } from './metrics.ts'
import { expectedOf, familiesOf } from './registered-metrics.ts'

const all = [...coreMetrics, ...conditionMetrics, ...bufferMetrics]
let world: KerfWorld
beforeAll(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, NodeRepair: true, CapacityBuffer: true }
  world = await KerfWorld.create({ cluster: true, settings: { featureGates } })
  await world.pool()
  await world.pods(3)
  await world.pass(60_000)
})
afterAll(() => world.stop())

test.each(all)('$name is published as dashboards expect it', (fact) => {
  expect(familiesOf(world.metrics)[fact.name]).toEqual(expectedOf(fact))
})

test('nothing else is published under their names', () => {
  const known = new Set(all.map(({ name }) => name))
  const own = Object.keys(familiesOf(world.metrics)).filter(
    (name) => /^(karpenter|operator)_/.test(name) && !known.has(name),
  )
  expect(own).toEqual([])
})
