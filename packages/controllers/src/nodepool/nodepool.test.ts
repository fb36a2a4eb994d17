import { annotations, findCondition, karpenterKinds, kinds, labels, nodePoolHash, toQuantity } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPendingPods, createPool, Harness } from '../testing/harness/index.ts'

let harness: Harness
beforeEach(async () => {
  harness = await Harness.create()
})
afterEach(() => harness.stop())

const condition = async (type: string, pool = 'general') => findCondition(await harness.readPool(pool), type)
const patchClass = (status: object) =>
  harness.admin.patch(
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
  test('is that of the NodeClass', async () => {
    await createPool(harness)
    expect(await condition('NodeClassReady')).toMatchObject({ status: 'True', reason: 'NodeClassReady' })
    expect(await condition('Ready')).toMatchObject({ status: 'True' })
    await patchClass(ready('False'))
    await harness.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ status: 'False', reason: 'Because', message: 'told so' })
    expect(await condition('Ready')).toMatchObject({
      status: 'False',
      reason: 'UnhealthyDependents',
      message: 'NodeClassReady=False',
    })
    await patchClass(ready('Unknown'))
    await harness.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ reason: 'NodeClassReadinessUnknown' })
    await patchClass({ conditions: null })
    await harness.pass(100)
    expect((await condition('NodeClassReady'))?.status).toBe('False')
  })

  test('reports that the class is missing or being deleted, and that it exists again', async () => {
    await harness.admin.delete(kwokNodeClassKind, { name: 'default' })
    await createPool(harness)
    expect(await condition('NodeClassReady')).toMatchObject({
      status: 'False',
      reason: 'NodeClassNotFound',
      message: 'NodeClass not found on cluster',
    })
    await harness.put(kwokNodeClassKind, kwokNodeClass('default', { metadata: { finalizers: ['example.com/wait'] } }))
    await harness.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ status: 'True' })
    await harness.admin.delete(kwokNodeClassKind, { name: 'default' })
    await harness.pass(100)
    expect(await condition('NodeClassReady')).toMatchObject({ reason: 'NodeClassTerminating' })
  })

  test('ignores pools of other providers, with one line in the log', async () => {
    const foreign = { group: 'cloud.example.com', kind: 'OtherNodeClass', name: 'default' }
    await createPool(harness, 'theirs', { template: { spec: { requirements: [], nodeClassRef: foreign } } })
    await harness.pass(10_000)
    const pool = await harness.readPool('theirs')
    expect(pool.status?.conditions ?? []).toEqual([])
    expect(pool.metadata.annotations ?? {}).toEqual({})
    const reported = harness.log.lines.filter(({ message }) => message.includes('OtherNodeClass.cloud.example.com'))
    expect(reported).toHaveLength(1)
    expect(reported[0]?.message).toContain('serves KWOKNodeClass.karpenter.kwok.sh')
  })
})

describe('validation', () => {
  test('reports all errors, and reports when they are corrected', async () => {
    const requirements = [{ key: labels.capacityType, operator: 'In', values: ['spto'] }] as const
    await createPool(harness, 'general', { template: { spec: { requirements, nodeClassRef } } })
    expect(await condition('ValidationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'NodePoolValidationFailed',
    })
    expect((await condition('ValidationSucceeded'))?.message).toContain('spto')
    expect(await condition('Ready')).toMatchObject({ status: 'False' })
    await harness.admin.patch(
      karpenterKinds.NodePool,
      { name: 'general' },
      { type: 'merge', body: { spec: { template: { spec: { requirements: [] } } } } },
    )
    await harness.pass(100)
    expect(await condition('ValidationSucceeded')).toMatchObject({ status: 'True' })
  })

  test.each([
    [['spto', 'on-demnad'], 'False'],
    [['spto', 'spot'], 'True'],
    [['spot', 'on-demand', 'reserved'], 'True'],
  ])('accepts capacity types %j if one of them exists: %s', async (values, status) => {
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values }]
    await createPool(harness, 'general', { template: { spec: { requirements, nodeClassRef } } })
    expect(await condition('ValidationSucceeded')).toMatchObject({ status })
  })
})

describe('hash', () => {
  const storedHash = async (): Promise<string | undefined> =>
    (await harness.readPool()).metadata.annotations?.[annotations.nodePoolHash]

  test('changes with fields that affect the nodes, but not with fields that affect only their management', async () => {
    await createPool(harness)
    const before = await storedHash()
    expect(before).toBe(nodePoolHash(await harness.readPool()))
    const patch = (spec: object) =>
      harness.admin.patch(karpenterKinds.NodePool, { name: 'general' }, { type: 'merge', body: { spec } })
    await patch({ weight: 10, limits: { cpu: '5' } })
    await harness.pass(100)
    expect(await storedHash()).toBe(before)
    await patch({ template: { metadata: { labels: { team: 'a' } } } })
    await harness.pass(100)
    expect(await storedHash()).not.toBe(before)
  })
})

describe('registration health and counter', () => {
  test('health is Unknown at first, True after a registration, and Unknown again after an edit', async () => {
    await createPool(harness)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'AwaitingReconciliation',
    })
    expect((await harness.readPool()).status?.nodeClassObservedGeneration).toBe(1)
    await createPendingPods(harness, 1)
    await harness.pass(10_000)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'True' })
    harness.restart()
    await harness.pass(5_000)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'True' })
    await harness.admin.patch(
      karpenterKinds.NodePool,
      { name: 'general' },
      { type: 'merge', body: { spec: { weight: 3 } } },
    )
    await harness.pass(100)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'Unknown' })
  })

  test('health is Unknown again after an edit of the NodeClass', async () => {
    await createPool(harness)
    await createPendingPods(harness, 1)
    await harness.pass(10_000)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'True' })
    const body = { spec: { nodeRegistrationDelay: '1s' } }
    await harness.admin.patch(kwokNodeClassKind, { name: 'default' }, { type: 'merge', body })
    await harness.pass(100)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'Unknown' })
    expect((await harness.readPool()).status?.nodeClassObservedGeneration).toBe(2)
  })

  test('after a restart, one registration does not make an unhealthy pool healthy', async () => {
    await createPool(harness)
    const conditions = ((await harness.readPool()).status?.conditions ?? []).map((each) =>
      each.type === 'NodeRegistrationHealthy' ? { ...each, status: 'False', reason: 'RegistrationFailed' } : each,
    )
    const patch = { type: 'merge', body: { status: { conditions } } } as const
    await harness.admin.patch(karpenterKinds.NodePool, { name: 'general' }, patch, { subresource: 'status' })
    harness.restart()
    await harness.pass(5_000)
    await createPendingPods(harness, 1)
    await harness.pass(10_000)
    expect(await harness.claims()).toHaveLength(1)
    expect(await condition('NodeRegistrationHealthy')).toMatchObject({ status: 'False', reason: 'RegistrationFailed' })
  })

  test('an empty pool has zeros, and nodes count until they are being removed', async () => {
    await createPool(harness)
    await harness.pass(6_000)
    expect((await harness.readPool()).status).toMatchObject({
      nodes: 0,
      resources: { cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' },
    })
    await createPendingPods(harness, 1)
    await harness.pass(12_000)
    const status = (await harness.readPool()).status
    expect(status?.nodes).toBe(1)
    expect(status?.resources?.['nodes']).toBe('1')
    expect(status?.resources?.['cpu']).not.toBe('0')
    const [claim] = await harness.claims()
    harness.kerf.state.markForDeletion(claim?.status?.providerID ?? '')
    await harness.pass(6_000)
    expect((await harness.readPool()).status?.nodes).toBe(0)
    expect((await harness.admin.list(kinds.Node)).items).toHaveLength(1)
  })

  test('a count of a thousand nodes is stored as 1k, and is not written again', async () => {
    await createPool(harness)
    Object.assign(harness.kerf.state, { poolUsage: () => ({ nodes: toQuantity(1_000) }) })
    await harness.pass(6_000)
    const counted = await harness.readPool()
    expect(counted.status).toMatchObject({ nodes: 1_000, resources: { nodes: '1k' } })
    await harness.pass(60_000)
    expect((await harness.readPool()).metadata.resourceVersion).toBe(counted.metadata.resourceVersion)
  })
})
