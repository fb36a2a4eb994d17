import { karpenterKinds } from '@kerf/apis'
import { isInsufficientCapacity } from '@kerf/provider-contract'
import type { Checks, ConformanceWorld } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { machineOf } from '../objects/machine.ts'
import { playedKinds } from './player/definitions.ts'
import { NAMESPACE, newTemplate } from './player/management-objects.ts'

const never = new AbortController().signal
const played = playedKinds('v1beta2')

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}

const stored = (world: ConformanceWorld, name = 'a') => world.client.get(karpenterKinds.NodeClaim, { name })
const types = (world: ConformanceWorld) => world.provider.instanceTypes(world.pool(), never)

/** Returns the Machines of all deployments with their bindings. */
const bound = async (world: ConformanceWorld) =>
  (await world.client.list(played.Machine)).items
    .map((item) => machineOf(item))
    .filter(({ deploymentName }) => deploymentName !== undefined)
    .map(({ name, annotations, isMember }) => ({
      name,
      isMember,
      uid: annotations[clusterApiAnnotations.nodeClaimUid],
    }))

/** Checks that this package implements, including those whose rule it documents differently. */
export const ownChecks: Checks = {
  // A Machine that fails after it was bound, in the form of releases before v1beta2.
  C24: async (world) => {
    const claim = await world.claim('a')
    const attempt = failureOf(world.provider.create(claim, never))
    const fail = async (): Promise<void> => {
      for (const { metadata } of (await world.client.list(played.Machine)).items) {
        if (metadata.annotations?.[clusterApiAnnotations.nodeClaimUid] === undefined) continue
        const ref = { namespace: metadata.namespace ?? '', name: metadata.name }
        const body = { status: { phase: 'Failed' } }
        await world.client.patch(played.Machine, ref, { type: 'merge', body }, { subresource: 'status' })
      }
    }
    world.clock.timer(3_500, () => void fail())
    expect(isInsufficientCapacity(await attempt)).toBe(true)
    const unavailable = (await types(world)).flatMap(({ offerings }) => offerings.filter(({ available }) => !available))
    expect(unavailable).toHaveLength(1)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(300_000)
    expect(await world.cloud.instances()).toEqual([])
  },
  // Two other Machines exist before. One of them belongs to the chosen deployment, and another user requested it.
  C28: async (world) => {
    const other = { namespace: NAMESPACE, name: 'small-zone-a-spot' }
    await world.client.patch(played.MachineDeployment, other, { type: 'merge', body: { spec: { replicas: 2 } } })
    await world.clock.advance(10_000)
    const before = await bound(world)
    const claims = await Promise.all(['a', 'b'].map((name) => world.claim(name)))
    await Promise.all(claims.map((claim) => world.provider.create(claim, never)))
    const uids = claims.map(({ metadata }) => metadata.uid ?? '')
    const after = await bound(world)
    expect(before.map(({ uid, isMember }) => [uid, isMember])).toEqual([
      [undefined, false],
      [undefined, false],
    ])
    expect(new Set(after.flatMap(({ uid }) => uid ?? []))).toEqual(new Set(uids))
    expect(after.filter(({ isMember }) => isMember)).toHaveLength(2)
    expect(after.filter(({ uid, isMember }) => uid === undefined && !isMember).map(({ name }) => name)).toEqual(
      before.map(({ name }) => name),
    )
  },
  L02: async (world) => {
    const claim = await world.claim('a')
    const { providerID } = await world.provider.create(claim, never)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(200)
    expect((await world.provider.list(never)).map((view) => [view.providerID, view.nodeClaimUid])).toEqual([
      [providerID, claim.metadata.uid],
    ])
  },
  // Memory answers for a while. After that, it is unknown what is missing.
  L03: async (world) => {
    await world.provider.create(await world.claim('a'), never)
    world.cloud.fail('list', 'network')
    await world.clock.advance(180_000)
    expect(String(await failureOf(world.provider.list(never)))).toContain('NotKnownYetError')
    world.cloud.recover()
    await world.clock.advance(60_000)
    expect(await world.provider.list(never)).toHaveLength(1)
  },
  // The maximum size is a property of the deployment, so a restart changes nothing.
  T05: async (world) => {
    const first = await types(world)
    const copy = structuredClone(first)
    world.cloud.stockOut({})
    await world.provider.create(await world.claim('a'), never).catch(() => {})
    expect(await types(world)).not.toEqual(copy)
    expect(first).toEqual(copy)
    world.cloud.restock()
    await world.clock.advance(500)
    world.restart()
    expect(await types(world)).toEqual(copy)
  },
  // Another template is drift; a change that Cluster API makes in place is not.
  H04: async (world) => {
    const claim = await world.claim('a')
    await world.provider.create(claim, never)
    const [machine] = (await world.client.list(played.Machine)).items.filter(
      ({ metadata }) => metadata.annotations?.[clusterApiAnnotations.nodeClaimUid] !== undefined,
    )
    const name = machine?.metadata.labels?.[clusterApiLabels.deploymentName] ?? ''
    const edit = async (body: object): Promise<void> => {
      await world.client.patch(played.MachineDeployment, { namespace: NAMESPACE, name }, { type: 'merge', body })
      await world.clock.advance(10_000)
    }
    await edit({ spec: { template: { metadata: { labels: { 'node.cluster.x-k8s.io/tier': 'web' } } } } })
    expect(await world.provider.isDrifted(await stored(world), never)).toBeUndefined()
    await edit(newTemplate(played, 'other'))
    expect(await world.provider.isDrifted(await stored(world), never)).toBe('MachineTemplateDrift')
  },
  H07: async (world) => {
    await world.provider.create(await world.claim('a'), never)
    const claim = await stored(world)
    world.cloud.fail('list', 'network')
    await world.clock.advance(180_000)
    expect(String(await failureOf(world.provider.isDrifted(claim, never)))).toContain('NotKnownYetError')
  },
  // Its Machine is created before the API fails, otherwise there would be nothing to collect.
  B04: async (world) => {
    const leaked = await world.cloud.plantLeaked(0)
    world.cloud.fail('list', 'serverError')
    world.cloud.fail('describe', 'serverError')
    await world.clock.advance(600_000)
    const left = await world.cloud.instances()
    expect(left.map(({ providerID, state }) => [providerID, state])).toEqual([[leaked, 'running']])
    world.cloud.recover()
    await world.clock.advance(300_000)
    expect(await world.cloud.instances()).toEqual([])
  },
}
