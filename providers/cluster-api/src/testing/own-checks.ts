import { karpenterKinds } from '@kerf/apis'
import { isInsufficientCapacity } from '@kerf/provider-contract'
import type { Checks, ConformanceHarness } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { readMachine } from '../objects/machine.ts'
import { simulatedKinds } from './simulator/definitions.ts'
import { NAMESPACE, newTemplate } from './simulator/management-objects.ts'

const never = new AbortController().signal
const played = simulatedKinds('v1beta2')

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}

const stored = (harness: ConformanceHarness, name = 'a') => harness.client.get(karpenterKinds.NodeClaim, { name })
const types = (harness: ConformanceHarness) => harness.provider.instanceTypes(harness.pool(), never)

/** Returns the Machines of all MachineDeployments with their bindings. */
const bound = async (harness: ConformanceHarness) =>
  (await harness.client.list(played.Machine)).items
    .map((item) => readMachine(item))
    .filter(({ deploymentName }) => deploymentName !== undefined)
    .map(({ name, annotations, isMember }) => ({
      name,
      isMember,
      uid: annotations[clusterApiAnnotations.nodeClaimUid],
    }))

/** Checks that this package implements, including those whose rule it documents differently. */
export const ownChecks: Checks = {
  // A Machine that fails after it was bound, in the form of releases before v1beta2.
  C24: async (harness) => {
    const claim = await harness.claim('a')
    const attempt = failureOf(harness.provider.create(claim, never))
    const fail = async (): Promise<void> => {
      for (const { metadata } of (await harness.client.list(played.Machine)).items) {
        if (metadata.annotations?.[clusterApiAnnotations.nodeClaimUid] === undefined) continue
        const ref = { namespace: metadata.namespace ?? '', name: metadata.name }
        const body = { status: { phase: 'Failed' } }
        await harness.client.patch(played.Machine, ref, { type: 'merge', body }, { subresource: 'status' })
      }
    }
    harness.clock.timer(3_500, () => void fail())
    expect(isInsufficientCapacity(await attempt)).toBe(true)
    const unavailable = (await types(harness)).flatMap(({ offerings }) =>
      offerings.filter(({ available }) => !available),
    )
    expect(unavailable).toHaveLength(1)
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(300_000)
    expect(await harness.cloud.instances()).toEqual([])
  },
  // Two other Machines already exist. One of them belongs to the chosen MachineDeployment, and another user requested it.
  C28: async (harness) => {
    const other = { namespace: NAMESPACE, name: 'small-zone-a-spot' }
    await harness.client.patch(played.MachineDeployment, other, { type: 'merge', body: { spec: { replicas: 2 } } })
    await harness.clock.advance(10_000)
    const before = await bound(harness)
    const claims = await Promise.all(['a', 'b'].map((name) => harness.claim(name)))
    await Promise.all(claims.map((claim) => harness.provider.create(claim, never)))
    const uids = claims.map(({ metadata }) => metadata.uid ?? '')
    const after = await bound(harness)
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
  L02: async (harness) => {
    const claim = await harness.claim('a')
    const { providerID } = await harness.provider.create(claim, never)
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(200)
    expect((await harness.provider.list(never)).map((view) => [view.providerID, view.nodeClaimUid])).toEqual([
      [providerID, claim.metadata.uid],
    ])
  },
  // For a while, the provider answers from cached objects. After that, it cannot know which Machines exist.
  L03: async (harness) => {
    await harness.provider.create(await harness.claim('a'), never)
    harness.cloud.fail('list', 'network')
    await harness.clock.advance(180_000)
    expect(String(await failureOf(harness.provider.list(never)))).toContain('NotKnownYetError')
    harness.cloud.recover()
    await harness.clock.advance(60_000)
    expect(await harness.provider.list(never)).toHaveLength(1)
  },
  // The maximum size is a property of the MachineDeployment, so a restart changes nothing.
  T05: async (harness) => {
    const first = await types(harness)
    const copy = structuredClone(first)
    harness.cloud.stockOut({})
    await harness.provider.create(await harness.claim('a'), never).catch(() => {})
    expect(await types(harness)).not.toEqual(copy)
    expect(first).toEqual(copy)
    harness.cloud.restock()
    await harness.clock.advance(500)
    harness.restart()
    expect(await types(harness)).toEqual(copy)
  },
  // A changed template is drift. A change that Cluster API makes in place is not.
  H04: async (harness) => {
    const claim = await harness.claim('a')
    await harness.provider.create(claim, never)
    const [machine] = (await harness.client.list(played.Machine)).items.filter(
      ({ metadata }) => metadata.annotations?.[clusterApiAnnotations.nodeClaimUid] !== undefined,
    )
    const name = machine?.metadata.labels?.[clusterApiLabels.deploymentName] ?? ''
    const edit = async (body: object): Promise<void> => {
      await harness.client.patch(played.MachineDeployment, { namespace: NAMESPACE, name }, { type: 'merge', body })
      await harness.clock.advance(10_000)
    }
    await edit({ spec: { template: { metadata: { labels: { 'node.cluster.x-k8s.io/tier': 'web' } } } } })
    expect(await harness.provider.isDrifted(await stored(harness), never)).toBeUndefined()
    await edit(newTemplate(played, 'other'))
    expect(await harness.provider.isDrifted(await stored(harness), never)).toBe('MachineTemplateDrift')
  },
  H07: async (harness) => {
    await harness.provider.create(await harness.claim('a'), never)
    const claim = await stored(harness)
    harness.cloud.fail('list', 'network')
    await harness.clock.advance(180_000)
    expect(String(await failureOf(harness.provider.isDrifted(claim, never)))).toContain('NotKnownYetError')
  },
  // The NodeClaim's Machine is created before the API fails. Otherwise there would be nothing to collect.
  B04: async (harness) => {
    const leaked = await harness.cloud.plantLeaked(0)
    harness.cloud.fail('list', 'serverError')
    harness.cloud.fail('describe', 'serverError')
    await harness.clock.advance(600_000)
    const left = await harness.cloud.instances()
    expect(left.map(({ providerID, state }) => [providerID, state])).toEqual([[leaked, 'running']])
    harness.cloud.recover()
    await harness.clock.advance(300_000)
    expect(await harness.cloud.instances()).toEqual([])
  },
}
