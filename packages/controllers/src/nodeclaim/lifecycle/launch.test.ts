import { finalizers, findCondition, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { CreateError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { sleep } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import {
  alteredProvider,
  apiError,
  createClaim,
  createInitializedClaim,
  lifecycleHarness,
} from '../../testing/harness/index.ts'

describe('finalizer and conditions', () => {
  test('a claim gets a ready node, and its conditions show that', async () => {
    const harness = await lifecycleHarness()
    const claim = await createInitializedClaim(harness)
    expect(claim.metadata.finalizers).toEqual([finalizers.termination])
    expect(claim.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Launched=True',
      'ConsistentStateFound=True',
      'Registered=True',
      'Initialized=True',
      'Ready=True',
    ])
    const node = await harness.node()
    expect(claim.status?.nodeName).toBe(node.metadata.name)
    expect(claim.status?.providerID).toBe(node.spec.providerID)
    expect(harness.log.messages('error')).toEqual([])
  })

  test('a claim is ignored if its node class has a kind of another provider', async () => {
    const harness = await lifecycleHarness()
    await createClaim(harness, 'a', {
      spec: { nodeClassRef: { group: 'other.sh', kind: 'OtherNodeClass', name: 'x' } },
    })
    await harness.pass(3_000)
    const claim = await harness.readClaim()
    expect(claim?.metadata.finalizers).toBeUndefined()
    expect(claim?.status?.conditions).toBeUndefined()
  })

  test('the finalizer is written before the provider is called', async () => {
    const harness = await lifecycleHarness()
    let hadFinalizer: boolean | undefined
    harness.outages.failNext('launch', new Error('not now'))
    harness.fault = (call, when) => {
      if (when === 'before' && call.verb === 'get' && call.kind?.kind === 'KWOKNodeClass') {
        hadFinalizer ??= harness.api.get(karpenterKinds.NodeClaim, { name: 'a' }).metadata.finalizers?.length === 1
      }
      return undefined
    }
    await createClaim(harness)
    await harness.pass(500)
    expect(hadFinalizer).toBe(true)
  })

  test('while the claim is being deleted, an older condition gets the current generation', async () => {
    const harness = await lifecycleHarness({ kwok: { instanceTerminationDelay: 4_000 } })
    const claim = await createInitializedClaim(harness)
    await harness.delete(karpenterKinds.NodeClaim, claim)
    await harness.pass(7_000)
    const deleting = await harness.readClaim()
    expect(deleting?.metadata.generation).toBe(2)
    expect(
      deleting?.status?.conditions?.filter(({ type }) => type !== 'Ready').map((c) => c.observedGeneration),
    ).toEqual(deleting?.status?.conditions?.filter(({ type }) => type !== 'Ready').map(() => 2))
    expect(findCondition(deleting as NodeClaim, 'Ready')?.status).toBe('True')
  })
})

describe('launch', () => {
  test.each([
    ['insufficient capacity', new InsufficientCapacityError('nothing left'), 'insufficient_capacity'],
    ['a node class that is not ready', new NodeClassNotReadyError('no subnets'), 'nodeclass_not_ready'],
  ])('%s deletes the claim', async (_, error, reason) => {
    const harness = await lifecycleHarness()
    harness.outages.failNext('launch', new Error('wrapped', { cause: error }))
    await createClaim(harness)
    await harness.pass(1_000)
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.nodes()).toEqual([])
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', { reason, nodepool: 'default' })).toBe(1)
    const warned = harness.events.events.filter((event) => event.reason === 'InsufficientCapacityError')
    expect(warned).toHaveLength(reason === 'insufficient_capacity' ? 1 : 0)
  })

  test('a create error keeps the claim, with its reason and message, until the launch succeeds', async () => {
    const harness = await lifecycleHarness()
    harness.outages.failNext('launch', new CreateError('QuotaExceeded', 'the quota of 5 machines is used up'))
    const { metadata } = await createClaim(harness)
    await harness.pass(500)
    const launched = findCondition((await harness.readClaim()) as NodeClaim, 'Launched')
    expect(launched).toMatchObject({
      status: 'Unknown',
      reason: 'QuotaExceeded',
      message: 'the quota of 5 machines is used up',
      lastTransitionTime: metadata.creationTimestamp,
    })
    await harness.pass(3_000)
    expect(await harness.condition('Launched')).toBe('True Launched')
  })

  test('the message of any other error is written to the condition, truncated to 300 characters', async () => {
    const harness = await lifecycleHarness()
    harness.outages.failNext('launch', new Error('x'.repeat(400)))
    await createClaim(harness)
    await harness.pass(500)
    const launched = findCondition((await harness.readClaim()) as NodeClaim, 'Launched')
    expect(launched).toMatchObject({ status: 'Unknown', reason: 'LaunchFailed', message: `${'x'.repeat(300)}...` })
  })

  test('labels of the claim override the provider’s labels, but annotations do not', async () => {
    const harness = await lifecycleHarness()
    const claim = await createInitializedClaim(harness, 'a', {
      metadata: {
        labels: { 'kwok-partition': 'mine', team: 'web' },
        annotations: { 'kwok.x-k8s.io/node': 'mine', note: 'kept' },
      },
    })
    expect(claim.metadata.labels).toMatchObject({ 'kwok-partition': 'mine', team: 'web' })
    expect(claim.metadata.annotations).toMatchObject({ 'kwok.x-k8s.io/node': 'fake', note: 'kept' })
  })

  test('a failed status write does not cause a second launch', async () => {
    const harness = await lifecycleHarness()
    let failures = 3
    harness.fault = (call, when) => {
      const isStatusWrite = call.verb === 'patch' && call.subresource === 'status' && call.kind?.kind === 'NodeClaim'
      if (when !== 'before' || !isStatusWrite || failures === 0) return undefined
      failures--
      return apiError(500)
    }
    await createClaim(harness)
    await harness.pass(30_000)
    expect(await harness.condition('Ready')).toBe('True Ready')
    expect(harness.outages.calls.filter((call) => call === 'launch')).toHaveLength(1)
  })

  test('if the claim is deleted during its launch, the instance is terminated before the claim is removed', async () => {
    const ended: (string | undefined)[] = []
    const launched: string[] = []
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, {
          create: async (claim, signal) => {
            const view = await kwok.create(claim, signal)
            launched.push(view.providerID)
            // The launch takes long.
            await sleep(harness.clock, 10_000, signal)
            return view
          },
          delete: async (claim, signal) => {
            ended.push(claim.status?.providerID)
            await kwok.delete(claim, signal)
          },
        }),
    })
    const claim = await createClaim(harness)
    await harness.pass(5_000)
    expect(launched).toHaveLength(1)
    await harness.delete(karpenterKinds.NodeClaim, claim)
    await harness.pass(4_000)
    expect((await harness.readClaim())?.metadata.finalizers).toEqual([finalizers.termination])
    await harness.pass(60_000)
    expect(await harness.readClaim()).toBeUndefined()
    expect(new Set(ended)).toEqual(new Set(launched))
    expect(await harness.nodes()).toEqual([])
  })
})
