import { apiVersionOf, karpenterKinds, labels, wellKnownLabels } from '@kerf/apis'
import { PrometheusMetrics } from '@kerf/runtime'
import { expect } from 'vitest'
import { allocatableOf } from '../allocatable.ts'
import { measuredProvider } from '../measured-provider.ts'
import { coordinatesOf } from '../unavailable-offerings.ts'
import type { CheckId } from './checks.ts'
import type { ConformanceDriver, ConformanceWorld } from './conformance-driver.ts'
import { failureOf, launch, never } from './launching.ts'

type Checks = Partial<Record<CheckId, (world: ConformanceWorld) => Promise<void>>>

const types = (world: ConformanceWorld) => world.provider.instanceTypes(world.pool(), never)
const minutes = (count: number): number => count * 60_000

/** The part of the suite about instance types, drift, the provider's own controllers, and everything else. */
export const providerChecks = (_driver: ConformanceDriver): Checks => ({
  T01: async (world) => {
    const all = await types(world)
    expect(all.length).toBeGreaterThan(0)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const type of all) {
      for (const name of ['cpu', 'memory', 'pods']) {
        expect((type.capacity[name] ?? 0n) > 0n, `${type.name} ${name}`).toBe(true)
        expect((allocatableOf(type)[name] ?? 0n) > 0n, `${type.name} ${name}`).toBe(true)
      }
    }
  },
  T02: async (world) => {
    // The pool's name is the pool's to give.
    const keys = [...wellKnownLabels, ...world.provider.wellKnownLabels].filter((key) => key !== labels.nodePool)
    for (const type of await types(world)) {
      for (const key of keys) {
        const found = type.requirements.filter((requirement) => requirement.key === key)
        expect(found, `${type.name} ${key}`).toHaveLength(1)
        expect(['In', 'DoesNotExist']).toContain(found[0]?.operator)
      }
    }
  },
  T03: async (world) => {
    for (const type of await types(world)) {
      const tuples = type.offerings.map((offering) => {
        const { capacityType, zone } = coordinatesOf(type, offering)
        expect(capacityType, type.name).not.toBe('')
        expect(zone, type.name).not.toBe('')
        expect(Number.isFinite(offering.price) && offering.price >= 0, type.name).toBe(true)
        return JSON.stringify(offering.requirements)
      })
      expect(new Set(tuples).size, type.name).toBe(tuples.length)
    }
  },
  T04: async (world) => {
    const before = (await types(world)).map(({ name }) => name)
    world.cloud.stockOut({})
    await world.provider.create(await world.claim('a'), never).catch(() => {})
    const after = await types(world)
    expect(after.map(({ name }) => name)).toEqual(before)
    expect(after.some(({ offerings }) => offerings.every(({ available }) => !available))).toBe(true)
  },
  T05: async (world) => {
    const first = await types(world)
    const copy = structuredClone(first)
    world.cloud.stockOut({})
    await world.provider.create(await world.claim('a'), never).catch(() => {})
    await types(world)
    expect(first).toEqual(copy)
    world.restart()
    expect(await types(world)).toEqual(copy)
  },
  T07: async (world) => {
    expect((await types(world)).every(({ offerings }) => offerings.every(({ available }) => available))).toBe(true)
    world.cloud.stockOut({})
    await world.provider.create(await world.claim('a'), never).catch(() => {})
    expect((await types(world)).some(({ offerings }) => offerings.some(({ available }) => !available))).toBe(true)
  },
  T10: async (world) => {
    world.events.events.length = 0
    expect(await failureOf(world.provider.instanceTypes(world.foreignPool(), never))).toBeInstanceOf(Error)
    await world.setNodeClass('missing')
    expect(await failureOf(types(world))).toBeInstanceOf(Error)
    expect(world.events.events.length).toBeGreaterThan(1)
  },
  H01: async (world) => {
    const { claim } = await launch(world, 'a')
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
  },
  H06: async (world) => {
    const { claim } = await launch(world, 'a')
    await world.setNodeClass('missing')
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
  },
  H08: async (world) => {
    const { repairPolicies } = world.provider
    expect(world.provider.repairPolicies).toEqual(repairPolicies)
    const pairs = repairPolicies.map(({ conditionType, conditionStatus }) => `${conditionType}=${conditionStatus}`)
    expect(new Set(pairs).size).toBe(pairs.length)
    for (const { toleration } of repairPolicies) expect(toleration).toBeGreaterThanOrEqual(0)
  },
  B01: async (world) => {
    const leaked = await world.cloud.plantLeaked(minutes(10))
    await world.clock.advance(minutes(5))
    expect((await world.cloud.instances()).map(({ providerID }) => providerID)).not.toContain(leaked)
  },
  B02: async (world) => {
    const { view } = await launch(world, 'a')
    const young = await world.cloud.plantLeaked(0)
    await world.clock.advance(10_000)
    const left = (await world.cloud.instances()).map(({ providerID }) => providerID)
    expect(left).toEqual(expect.arrayContaining([view.providerID, young]))
    await world.clock.advance(minutes(10))
    expect((await world.cloud.instances()).map(({ providerID }) => providerID)).toContain(view.providerID)
  },
  B03: async (world) => {
    const foreign = await world.cloud.plantForeign()
    await world.clock.advance(minutes(30))
    expect((await world.cloud.instances()).map(({ providerID }) => providerID)).toContain(foreign)
  },
  B04: async (world) => {
    world.cloud.fail('list', 'serverError')
    const leaked = await world.cloud.plantLeaked(minutes(10))
    await world.clock.advance(minutes(10))
    expect((await world.cloud.instances()).map(({ providerID }) => providerID)).toContain(leaked)
  },
  B11: async (world) => {
    const claim = await world.claim('a')
    const { providerID } = await world.provider.create(claim, never)
    const launched = (await world.cloud.instances()).map((instance) => instance.providerID)
    await world.clock.advance(minutes(10))
    expect((await world.cloud.instances()).map((instance) => instance.providerID)).toEqual(launched)
    // Whoever continues gets the same one, also after a restart.
    world.restart()
    expect((await world.provider.create(claim, never)).providerID).toBe(providerID)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(5))
    expect(await world.cloud.instances()).toEqual([])
  },
  X01: async (world) => {
    const { name, nodeClasses } = world.provider
    world.restart()
    expect(name).not.toBe('')
    expect(world.provider.name).toBe(name)
    expect(nodeClasses.length).toBeGreaterThan(0)
    for (const kind of nodeClasses) {
      const list = await world.client.list(kind)
      expect(list.apiVersion).toBe(apiVersionOf(kind))
    }
  },
  X02: async (world) => {
    const metrics = new PrometheusMetrics()
    const measured = measuredProvider(world.provider, { metrics, clock: world.clock, controller: 'conformance' })
    const claim = await world.claim('a')
    await measured.create(claim, never)
    await measured.list(never)
    await measured.instanceTypes(world.pool(), never)
    await measured.isDrifted(claim, never).catch(() => {})
    await measured.get('nonsense', never).catch(() => {})
    await measured.delete(await world.claim('b'), never).catch(() => {})
    world.cloud.stockOut({})
    await measured.create(await world.claim('c'), never).catch(() => {})
    const text = await metrics.text()
    for (const method of ['Create', 'Delete', 'Get', 'List', 'GetInstanceTypes', 'IsDrifted']) {
      expect(text).toMatch(new RegExp(`cloudprovider_duration_seconds_count\\{[^}]*method="${method}"[^}]*\\} [12]`))
    }
    expect(text).toMatch(/cloudprovider_errors_total\{[^}]*method="Create"[^}]*error="InsufficientCapacityError"\} 1/)
  },
  X03: async (world) => {
    const abort = new AbortController()
    abort.abort(new Error('stop'))
    const claim = await world.claim('a')
    expect(await failureOf(world.provider.create(claim, abort.signal))).toBeInstanceOf(Error)
    await world.clock.advance(5_000)
    expect(await world.cloud.instances()).toEqual([])
  },
})
