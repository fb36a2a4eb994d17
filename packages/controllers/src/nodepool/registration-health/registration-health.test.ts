import { findCondition, karpenterKinds, type NodeClaim, type NodePool } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { nodeClaim, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { RegistrationHealth } from './registration-health.ts'
import { RegistrationOutcomes } from './registration-outcomes.ts'

const signal = new AbortController().signal
const { NodePool: POOLS } = karpenterKinds

/** Creates an API server with one NodePool. The informer has the first version of the NodePool and gets no updates. */
const lagging = async () => {
  const clock = new VirtualClock()
  const { client } = new SandboxCluster({ clock, random: new SeededRandom(1), kubelet: false, scheduler: false })
  await installCustomResources(client, [])
  const { apiVersion, kind, spec } = nodePool('default')
  const seen = await client.create(POOLS, { apiVersion, kind, metadata: { name: 'default' }, spec })
  const informers = new ManualInformers()
  informers.put(POOLS, seen)
  const health = new RegistrationHealth({ client, informers, clock }, new RegistrationOutcomes())
  const claim = nodeClaim('a')
  const owner = { apiVersion, kind, name: 'default', uid: seen.metadata.uid ?? '' }
  const owned: NodeClaim = { ...claim, metadata: { ...claim.metadata, ownerReferences: [owner] } }
  const stored = (): Promise<NodePool> => client.get(POOLS, { name: 'default' })
  return { client, seen, health, claim: owned, stored }
}

const readiness = (pool: NodePool): string | undefined => findCondition(pool, 'NodeRegistrationHealthy')?.status

test('if the NodePool has changed, it is read again, so that registration does not wait for a lagging watch', async () => {
  const { client, health, claim, stored } = await lagging()
  const body = { status: { nodes: 7 } }
  await client.patch(POOLS, { name: 'default' }, { type: 'merge', body }, { subresource: 'status' })
  await health.succeeded(claim, signal)
  expect(readiness(await stored())).toBe('True')
  expect((await stored()).status?.nodes).toBe(7)
})

test('a NodePool that was deleted, or deleted and created again, is not written', async () => {
  const { client, seen, health, claim, stored } = await lagging()
  await client.delete(POOLS, { name: 'default' })
  await health.succeeded(claim, signal)
  const { apiVersion, kind, spec } = seen
  await client.create(POOLS, { apiVersion, kind, metadata: { name: 'default' }, spec })
  await health.succeeded(claim, signal)
  expect(readiness(await stored())).toBeUndefined()
})
