import { type Conditioned, findCondition, groupVersion, karpenterKinds } from '@kerf/apis'
import { PrometheusMetrics } from '@kerf/runtime'
import { expect } from 'vitest'
import { isNodeClaimNotFound } from '../errors.ts'
import { measuredProvider } from '../measured-provider.ts'
import type { Checks } from './conformance-driver.ts'
import { create, expectRejection, launch, never } from './launching.ts'

const minutes = (count: number): number => count * 60_000

/** Checks of drift, repair policies, the provider's own controllers, metrics, and cancellation. */
export const providerChecks: Checks = {
  H01: async (harness) => {
    const { claim } = await launch(harness, 'a')
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
  },
  H06: async (harness) => {
    const { claim: gone, view } = await launch(harness, 'a')
    await harness.cloud.vanish(view.providerID)
    const reason = await harness.provider.isDrifted(gone, never).catch((error: unknown) => {
      if (!isNodeClaimNotFound(error)) throw error
    })
    expect(reason).toBeUndefined()
    const { claim } = await launch(harness, 'b')
    await harness.setNodeClass('missing')
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
  },
  H08: async (harness) => {
    const { repairPolicies } = harness.provider
    expect(harness.provider.repairPolicies).toEqual(repairPolicies)
    const pairs = repairPolicies.map(({ conditionType, conditionStatus }) => `${conditionType}=${conditionStatus}`)
    expect(new Set(pairs).size).toBe(pairs.length)
    for (const { toleration } of repairPolicies) expect(toleration).toBeGreaterThanOrEqual(0)
  },
  B01: async (harness) => {
    const leaked = await harness.cloud.plantLeaked(minutes(10))
    await harness.clock.advance(minutes(5))
    expect((await harness.cloud.instances()).map(({ providerID }) => providerID)).not.toContain(leaked)
  },
  B02: async (harness) => {
    const { view } = await launch(harness, 'a')
    const young = await harness.cloud.plantLeaked(0)
    await harness.clock.advance(10_000)
    const left = (await harness.cloud.instances()).map(({ providerID }) => providerID)
    expect(left).toEqual(expect.arrayContaining([view.providerID, young]))
    await harness.clock.advance(minutes(10))
    expect((await harness.cloud.instances()).map(({ providerID }) => providerID)).toContain(view.providerID)
  },
  B03: async (harness) => {
    const foreign = await harness.cloud.plantForeign()
    await harness.clock.advance(minutes(30))
    expect((await harness.cloud.instances()).map(({ providerID }) => providerID)).toContain(foreign)
  },
  B04: async (harness) => {
    harness.cloud.fail('list', 'serverError')
    const leaked = await harness.cloud.plantLeaked(minutes(10))
    await harness.clock.advance(minutes(10))
    expect((await harness.cloud.instances()).map(({ providerID }) => providerID)).toContain(leaked)
  },
  B11: async (harness) => {
    const claim = await harness.claim('a')
    const { providerID } = await create(harness, claim)
    const launched = (await harness.cloud.instances()).map((instance) => instance.providerID)
    await harness.clock.advance(minutes(10))
    expect((await harness.cloud.instances()).map((instance) => instance.providerID)).toEqual(launched)
    // A repeated call must return the same instance, even after a restart.
    harness.restart()
    expect((await create(harness, claim)).providerID).toBe(providerID)
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(minutes(5))
    expect(await harness.cloud.instances()).toEqual([])
  },
  // Kerf uses a NodePool only if its node class is ready.
  B12: async (harness) => {
    const { nodeClassRef } = harness.pool().spec.template.spec
    const kind = harness.provider.nodeClasses.find((each) => each.kind === nodeClassRef.kind)
    if (kind === undefined) throw new Error(`the provider does not serve ${nodeClassRef.kind}`)
    await harness.clock.advance(minutes(2))
    const nodeClass: Conditioned = await harness.client.get(kind, { name: nodeClassRef.name })
    expect(findCondition(nodeClass, 'Ready')?.status).toBe('True')
  },
  X01: async (harness) => {
    const { name, nodeClasses } = harness.provider
    harness.restart()
    expect(name).not.toBe('')
    expect(harness.provider.name).toBe(name)
    expect(nodeClasses.length).toBeGreaterThan(0)
    for (const kind of nodeClasses) {
      const list = await harness.client.list(kind)
      expect(list.apiVersion).toBe(groupVersion(kind))
    }
  },
  X02: async (harness) => {
    const metrics = new PrometheusMetrics()
    const measured = measuredProvider(harness.provider, { metrics, clock: harness.clock, controller: 'conformance' })
    const claim = await harness.claim('a')
    await create({ ...harness, provider: measured }, claim)
    await measured.list(never)
    await measured.instanceTypes(harness.pool(), never)
    await measured.isDrifted(claim, never).catch(() => {})
    await measured.get('nonsense', never).catch(() => {})
    await measured.delete(await harness.claim('b'), never).catch(() => {})
    harness.cloud.stockOut({})
    await create({ ...harness, provider: measured }, await harness.claim('c')).catch(() => {})
    const text = await metrics.text()
    const counted = (method: string, times: string): RegExp =>
      new RegExp(`cloudprovider_duration_seconds_count\\{[^}]*method="${method}"[^}]*\\} ${times}\n`)
    for (const method of ['Delete', 'Get', 'List', 'GetInstanceTypes', 'IsDrifted'])
      expect(text).toMatch(counted(method, '1'))
    // Kerf repeats `create` while a launch is pending.
    expect(text).toMatch(counted('Create', harness.provider.launchTimeout === undefined ? '2' : '\\d+'))
    expect(text).toMatch(/cloudprovider_errors_total\{[^}]*method="Create"[^}]*error="InsufficientCapacityError"\} 1/)
  },
  X03: async (harness) => {
    const abort = new AbortController()
    abort.abort(new Error('stop'))
    const claim = await harness.claim('a')
    expect(await expectRejection(harness.provider.create(claim, abort.signal))).toBeInstanceOf(Error)
    await harness.clock.advance(5_000)
    expect(await harness.cloud.instances()).toEqual([])
  },
}
