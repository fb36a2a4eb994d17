import { groupVersion, karpenterKinds } from '@kerf/apis'
import { InsufficientCapacityError } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { MIDDLE, only } from '../../testing/closed-pools.ts'
import { change } from '../../testing/drifting-pools.ts'
import { createDeployment, createDisruptablePool, type Harness } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { podTemplateKind } from './resolve.ts'

const start = harnessPerTest()
const SECOND = 1_000
const MINUTE = 60 * SECOND

describe('capacity buffers in a complete cluster', () => {
  const nodes = async (w: Harness): Promise<number> => (await w.staying()).length

  /** Creates three replicas that need a node each, in a pool that consolidates at once. */
  const buffered = async (prepare: (w: Harness) => void = () => {}): Promise<Harness> => {
    const w = await start({ gates: { CapacityBuffer: true } })
    prepare(w)
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: '0s' } }, only(MIDDLE))
    await w.admin.create(podTemplateKind, {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'piece', namespace: 'default' },
      template: { spec: { containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: '3' } } }] } },
    })
    await w.admin.create(karpenterKinds.CapacityBuffer, {
      apiVersion: groupVersion(karpenterKinds.CapacityBuffer),
      kind: 'CapacityBuffer',
      metadata: { name: 'spare', namespace: 'default' },
      spec: { podTemplateRef: { name: 'piece' }, replicas: 3 },
    })
    await w.pass(2 * MINUTE)
    expect(await nodes(w)).toBe(3)
    return w
  }

  test('their nodes do not count as empty, are replaced when pods use them, and are deleted with the buffer', async () => {
    const w = await buffered()
    await w.pass(5 * MINUTE)
    expect(await nodes(w)).toBe(3)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total')).toBe(0)
    await createDeployment(w, 'web', 2, '3')
    await w.pass(3 * MINUTE)
    expect(await nodes(w)).toBe(5)
    await w.admin.delete(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
    await w.pass(3 * MINUTE)
    expect(await nodes(w)).toBe(2)
  })

  test('a node that is launched at the second attempt is not removed', async () => {
    const w = await buffered(({ outages }) => outages.failNext('launch', new InsufficientCapacityError('nothing left')))
    await w.pass(5 * MINUTE)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'insufficient_capacity' })).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total')).toBe(1)
  })

  test('their nodes are replaced when they drift, and no additional node remains', async () => {
    const w = await buffered()
    await change(w, 'a')
    await w.pass(10 * MINUTE)
    expect(await nodes(w)).toBe(3)
    const teams = (await w.claims()).map(({ metadata }) => metadata.labels?.['team'])
    expect(teams).toEqual(['a', 'a', 'a'])
  })

  test('buffers that are created, changed and deleted in quick succession leave nothing behind', async () => {
    const w = await buffered()
    const name = { name: 'spare', namespace: 'default' }
    for (const replicas of [1, 5, 2, 4]) {
      await w.patch(karpenterKinds.CapacityBuffer, 'spare', { spec: { replicas } })
      await w.pass(SECOND)
    }
    await w.pass(3 * MINUTE)
    expect(await nodes(w)).toBe(4)
    await w.admin.delete(karpenterKinds.CapacityBuffer, name)
    await w.pass(3 * MINUTE)
    expect(await w.claims()).toEqual([])
  })
})
