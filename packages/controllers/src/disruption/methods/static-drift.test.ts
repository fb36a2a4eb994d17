import { annotations, karpenterKinds, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { change, decisions, drifted, template } from '../../testing/drifting-pools.ts'
import { createDisruptablePool, type Harness, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()

describe('static drift', () => {
  const fixed = async (replicas: number, limit: number | undefined, nodes: string) => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    const limits = limit === undefined ? {} : { limits: { nodes: String(limit) } }
    await createDisruptablePool(w, 'fixed', { replicas, ...limits, disruption: { budgets: [{ nodes }] } }, template)
    await w.pass(40_000)
    expect((await w.staying()).length).toBe(replicas)
    await change(w, 'a', 'fixed')
    await w.pass(15_000)
    return w
  }
  const started = (w: Harness) => decisions(w, 'replace')

  test.each([
    ['with a budget of two, two replacements start', 4, undefined, '2', 2],
    ['with a budget of 20% of four, one replacement starts', 4, undefined, '20%', 1],
    ['at the node limit, no replacement starts', 3, 3, '100%', 0],
    ['one node below the limit, one replacement starts', 3, 4, '100%', 1],
    ['two nodes below the limit, two replacements start', 3, 5, '100%', 2],
  ])('%s', async (_name, replicas, limit, nodes, expected) => {
    const w = await fixed(replicas, limit, nodes)
    expect(await started(w)).toBe(expected)
    if (limit !== undefined) expect((await w.claims()).length).toBeLessThanOrEqual(limit)
    let most = 0
    for (let step = 0; step < 400; step++) {
      await w.pass(1_000)
      most = Math.max(most, (await w.claims()).length)
    }
    expect(most).toBeLessThanOrEqual(limit ?? 2 * replicas)
    expect((await w.staying()).length).toBe(replicas)
    expect(await drifted(w, 'fixed')).toBe(expected === 0 ? 0 : replicas)
  })

  test('protected nodes are not replaced', async () => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    await createDisruptablePool(w, 'fixed', { replicas: 2, disruption: { budgets: [{ nodes: '100%' }] } }, template)
    await w.pass(40_000)
    const [kept] = await w.claims()
    const guard = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
    await w.patch(kinds.Node, kept?.status?.nodeName ?? '', guard)
    await change(w, 'a', 'fixed')
    await w.pass(200_000)
    expect(await drifted(w, 'fixed')).toBe(1)
    expect(await w.staying()).toContain(kept?.metadata.name)
    expect((await w.staying()).length).toBe(2)
  })

  test('three pools start one, two and two replacements, as their own budgets allow', async () => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    const pools = { one: '1', two: '2', more: '2' }
    for (const [name, nodes] of Object.entries(pools)) {
      await createDisruptablePool(w, name, { replicas: 2, disruption: { budgets: [{ nodes }] } }, template)
    }
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(6)
    for (const name of Object.keys(pools)) await change(w, 'a', name)
    await w.pass(15_000)
    expect(await started(w)).toBe(5)
    for (const [name, nodes] of Object.entries(pools)) {
      const made = { reason: 'drifted', nodepool: name }
      expect(await w.metric('karpenter_nodeclaims_created_total', made)).toBe(Number(nodes))
    }
  })

  test('a replacement that fails leaves the pool unchanged, and is tried again', async () => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    await createDisruptablePool(w, 'fixed', { replicas: 2, disruption: { budgets: [{ nodes: '1' }] } }, template)
    await w.pass(40_000)
    const before = await w.staying()
    await change(w, 'a', 'fixed')
    await w.pass(12_000)
    expect(w.kerf.state.claims.counts('fixed')).toEqual({ active: 2, deleting: 1, pendingDisruption: 0 })
    await patchPool(w, 'fixed', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    const made = (await w.staying()).find((name) => !before.includes(name)) ?? ''
    await w.admin.delete(karpenterKinds.NodeClaim, { name: made })
    await w.pass(30_000)
    expect(await w.staying()).toEqual(before)
    expect(w.kerf.state.claims.counts('fixed')).toEqual({ active: 2, deleting: 0, pendingDisruption: 0 })
    await patchPool(w, 'fixed', { spec: { disruption: { budgets: [{ nodes: '1' }] } } })
    await w.pass(200_000)
    expect(await drifted(w, 'fixed')).toBe(2)
    expect((await w.staying()).length).toBe(2)
  })

  test('a pool with more nodes than replicas is scaled down before nodes are replaced', async () => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    await createDisruptablePool(w, 'fixed', { replicas: 3, disruption: { budgets: [{ nodes: '100%' }] } }, template)
    await w.pass(40_000)
    const { active } = w.kerf.state.claims.counts('fixed')
    expect(active).toBe(3)
    w.kerf.state.claims.put('fixed', 'not-counted-yet', false)
    await change(w, 'a', 'fixed')
    await w.pass(15_000)
    expect(await started(w)).toBe(0)
    w.kerf.state.claims.remove('not-counted-yet')
    // Nothing triggers a pass here. The pass that runs after the maximum idle time detects the drift.
    await w.pass(5 * 60_000)
    expect(await started(w)).toBeGreaterThan(0)
  })
})
