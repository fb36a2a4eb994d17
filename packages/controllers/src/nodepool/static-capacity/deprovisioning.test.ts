import { annotations, karpenterKinds, kinds, labels, type Pod } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { bindPod, createPendingPod, createPool, Harness, makeNodesReady } from '../../testing/harness/index.ts'

let harness: Harness
beforeEach(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
  harness = await Harness.create({ settings: { featureGates } })
})
afterEach(() => harness.stop())

const requirements = [{ key: labels.instanceType, operator: 'In', values: ['s-4x-amd64-linux'] }] as const
const pool = (replicas: number) =>
  createPool(harness, 'still', { replicas, template: { spec: { requirements, nodeClassRef, expireAfter: 'Never' } } })
const scale = async (replicas: number): Promise<void> => {
  const patch = { type: 'merge', body: { spec: { replicas } } } as const
  await harness.admin.patch(karpenterKinds.NodePool, { name: 'still' }, patch, { subresource: 'scale' })
  await harness.pass(10_000)
}

/** Creates a static pool with `replicas` ready nodes. Returns the names of the nodes. */
const readyNodes = async (replicas: number): Promise<readonly string[]> => {
  await pool(replicas)
  await harness.pass(10_000)
  await makeNodesReady(harness)
  const names = (await harness.admin.list(kinds.Node)).items.map(({ metadata }) => metadata.name ?? '')
  expect(names).toHaveLength(replicas)
  return names
}
const put = async (name: string, on: string, metadata: Partial<Pod['metadata']> = {}): Promise<void> => {
  await bindPod(harness, await createPendingPod(harness, name, { metadata }), on)
  const patch = { type: 'merge', body: { status: { phase: 'Running', conditions: [] } } } as const
  await harness.admin.patch(kinds.Pod, { name, namespace: 'default' }, patch, { subresource: 'status' })
}
const going = async (): Promise<readonly string[]> =>
  (await harness.claims())
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map(({ status }) => status?.nodeName ?? '')

describe('a static pool that is scaled down', () => {
  test('deletes empty nodes first and protected nodes last', async () => {
    const nodes = await readyNodes(5)
    const [busy, cheap, guarded, daemons, empty] = nodes
    if (busy === undefined || cheap === undefined || guarded === undefined) throw new Error('five nodes')
    if (daemons === undefined || empty === undefined) throw new Error('five nodes')
    const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent', controller: true }
    await put('busy-1', busy)
    await put('busy-2', busy)
    // The pod's eviction cost is negative. Even so, nodes with only daemon pods are deleted before its node.
    await put('cheap', cheap, { annotations: { [annotations.podDeletionCost]: '-2147483648' } })
    await put('guarded', guarded, { annotations: { [annotations.doNotDisrupt]: 'true' } })
    await put('agent', daemons, { ownerReferences: [agent] })
    await harness.pass(500)
    const gone = async (): Promise<readonly string[]> => {
      const left = new Set((await harness.claims()).map(({ status }) => status?.nodeName))
      return [...nodes.filter((name) => !left.has(name)), ...(await going())].sort()
    }
    const steps = [
      [daemons, empty],
      [daemons, empty, cheap],
      [daemons, empty, cheap, busy],
    ]
    for (const [index, expected] of steps.entries()) {
      await scale(3 - index)
      expect(await gone()).toEqual(expected.toSorted())
    }
    await scale(0)
    expect(await gone()).toContain(guarded)
  })

  test('deletes claims that were never launched before running nodes', async () => {
    const nodes = await readyNodes(2)
    harness.outages.breakDown('launch', new Error('the cloud is down'))
    await scale(4)
    expect(await harness.claims()).toHaveLength(4)
    await scale(2)
    expect((await harness.claims()).map(({ status }) => status?.nodeName).sort()).toEqual([...nodes].sort())
    expect(await going()).toEqual([])
  })

  test('does not count nodes that are being removed', async () => {
    await readyNodes(4)
    const [first] = await harness.claims()
    const name = first?.metadata.name ?? ''
    const finalizers = [...(first?.metadata.finalizers ?? []), 'example.com/wait']
    await harness.admin.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body: { metadata: { finalizers } } })
    await harness.admin.patch(
      karpenterKinds.NodePool,
      { name: 'still' },
      { type: 'merge', body: { spec: { replicas: 3 } } },
    )
    await harness.admin.delete(karpenterKinds.NodeClaim, { name })
    await harness.pass(130_000)
    const staying = (await harness.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    expect(staying).toHaveLength(3)
  })

  test('tries again if a deletion fails', async () => {
    await readyNodes(2)
    let failures = 3
    harness.fault = (call, when) => {
      if (when !== 'before' || call.verb !== 'delete' || call.kind?.kind !== 'NodeClaim' || failures === 0)
        return undefined
      failures--
      return new ApiError({ code: 500, reason: 'InternalError', message: 'simulated' })
    }
    await scale(1)
    await harness.pass(60_000)
    expect(failures).toBe(0)
    expect(harness.log.messages('error')).toContain('Reconciler error')
    expect(await harness.claims()).toHaveLength(1)
  })
})
