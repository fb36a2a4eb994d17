import { annotations, findCondition, karpenterKinds, kinds, labels, nodePoolHash, quantityOf } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPendingPods, createPool, World } from '../testing/world/index.ts'

let world: World
beforeEach(async () => {
  world = await World.create()
})
afterEach(() => world.stop())

const condition = async (type: string, pool = 'general') => findCondition(await world.readPool(pool), type)
const patchClass = (status: object) =>
  world.admin.patch(
    kwokNodeClassKind,
    { name: 'default' },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  )
const ready = (status: string) => ({
  conditions: [
    { type: 'Ready', status, reason: 'Because', message: 'told so', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ],
})

describe('readiness', () => {
  test('follows the NodeClass', async () => {
    await createPool(world)
    expect(await condition('NodeClassReady')).toMatchObject({ status: 'True', reason: 'NodeClassReady' })
    expect(await condition('Ready')).toMatchObject({ status: 'True' })
    await patchClass(ready('False'))
    await world.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ status: 'False', reason: 'Because', message: 'told so' })
    expect(await condition('Ready')).toMatchObject({
      status: 'False',
      reason: 'UnhealthyDependents',
      message: 'NodeClassReady=False',
    })
    await patchClass(ready('Unknown'))
    await world.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ reason: 'NodeClassReadinessUnknown' })
    await patchClass({ conditions: null })
    await world.pass(100)
    expect((await condition('NodeClassReady'))?.status).toBe('False')
  })

  test('reports that the class is missing or terminating, and that it is back', async () => {
    await world.admin.delete(kwokNodeClassKind, { name: 'default' })
    await createPool(world)
    expect(await condition('NodeClassReady')).toMatchObject({
      status: 'False',
      reason: 'NodeClassNotFound',
      message: 'NodeClass not found on cluster',
    })
    await world.put(kwokNodeClassKind, kwokNodeClass('default', { metadata: { finalizers: ['example.com/wait'] } }))
    await world.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ status: 'True' })
    await world.admin.delete(kwokNodeClassKind, { name: 'default' })
    await world.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ reason: 'NodeClassTerminating' })
  })

  test('ignores pools of other providers, with one line in the log', async () => {
    const foreign = { group: 'cloud.example.com', kind: 'OtherNodeClass', name: 'default' }
    await createPool(world, 'theirs', { template: { spec: { requirements: [], nodeClassRef: foreign } } })
    await world.pass(10_000)
    const pool = await world.readPool('theirs')
    expect(pool.status?.conditions ?? []).toEqual([])
    expect(pool.metadata.annotations ?? {}).toEqual({})
    const reported = world.log.lines.filter(({ message }) => message.includes('OtherNodeClass.cloud.example.com'))
    expect(reported).toHaveLength(1)
    expect(reported[0]?.message).toContain('serves KWOKNodeClass.karpenter.kwok.sh')
  })
})

describe('validation', () => {
  test('reports all errors, and removes the report', async () => {
    const requirements = [{ key: labels.capacityType, operator: 'In', values: ['spto'] }] as const
    await createPool(world, 'general', { template: { spec: { requirements, nodeClassRef } } })
    expect(await condition('ValidationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'NodePoolValidationFailed',
    })
    expect((await condition('ValidationSucceeded'))?.message).toContain('spto')
    expect(await condition('Ready')).toMatchObject({ status: 'False' })
    await world.admin.patch(
      karpenterKinds.NodePool,
      { name: 'general' },
      { type: 'merge', body: { spec: { template: { spec: { requirements: [] } } } } },
    )
    await world.pass(100)
    expect(await condition('ValidationSucceeded')).toMatchObject({ status: 'True' })
  })

  test.each([
    [['spto', 'on-demnad'], 'False'],
    [['spto', 'spot'], 'True'],
    [['spot', 'on-demand', 'reserved'], 'True'],
  ])('of the capacity types %j one that exists is enough: %s', async (values, status) => {
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values }]
    await createPool(world, 'general', { template: { spec: { requirements, nodeClassRef } } })
    expect(await condition('ValidationSucceeded')).toMatchObject({ status })
  })
})

describe('hash', () => {
  const hashOf = async (): Promise<string | undefined> =>
    (await world.readPool()).metadata.annotations?.[annotations.nodePoolHash]

  test('changes with what every node carries, not with behavior', async () => {
    await createPool(world)
    const before = await hashOf()
    expect(before).toBe(nodePoolHash(await world.readPool()))
    const patch = (spec: object) =>
      world.admin.patch(karpenterKinds.NodePool, { name: 'general' }, { type: 'merge', body: { spec } })
    await patch({ weight: 10, limits: { cpu: '5' } })
    await world.pass(100)
    expect(await hashOf()).toBe(before)
    await patch({ template: { metadata: { labels: { team: 'a' } } } })
    await world.pass(100)
    expect(await hashOf()).not.toBe(before)
  })
})

describe('registration health and counter', () => {
  test('health is Unknown at first, True after a registration, and Unknown again after an edit', async () => {
    await createPool(world)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'AwaitingReconciliation',
    })
    expect((await world.readPool()).status?.nodeClassObservedGeneration).toBe(1)
    await createPendingPods(world, 1)
    await world.pass(10_000)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'True' })
    world.restart()
    await world.pass(5_000)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'True' })
    await world.admin.patch(
      karpenterKinds.NodePool,
      { name: 'general' },
      { type: 'merge', body: { spec: { weight: 3 } } },
    )
    await world.pass(100)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'Unknown' })
  })

  test('health is Unknown again after an edit of the class', async () => {
    await createPool(world)
    await createPendingPods(world, 1)
    await world.pass(10_000)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'True' })
    const body = { spec: { nodeRegistrationDelay: '1s' } }
    await world.admin.patch(kwokNodeClassKind, { name: 'default' }, { type: 'merge', body })
    await world.pass(100)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'Unknown' })
    expect((await world.readPool()).status?.nodeClassObservedGeneration).toBe(2)
  })

  test('a pool that was unhealthy before a restart does not become healthy after one registration', async () => {
    await createPool(world)
    const conditions = ((await world.readPool()).status?.conditions ?? []).map((each) =>
      each.type === 'NodeRegistrationHealthy' ? { ...each, status: 'False', reason: 'RegistrationFailed' } : each,
    )
    const patch = { type: 'merge', body: { status: { conditions } } } as const
    await world.admin.patch(karpenterKinds.NodePool, { name: 'general' }, patch, { subresource: 'status' })
    world.restart()
    await world.pass(5_000)
    await createPendingPods(world, 1)
    await world.pass(10_000)
    expect(await world.claims()).toHaveLength(1)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'False', reason: 'RegistrationFailed' })
  })

  test('an empty pool has zeros; nodes count until they are leaving', async () => {
    await createPool(world)
    await world.pass(6_000)
    expect((await world.readPool()).status).toMatchObject({
      nodes: 0,
      resources: { cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' },
    })
    await createPendingPods(world, 1)
    await world.pass(12_000)
    const status = (await world.readPool()).status
    expect(status?.nodes).toBe(1)
    expect(status?.resources?.['nodes']).toBe('1')
    expect(status?.resources?.['cpu']).not.toBe('0')
    const [claim] = await world.claims()
    world.kerf.state.markForDeletion(claim?.status?.providerID ?? '')
    await world.pass(6_000)
    expect((await world.readPool()).status?.nodes).toBe(0)
    expect((await world.admin.list(kinds.Node)).items).toHaveLength(1)
  })

  test('a thousand nodes are counted, and written once: the quantity is 1k', async () => {
    await createPool(world)
    Object.assign(world.kerf.state, { poolUsage: () => ({ nodes: quantityOf(1_000) }) })
    await world.pass(6_000)
    const counted = await world.readPool()
    expect(counted.status).toMatchObject({ nodes: 1_000, resources: { nodes: '1k' } })
    await world.pass(60_000)
    expect((await world.readPool()).metadata.resourceVersion).toBe(counted.metadata.resourceVersion)
  })
})
