import { karpenterKinds, kinds } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { describe, expect, test } from 'vitest'
import { change, heldWith, release, template } from '../testing/drifting-pools.ts'
import {
  createDeployment,
  createDisruptablePool,
  type Harness,
  launchNodes,
  patchPool,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

const start = harnessPerTest()
const held = heldWith(start)
const SECOND = 1_000
const MINUTE = 60 * SECOND

const closedNodes = async (w: Harness): Promise<readonly string[]> => {
  const { items } = await w.admin.list(kinds.Node)
  return items.flatMap(({ metadata, spec }) =>
    spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') === true ? [metadata.name] : [],
  )
}
const goingClaims = async (w: Harness): Promise<number> =>
  (await w.claims()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length

describe('in a complete cluster', () => {
  test.each([
    ['WhenEmptyOrUnderutilized', '0s'],
    ['WhenEmpty', '30s'],
  ] as const)(
    'if a user taints every new node, Kerf does not launch many nodes under %s after %s',
    async (policy, after) => {
      const w = await start()
      await createDisruptablePool(w, 'general', {
        disruption: { consolidationPolicy: policy, consolidateAfter: after },
      })
      await createDeployment(w, 'web', 1, '1')
      const taint = { key: 'example.com/chaos', value: 'true', effect: 'NoExecute' } as const
      let most = 0
      for (let step = 0; step < 5 * 60 * 4; step++) {
        await w.pass(250)
        const { items } = await w.admin.list(kinds.Node)
        most = Math.max(most, items.length)
        for (const { metadata, spec } of items) {
          if (spec.taints?.some(({ key }) => key === taint.key) === true) continue
          await w.patch(kinds.Node, metadata.name, { spec: { taints: [...(spec.taints ?? []), taint] } })
        }
      }
      expect(most).toBeGreaterThan(0)
      expect(most).toBeLessThan(35)
    },
  )

  test.each([
    ['three empty nodes', 3, undefined, 2],
    ['three nodes whose pods fit nowhere else', 3, '3', 2],
    ['five nodes whose pods fit nowhere else', 5, '3', 3],
  ])('with a budget of half of the nodes: %s', async (_name, count, cpu, allowed) => {
    const w = await held({ registrationDelay: '15s' })
    await launchNodes(w, count)
    if (cpu !== undefined) await createDeployment(w, 'web', count, cpu)
    await w.pass(5 * SECOND)
    await release(w, '50%')
    await change(w, 'a')
    let most = 0
    for (let step = 0; step < 8 * 60; step++) {
      await w.pass(SECOND)
      most = Math.max(most, (await closedNodes(w)).length, await goingClaims(w))
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(allowed)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' })).toBe(count)
  })

  test.each([
    ['registers', { nodeRegistrationDelay: '24h' }, {}],
    ['initialises', {}, { startupTaints: [{ key: 'example.com/never', effect: 'NoSchedule' }] }],
  ])(
    'if no replacement ever %s, no node is removed, and at most one is tainted at a time',
    async (_name, ofClass, ofTemplate) => {
      const w = await held()
      const made = await launchNodes(w, 2)
      await createDeployment(w, 'web', 2, '3')
      await w.pass(5 * SECOND)
      await w.patch(kwokNodeClassKind, 'default', { spec: ofClass })
      await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '10%' }] } } })
      await patchPool(w, 'general', {
        spec: { template: { spec: { ...template.spec, expireAfter: '700h', ...ofTemplate } } },
      })
      await w.pass(15 * SECOND)
      const [closed, ...more] = await closedNodes(w)
      expect([closed === undefined, more]).toEqual([false, []])
      await release(w, '0')
      await w.pass(11 * MINUTE)
      expect(await closedNodes(w)).toEqual([])
      await w.pass(2 * MINUTE)
      for (const each of made) expect(await w.isStaying(each)).toBe(true)
    },
  )

  test('a static pool scales from ten to fifteen replicas, and deleting the pool deletes its nodes', async () => {
    const w = await start({ gates: { StaticCapacity: true } })
    await createDisruptablePool(w, 'fixed', { replicas: 10 }, template)
    await w.pass(30 * SECOND)
    expect(await w.staying()).toHaveLength(10)
    await patchPool(w, 'fixed', { spec: { replicas: 15 } })
    await w.pass(30 * SECOND)
    expect(await w.staying()).toHaveLength(15)
    await w.admin.delete(karpenterKinds.NodePool, { name: 'fixed' })
    await w.pass(2 * MINUTE)
    expect(await w.claims()).toEqual([])
    expect((await w.admin.list(kinds.Node)).items).toEqual([])
  })
})
