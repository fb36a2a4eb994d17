import { finalizers, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { node as buildNode } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { bareNode } from '../../testing/bare-node.ts'
import { minutes, withNode } from '../../testing/leaving-node.ts'
import {
  alteredProvider,
  apiError,
  createClaim,
  createInstantPodOn,
  lifecycleWorld,
} from '../../testing/world/index.ts'

describe('a claim is deleted', () => {
  test('its node is deleted and drained first', async () => {
    const { world, name } = await withNode()
    await createInstantPodOn(world, 'web', name)
    await world.pass(500)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(500)
    expect((await world.node()).metadata.deletionTimestamp).toBeDefined()
    await world.pass(15_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.podNames()).toEqual([])
  })

  test('after its Node was opened and before the claim shows it: its pods are drained first', async () => {
    const left: string[][] = []
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, {
          delete: async (claim: NodeClaim, signal: AbortSignal) => {
            left.push([...(await world.podNames())])
            await kwok.delete(claim, signal)
          },
        }),
    })
    const isOpened = (): boolean =>
      world.api.list(kinds.Node, {}).items.some(({ metadata }) => metadata.labels?.[labels.registered] !== undefined)
    world.fault = (_, when) => (when === 'after' && isOpened() ? 'crash' : undefined)
    await createClaim(world)
    await world.pass(3_000)
    world.fault = undefined
    expect(await world.condition('Registered')).not.toMatch(/^True/)
    await createInstantPodOn(world, 'web', (await world.node()).metadata.name)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    world.start()
    await world.pass(20_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.nodes()).toEqual([])
    expect(left.length).toBeGreaterThan(0)
    expect(left.flat()).toEqual([])
  })

  test('that never launched loses its finalizer, without a call to the provider', async () => {
    const deleted: string[] = []
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, {
          create: () => Promise.reject(new Error('never')),
          delete: async (claim: NodeClaim) => void deleted.push(claim.metadata.name),
        }),
    })
    // A Node without a provider ID belongs to no claim, whatever labels it has.
    await world.admin.create(kinds.Node, buildNode('stranger', { labels: { [labels.registered]: 'true' } }))
    await createClaim(world)
    await world.pass(1_000)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(1_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(deleted).toEqual([])
    expect((await world.nodes()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
  })

  test('that never registered leaves its Nodes to their creator', async () => {
    const world = await lifecycleWorld({
      registrationDelay: '1h',
      provider: (kwok) =>
        alteredProvider(kwok, { delete: () => Promise.reject(new NodeClaimNotFoundError('it is gone')) }),
    })
    await createClaim(world)
    await world.pass(1_000)
    world.fault = (call) => (call.kind?.kind === 'Node' && call.verb === 'patch' ? apiError(500) : undefined)
    for (const name of ['one', 'two']) await bareNode(world, name)
    await world.pass(90_000)
    world.fault = undefined
    await world.pass(1_000)
    expect(await world.condition('Registered')).toBe('False MultipleNodesFound')
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(10_000)
    expect(await world.readClaim()).toBeUndefined()
    expect((await world.nodes()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined, undefined])
  })

  test('keeps its finalizer while the provider fails to terminate the instance', async () => {
    let attempts = 0
    const world = await lifecycleWorld({
      registrationDelay: '1h',
      provider: (kwok) =>
        alteredProvider(kwok, {
          delete: async (claim: NodeClaim, signal: AbortSignal) => {
            attempts++
            if (attempts <= 3) throw new Error('the cloud is down')
            await kwok.delete(claim, signal)
          },
        }),
    })
    await createClaim(world)
    await world.pass(1_000)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    for (let step = 0; step < 600 && attempts <= 3; step++) {
      expect((await world.readClaim())?.metadata.finalizers).toEqual([finalizers.termination])
      await world.pass(100)
    }
    expect(attempts).toBeGreaterThan(3)
    await world.pass(10_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(world.log.messages('error')).toContain('Reconciler error')
  })

  test('before its node appears, no node is left behind', async () => {
    const world = await lifecycleWorld({ registrationDelay: '30s' })
    await createClaim(world)
    await world.pass(5_000)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(1_000)
    expect(await world.readClaim()).toBeUndefined()
    await world.pass(minutes(5))
    expect(await world.nodes()).toEqual([])
  })

  test('several nodes with its provider ID are all deleted and waited for', async () => {
    const { world, node } = await withNode()
    const { metadata, spec } = node
    await world.admin.create(
      kinds.Node,
      buildNode('twin', {
        labels: { ...metadata.labels },
        providerID: spec.providerID ?? '',
        metadata: { finalizers: ['example.com/mine'] },
      }),
    )
    await world.pass(500)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(20_000)
    expect((await world.nodes()).map((each) => each.metadata.name)).toEqual(['twin'])
    expect(await world.readClaim()).toBeDefined()
    await world.patch(kinds.Node, await world.node(), { metadata: { finalizers: null } })
    await world.pass(10_000)
    expect(await world.readClaim()).toBeUndefined()
  })

  test('with another kind of node class is ignored', async () => {
    const world = await lifecycleWorld()
    const foreign = await createClaim(world, 'a', {
      metadata: { finalizers: [finalizers.termination] },
      spec: { nodeClassRef: { group: 'other.sh', kind: 'OtherNodeClass', name: 'x' } },
    })
    await world.delete(karpenterKinds.NodeClaim, foreign)
    await world.pass(10_000)
    expect(await world.readClaim()).toBeDefined()
  })

  test('the termination mode and the conditions survive API errors of every kind', async () => {
    const { world, node, name } = await withNode({ kwok: { instanceTerminationDelay: 2_000 } })
    await createInstantPodOn(world, 'web', name)
    await world.pass(500)
    const codes = [409, 429, 500, 503]
    let count = 0
    world.fault = (call, when) => {
      if (when !== 'before' || call.verb === 'watch' || call.verb === 'list') return undefined
      count++
      return count % 3 === 0 ? apiError(codes[count % codes.length] ?? 500) : undefined
    }
    await world.delete(kinds.Node, node)
    await world.pass(minutes(3))
    world.fault = undefined
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodes_terminated_total')).toBe(1)
  })
})
