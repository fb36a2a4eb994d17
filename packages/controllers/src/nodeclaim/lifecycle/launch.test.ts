import { finalizers, findCondition, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { CreateError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { sleep } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import {
  alteredProvider,
  apiError,
  createClaim,
  createInitializedClaim,
  lifecycleWorld,
} from '../../testing/world/index.ts'

describe('finalizer and conditions', () => {
  test('a claim becomes a ready node, and its conditions show it', async () => {
    const world = await lifecycleWorld()
    const claim = await createInitializedClaim(world)
    expect(claim.metadata.finalizers).toEqual([finalizers.termination])
    expect(claim.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Launched=True',
      'ConsistentStateFound=True',
      'Registered=True',
      'Initialized=True',
      'Ready=True',
    ])
    const node = await world.node()
    expect(claim.status?.nodeName).toBe(node.metadata.name)
    expect(claim.status?.providerID).toBe(node.spec.providerID)
    expect(world.log.messages('error')).toEqual([])
  })

  test('a claim whose node class has another kind is ignored', async () => {
    const world = await lifecycleWorld()
    await createClaim(world, 'a', { spec: { nodeClassRef: { group: 'other.sh', kind: 'OtherNodeClass', name: 'x' } } })
    await world.pass(3_000)
    const claim = await world.readClaim()
    expect(claim?.metadata.finalizers).toBeUndefined()
    expect(claim?.status?.conditions).toBeUndefined()
  })

  test('the finalizer is written before the provider is called', async () => {
    const world = await lifecycleWorld()
    let hadFinalizer: boolean | undefined
    world.outages.failNext('launch', new Error('not now'))
    world.fault = (call, when) => {
      if (when === 'before' && call.verb === 'get' && call.kind?.kind === 'KWOKNodeClass') {
        hadFinalizer ??= world.api.get(karpenterKinds.NodeClaim, { name: 'a' }).metadata.finalizers?.length === 1
      }
      return undefined
    }
    await createClaim(world)
    await world.pass(500)
    expect(hadFinalizer).toBe(true)
  })

  test('while the claim is deleted, a condition of an older generation gets the current generation', async () => {
    const world = await lifecycleWorld({ kwok: { instanceTerminationDelay: 4_000 } })
    const claim = await createInitializedClaim(world)
    await world.delete(karpenterKinds.NodeClaim, claim)
    await world.pass(7_000)
    const deleting = await world.readClaim()
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
    const world = await lifecycleWorld()
    world.outages.failNext('launch', new Error('wrapped', { cause: error }))
    await createClaim(world)
    await world.pass(1_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.nodes()).toEqual([])
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason, nodepool: 'default' })).toBe(1)
    const warned = world.events.events.filter((event) => event.reason === 'InsufficientCapacityError')
    expect(warned).toHaveLength(reason === 'insufficient_capacity' ? 1 : 0)
  })

  test('a create error keeps the claim, with its reason and message, until the launch succeeds', async () => {
    const world = await lifecycleWorld()
    world.outages.failNext('launch', new CreateError('QuotaExceeded', 'the quota of 5 machines is used up'))
    const { metadata } = await createClaim(world)
    await world.pass(500)
    const launched = findCondition((await world.readClaim()) as NodeClaim, 'Launched')
    expect(launched).toMatchObject({
      status: 'Unknown',
      reason: 'QuotaExceeded',
      message: 'the quota of 5 machines is used up',
      lastTransitionTime: metadata.creationTimestamp,
    })
    await world.pass(3_000)
    expect(await world.condition('Launched')).toBe('True Launched')
  })

  test('any other error is written to the condition, truncated to 300 characters', async () => {
    const world = await lifecycleWorld()
    world.outages.failNext('launch', new Error('x'.repeat(400)))
    await createClaim(world)
    await world.pass(500)
    const launched = findCondition((await world.readClaim()) as NodeClaim, 'Launched')
    expect(launched).toMatchObject({ status: 'Unknown', reason: 'LaunchFailed', message: `${'x'.repeat(300)}...` })
  })

  test('labels of the claim override those of the provider, but its annotations do not', async () => {
    const world = await lifecycleWorld()
    const claim = await createInitializedClaim(world, 'a', {
      metadata: {
        labels: { 'kwok-partition': 'mine', team: 'web' },
        annotations: { 'kwok.x-k8s.io/node': 'mine', note: 'kept' },
      },
    })
    expect(claim.metadata.labels).toMatchObject({ 'kwok-partition': 'mine', team: 'web' })
    expect(claim.metadata.annotations).toMatchObject({ 'kwok.x-k8s.io/node': 'fake', note: 'kept' })
  })

  test('after a failed status write nothing is launched again', async () => {
    const world = await lifecycleWorld()
    let failures = 3
    world.fault = (call, when) => {
      const isStatusWrite = call.verb === 'patch' && call.subresource === 'status' && call.kind?.kind === 'NodeClaim'
      if (when !== 'before' || !isStatusWrite || failures === 0) return undefined
      failures--
      return apiError(500)
    }
    await createClaim(world)
    await world.pass(30_000)
    expect(await world.condition('Ready')).toBe('True Ready')
    expect(world.outages.calls.filter((call) => call === 'launch')).toHaveLength(1)
  })

  test('an instance launched for a claim that has been deleted is terminated before the claim is removed', async () => {
    const ended: (string | undefined)[] = []
    const launched: string[] = []
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, {
          create: async (claim, signal) => {
            const view = await kwok.create(claim, signal)
            launched.push(view.providerID)
            // The provider takes long to answer.
            await sleep(world.clock, 10_000, signal)
            return view
          },
          delete: async (claim, signal) => {
            ended.push(claim.status?.providerID)
            await kwok.delete(claim, signal)
          },
        }),
    })
    const claim = await createClaim(world)
    await world.pass(5_000)
    expect(launched).toHaveLength(1)
    await world.delete(karpenterKinds.NodeClaim, claim)
    await world.pass(4_000)
    expect((await world.readClaim())?.metadata.finalizers).toEqual([finalizers.termination])
    await world.pass(60_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(new Set(ended)).toEqual(new Set(launched))
    expect(await world.nodes()).toEqual([])
  })
})
