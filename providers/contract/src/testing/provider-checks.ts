import { apiVersionOf, type Conditioned, findCondition, karpenterKinds } from '@kerf/apis'
import { PrometheusMetrics } from '@kerf/runtime'
import { expect } from 'vitest'
import { measuredProvider } from '../measured-provider.ts'
import type { Checks } from './conformance-driver.ts'
import { create, failureOf, launch, never } from './launching.ts'

const minutes = (count: number): number => count * 60_000

/** Checks of drift, repair policies, the provider's own controllers, metrics and cancellation. */
export const providerChecks: Checks = {
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
    const { providerID } = await create(world, claim)
    const launched = (await world.cloud.instances()).map((instance) => instance.providerID)
    await world.clock.advance(minutes(10))
    expect((await world.cloud.instances()).map((instance) => instance.providerID)).toEqual(launched)
    // Continuing the launch gives the same instance, even after a restart.
    world.restart()
    expect((await create(world, claim)).providerID).toBe(providerID)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(5))
    expect(await world.cloud.instances()).toEqual([])
  },
  // A pool is used only if its class is ready.
  B12: async (world) => {
    const { nodeClassRef } = world.pool().spec.template.spec
    const kind = world.provider.nodeClasses.find((each) => each.kind === nodeClassRef.kind)
    if (kind === undefined) throw new Error(`the provider does not serve ${nodeClassRef.kind}`)
    await world.clock.advance(minutes(2))
    const nodeClass: Conditioned = await world.client.get(kind, { name: nodeClassRef.name })
    expect(findCondition(nodeClass, 'Ready')?.status).toBe('True')
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
    await create({ ...world, provider: measured }, claim)
    await measured.list(never)
    await measured.instanceTypes(world.pool(), never)
    await measured.isDrifted(claim, never).catch(() => {})
    await measured.get('nonsense', never).catch(() => {})
    await measured.delete(await world.claim('b'), never).catch(() => {})
    world.cloud.stockOut({})
    await create({ ...world, provider: measured }, await world.claim('c')).catch(() => {})
    const text = await metrics.text()
    const counted = (method: string, times: string): RegExp =>
      new RegExp(`cloudprovider_duration_seconds_count\\{[^}]*method="${method}"[^}]*\\} ${times}\n`)
    for (const method of ['Delete', 'Get', 'List', 'GetInstanceTypes', 'IsDrifted'])
      expect(text).toMatch(counted(method, '1'))
    // A pending launch is repeated.
    expect(text).toMatch(counted('Create', world.provider.launchTimeout === undefined ? '2' : '\\d+'))
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
}
