import { finalizers, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { node as buildNode } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { bareNode } from '../../testing/bare-node.ts'
import {
  alteredProvider,
  apiError,
  createClaim,
  createInstantPodOn,
  lifecycleHarness,
} from '../../testing/harness/index.ts'
import { minutes, withNode } from '../../testing/leaving-node.ts'

describe('a claim is deleted', () => {
  test('and its node is deleted and drained first', async () => {
    const { harness, name } = await withNode()
    await createInstantPodOn(harness, 'web', name)
    await harness.pass(500)
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    await harness.pass(500)
    expect((await harness.node()).metadata.deletionTimestamp).toBeDefined()
    await harness.pass(15_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.podNames()).toEqual([])
  })

  test('after pods could run on its Node and before the claim shows that: its pods are drained first', async () => {
    const left: string[][] = []
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, {
          delete: async (claim: NodeClaim, signal: AbortSignal) => {
            left.push([...(await harness.podNames())])
            await kwok.delete(claim, signal)
          },
        }),
    })
    const isOpened = (): boolean =>
      harness.api.list(kinds.Node, {}).items.some(({ metadata }) => metadata.labels?.[labels.registered] !== undefined)
    harness.fault = (_, when) => (when === 'after' && isOpened() ? 'crash' : undefined)
    await createClaim(harness)
    await harness.pass(3_000)
    harness.fault = undefined
    expect(await harness.condition('Registered')).not.toMatch(/^True/)
    await createInstantPodOn(harness, 'web', (await harness.node()).metadata.name)
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    harness.start()
    await harness.pass(20_000)
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.nodes()).toEqual([])
    expect(left.length).toBeGreaterThan(0)
    expect(left.flat()).toEqual([])
  })

  test('before it was launched: it loses its finalizer without a call to the provider', async () => {
    const deleted: string[] = []
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, {
          create: () => Promise.reject(new Error('never')),
          delete: async (claim: NodeClaim) => void deleted.push(claim.metadata.name),
        }),
    })
    // A Node without a provider ID belongs to no claim, whatever its labels are.
    await harness.admin.create(kinds.Node, buildNode('stranger', { labels: { [labels.registered]: 'true' } }))
    await createClaim(harness)
    await harness.pass(1_000)
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    await harness.pass(1_000)
    expect(await harness.readClaim()).toBeUndefined()
    expect(deleted).toEqual([])
    expect((await harness.nodes()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
  })

  test('before it registered: its Nodes stay', async () => {
    const harness = await lifecycleHarness({
      registrationDelay: '1h',
      provider: (kwok) =>
        alteredProvider(kwok, { delete: () => Promise.reject(new NodeClaimNotFoundError('it is gone')) }),
    })
    await createClaim(harness)
    await harness.pass(1_000)
    harness.fault = (call) => (call.kind?.kind === 'Node' && call.verb === 'patch' ? apiError(500) : undefined)
    for (const name of ['one', 'two']) await bareNode(harness, name)
    await harness.pass(90_000)
    harness.fault = undefined
    await harness.pass(1_000)
    expect(await harness.condition('Registered')).toBe('False MultipleNodesFound')
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    await harness.pass(10_000)
    expect(await harness.readClaim()).toBeUndefined()
    expect((await harness.nodes()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined, undefined])
  })

  test('and keeps its finalizer while the provider fails to terminate the instance', async () => {
    let attempts = 0
    const harness = await lifecycleHarness({
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
    await createClaim(harness)
    await harness.pass(1_000)
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    for (let step = 0; step < 600 && attempts <= 3; step++) {
      expect((await harness.readClaim())?.metadata.finalizers).toEqual([finalizers.termination])
      await harness.pass(100)
    }
    expect(attempts).toBeGreaterThan(3)
    await harness.pass(10_000)
    expect(await harness.readClaim()).toBeUndefined()
    expect(harness.log.messages('error')).toContain('Reconciler error')
  })

  test('before its node appears: no node is left behind', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '30s' })
    await createClaim(harness)
    await harness.pass(5_000)
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    await harness.pass(1_000)
    expect(await harness.readClaim()).toBeUndefined()
    await harness.pass(minutes(5))
    expect(await harness.nodes()).toEqual([])
  })

  test('and all nodes with its provider ID are deleted first', async () => {
    const { harness, node } = await withNode()
    const { metadata, spec } = node
    await harness.admin.create(
      kinds.Node,
      buildNode('twin', {
        labels: { ...metadata.labels },
        providerID: spec.providerID ?? '',
        metadata: { finalizers: ['example.com/mine'] },
      }),
    )
    await harness.pass(500)
    await harness.delete(karpenterKinds.NodeClaim, await harness.readClaim())
    await harness.pass(20_000)
    expect((await harness.nodes()).map((each) => each.metadata.name)).toEqual(['twin'])
    expect(await harness.readClaim()).toBeDefined()
    await harness.patch(kinds.Node, await harness.node(), { metadata: { finalizers: null } })
    await harness.pass(10_000)
    expect(await harness.readClaim()).toBeUndefined()
  })

  test('but ignored because its node class has another kind', async () => {
    const harness = await lifecycleHarness()
    const foreign = await createClaim(harness, 'a', {
      metadata: { finalizers: [finalizers.termination] },
      spec: { nodeClassRef: { group: 'other.sh', kind: 'OtherNodeClass', name: 'x' } },
    })
    await harness.delete(karpenterKinds.NodeClaim, foreign)
    await harness.pass(10_000)
    expect(await harness.readClaim()).toBeDefined()
  })

  test('and the termination mode and conditions are correct after every kind of API error', async () => {
    const { harness, node, name } = await withNode({ kwok: { instanceTerminationDelay: 2_000 } })
    await createInstantPodOn(harness, 'web', name)
    await harness.pass(500)
    const codes = [409, 429, 500, 503]
    let count = 0
    harness.fault = (call, when) => {
      if (when !== 'before' || call.verb === 'watch' || call.verb === 'list') return undefined
      count++
      return count % 3 === 0 ? apiError(codes[count % codes.length] ?? 500) : undefined
    }
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(3))
    harness.fault = undefined
    await harness.pass(minutes(2))
    expect(await harness.nodes()).toEqual([])
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.metric('karpenter_nodes_terminated_total')).toBe(1)
  })
})
