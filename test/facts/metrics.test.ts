import { defaultControllerSettings } from '@kerf/controllers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KerfWorld } from '../../controllers/src/testing/kerf-world.ts'
import { conditionMetrics, coreMetrics, type MetricFact } from './metrics.ts'

let world: KerfWorld
beforeAll(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, NodeRepair: true }
  world = await KerfWorld.create({ cluster: true, settings: { featureGates } })
  await world.pool()
  await world.pods(3)
  await world.pass(60_000)
})
afterAll(() => world.stop())

/** What prom-client knows of a family and does not declare. */
interface Registered {
  readonly name: string
  readonly type: string
  readonly labelNames: readonly string[]
  readonly upperBounds?: readonly number[]
  readonly percentiles?: readonly number[]
}

const registered = (): readonly Registered[] => world.metrics.registry.getMetricsAsArray() as unknown as Registered[]
const familyOf = (name: string): Omit<MetricFact, 'name'> | undefined => {
  const found = registered().find((each) => each.name === name)
  if (found === undefined) return undefined
  const bounds = found.type === 'histogram' ? found.upperBounds : found.percentiles
  const type = found.type as MetricFact['type']
  return { type, labels: [...found.labelNames].sort(), ...(bounds === undefined ? {} : { bounds }) }
}

test.each([...coreMetrics, ...conditionMetrics])('$name is published as dashboards expect it', ({ name, ...fact }) => {
  expect(familyOf(name)).toEqual({ ...fact, labels: [...fact.labels].sort() })
})

test('nothing else is published under their names', () => {
  const known = new Set([...coreMetrics, ...conditionMetrics].map(({ name }) => name))
  const own = registered()
    .map(({ name }) => name)
    .filter((name) => /^(karpenter|operator)_/.test(name) && !known.has(name))
  expect(own).toEqual([])
})
