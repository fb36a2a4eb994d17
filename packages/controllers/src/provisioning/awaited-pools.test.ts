import { karpenterKinds } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { ApiError } from '@kerf/runtime'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { createPendingPods, createPool, createPoolOfType, Harness } from '../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

/** Makes every patch of the pool's conditions fail with a conflict, as on a busy API server. */
const contended = (pool: string): void => {
  harness.fault = ({ verb, kind, ref }, when) =>
    when === 'before' && verb === 'patch' && kind?.kind === 'NodePool' && ref?.name === pool
      ? new ApiError({ code: 409, reason: 'Conflict', message: 'the object has been modified' })
      : undefined
}

/**
 * Creates pods, and two pools with one instance type each. The first pool is preferred, but its conditions cannot be written yet.
 */
const start = async (): Promise<void> => {
  harness = await Harness.create()
  contended('preferred')
  await createPendingPods(harness, 3, { requests: { cpu: '500m' } })
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['s-4x-amd64-linux'] },
  ]
  const template = { spec: { nodeClassRef, expireAfter: 'Never', requirements } }
  await createPool(harness, 'preferred', { weight: 50, template })
  await createPool(harness, 'other', { template })
}

const claimPools = async (): Promise<readonly (string | undefined)[]> =>
  (await harness.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])
const passes = (): number => harness.log.lines.filter(({ message }) => message === 'found provisionable pod(s)').length
const waits = (): readonly unknown[] =>
  harness.log.lines.filter(({ message }) => message.startsWith('waiting for nodepool(s)')).map(({ fields }) => fields)

test('a pass waits until the readiness of a new NodePool is known, and launches from the preferred pool', async () => {
  await start()
  await harness.pass(3_000)
  expect(passes()).toBe(0)
  expect(await claimPools()).toEqual([])
  harness.fault = undefined
  await harness.pass(5_000)
  expect(await claimPools()).toEqual(['preferred'])
  expect(passes()).toBe(1)
  expect(harness.messages('FailedScheduling')).toEqual([])
  expect(waits()).toEqual([expect.objectContaining({ NodePools: 'preferred' })])
})

test('pods that only the new NodePool can serve are not reported as unschedulable while its readiness is unknown', async () => {
  harness = await Harness.create()
  contended('special')
  await createPendingPods(harness, 1, { spec: { nodeSelector: { team: 'a' } } })
  await createPoolOfType(harness, 's-4x-amd64-linux')
  const template = { metadata: { labels: { team: 'a' } }, spec: { nodeClassRef, requirements: [] } }
  await createPool(harness, 'special', { template })
  await harness.pass(5_000)
  harness.fault = undefined
  await harness.pass(5_000)
  expect(harness.kerf.decisions.all.map(({ kind }) => kind)).toEqual(['launch'])
  expect(await claimPools()).toEqual(['special'])
})

test('a NodePool whose readiness stays unknown delays pods for ten seconds, and only once', async () => {
  await start()
  await harness.pass(10_500)
  expect(await claimPools()).toEqual([])
  await harness.pass(2_000)
  expect(await claimPools()).toEqual(['other'])
  await createPendingPods(harness, 1, { requests: { cpu: '3' } }, 'late')
  await harness.pass(2_000)
  expect(await claimPools()).toEqual(['other', 'other'])
})

test('a NodePool that is known not to be ready does not delay pods', async () => {
  harness = await Harness.create()
  await createPendingPods(harness, 1)
  await createPoolOfType(harness, 's-4x-amd64-linux')
  const missing = { ...nodeClassRef, name: 'missing' }
  await createPool(harness, 'broken', { template: { spec: { nodeClassRef: missing, requirements: [] } } })
  await harness.pass(1_500)
  expect(await claimPools()).toEqual(['general'])
  expect(waits()).toEqual([])
})

test('a pass waits for a NodePool whose NodeClass has no conditions yet, until the NodePool is deleted', async () => {
  harness = await Harness.create()
  await createPendingPods(harness, 1)
  await createPoolOfType(harness, 's-4x-amd64-linux')
  const unreported = { ...nodeClassRef, name: 'unreported' }
  await harness.put(kwokNodeClassKind, kwokNodeClass('unreported'))
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'Waiting', message: '', lastTransitionTime }]
  await harness.admin.patch(
    kwokNodeClassKind,
    { name: 'unreported' },
    { type: 'merge', body: { status: { conditions } } },
    { subresource: 'status' },
  )
  await createPool(harness, 'new', { template: { spec: { nodeClassRef: unreported, requirements: [] } } })
  await harness.pass(3_000)
  expect(await claimPools()).toEqual([])
  await harness.admin.delete(karpenterKinds.NodePool, { name: 'new' })
  await harness.pass(2_000)
  expect(await claimPools()).toEqual(['general'])
})
