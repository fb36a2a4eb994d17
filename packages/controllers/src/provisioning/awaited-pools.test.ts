import { karpenterKinds } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { ApiError } from '@kerf/runtime'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { createPendingPods, createPool, createPoolOfType, World } from '../testing/world/index.ts'

let world: World
afterEach(() => world.stop())

/** Makes every patch of the conditions of the pool fail with a conflict, like on a busy API server. */
const contended = (pool: string): void => {
  world.fault = ({ verb, kind, ref }, when) =>
    when === 'before' && verb === 'patch' && kind?.kind === 'NodePool' && ref?.name === pool
      ? new ApiError({ code: 409, reason: 'Conflict', message: 'the object has been modified' })
      : undefined
}

/**
 * Creates pods and two pools with one instance type each. The first pool is preferred, and its conditions cannot be written
 * yet.
 */
const start = async (): Promise<void> => {
  world = await World.create()
  contended('preferred')
  await createPendingPods(world, 3, { requests: { cpu: '500m' } })
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['s-4x-amd64-linux'] },
  ]
  const template = { spec: { nodeClassRef, expireAfter: 'Never', requirements } }
  await createPool(world, 'preferred', { weight: 50, template })
  await createPool(world, 'other', { template })
}

const claimPools = async (): Promise<readonly (string | undefined)[]> =>
  (await world.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])
const passes = (): number => world.log.lines.filter(({ message }) => message === 'found provisionable pod(s)').length
const waits = (): readonly unknown[] =>
  world.log.lines.filter(({ message }) => message.startsWith('waiting for nodepool(s)')).map(({ fields }) => fields)

test('a pass waits until the readiness of a new NodePool is known, and launches from the preferred pool', async () => {
  await start()
  await world.pass(3_000)
  expect(passes()).toBe(0)
  expect(await claimPools()).toEqual([])
  world.fault = undefined
  await world.pass(5_000)
  expect(await claimPools()).toEqual(['preferred'])
  expect(passes()).toBe(1)
  expect(world.messages('FailedScheduling')).toEqual([])
  expect(waits()).toEqual([expect.objectContaining({ NodePools: 'preferred' })])
})

test('pods that only the new NodePool can serve are not refused while its readiness is unknown', async () => {
  world = await World.create()
  contended('special')
  await createPendingPods(world, 1, { spec: { nodeSelector: { team: 'a' } } })
  await createPoolOfType(world, 's-4x-amd64-linux')
  const template = { metadata: { labels: { team: 'a' } }, spec: { nodeClassRef, requirements: [] } }
  await createPool(world, 'special', { template })
  await world.pass(5_000)
  world.fault = undefined
  await world.pass(5_000)
  expect(world.kerf.decisions.all.map(({ kind }) => kind)).toEqual(['launch'])
  expect(await claimPools()).toEqual(['special'])
})

test('a NodePool whose readiness stays unknown delays pods for ten seconds, and only once', async () => {
  await start()
  await world.pass(10_500)
  expect(await claimPools()).toEqual([])
  await world.pass(2_000)
  expect(await claimPools()).toEqual(['other'])
  await createPendingPods(world, 1, { requests: { cpu: '3' } }, 'late')
  await world.pass(2_000)
  expect(await claimPools()).toEqual(['other', 'other'])
})

test('a NodePool that is known not to be ready delays no pods', async () => {
  world = await World.create()
  await createPendingPods(world, 1)
  await createPoolOfType(world, 's-4x-amd64-linux')
  const missing = { ...nodeClassRef, name: 'missing' }
  await createPool(world, 'broken', { template: { spec: { nodeClassRef: missing, requirements: [] } } })
  await world.pass(1_500)
  expect(await claimPools()).toEqual(['general'])
  expect(waits()).toEqual([])
})

test('a pass waits for a NodePool whose NodeClass has no conditions yet, until the NodePool is deleted', async () => {
  world = await World.create()
  await createPendingPods(world, 1)
  await createPoolOfType(world, 's-4x-amd64-linux')
  const unreported = { ...nodeClassRef, name: 'unreported' }
  await world.put(kwokNodeClassKind, kwokNodeClass('unreported'))
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'Waiting', message: '', lastTransitionTime }]
  await world.admin.patch(
    kwokNodeClassKind,
    { name: 'unreported' },
    { type: 'merge', body: { status: { conditions } } },
    { subresource: 'status' },
  )
  await createPool(world, 'new', { template: { spec: { nodeClassRef: unreported, requirements: [] } } })
  await world.pass(3_000)
  expect(await claimPools()).toEqual([])
  await world.admin.delete(karpenterKinds.NodePool, { name: 'new' })
  await world.pass(2_000)
  expect(await claimPools()).toEqual(['general'])
})
