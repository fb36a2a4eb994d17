import { type KubeObject, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { type CloudProvider, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { FixedInformers, retryAfter } from '@kerf/runtime'
import { node, nodeClaim, nodeClassRef, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { RegistrationOutcomes } from '../nodepool/registration-health/registration-outcomes.ts'
import { instance } from '../testing/by-hand/claim-passes.ts'
import {
  alteredProvider,
  createClaim,
  createInitializedClaim,
  lifecycleWorld,
  type World,
  type WorldOptions,
} from '../testing/world/index.ts'
import { garbageCollection } from './garbage-collection.ts'

const minutes = (count: number): number => count * 60_000

/** Creates a world whose cloud lists nothing once `lost` is set, and knows no instance once `gone` is set. */
const forgetful = async (options: Pick<WorldOptions, 'registrationDelay'> = {}) => {
  const cloud = {
    lost: false,
    gone: false,
    error: undefined as Error | undefined,
    /** The provider ID for which reads fail. */
    mute: undefined as string | undefined,
  }
  const world = await lifecycleWorld({
    ...options,
    provider: (kwok) =>
      alteredProvider(kwok, {
        list: async (signal: AbortSignal) => {
          if (cloud.error !== undefined) throw cloud.error
          return cloud.lost ? [] : await kwok.list(signal)
        },
        get: async (providerID: string, signal: AbortSignal) => {
          if (providerID === cloud.mute) throw new Error('the cloud does not tell')
          if (cloud.gone) throw new NodeClaimNotFoundError(`${providerID} is gone`)
          return kwok.get(providerID, signal)
        },
      }),
  })
  return { world, cloud }
}

const stopKubelets = async (world: World): Promise<void> => {
  for (const node of await world.nodes()) {
    await world.patch(kinds.Node, node, { metadata: { annotations: { 'karpenter.kwok.sh/kubelet': 'stopped' } } })
  }
}

describe('claims whose instance does not exist', () => {
  test('are deleted once their nodes are not ready', async () => {
    const { world, cloud } = await forgetful()
    for (const name of ['a', 'b', 'c']) await createInitializedClaim(world, name)
    cloud.lost = true
    cloud.gone = true
    await world.pass(minutes(5))
    for (const name of ['a', 'b', 'c']) expect(await world.isStaying(name)).toBe(true)
    await stopKubelets(world)
    await world.pass(minutes(8))
    for (const name of ['a', 'b', 'c']) expect(await world.readClaim(name)).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'garbage_collected' })).toBe(3)
  })

  test('stay while the cloud knows their instance, even if no list contains it', async () => {
    const { world, cloud } = await forgetful()
    await createInitializedClaim(world)
    cloud.lost = true
    await stopKubelets(world)
    await world.pass(minutes(8))
    expect(await world.isStaying()).toBe(true)
    cloud.gone = true
    await world.pass(minutes(8))
    expect(await world.readClaim()).toBeUndefined()
  })

  test('a claim for which the cloud does not answer does not block the others', async () => {
    const { world, cloud } = await forgetful()
    for (const name of ['a', 'b', 'c']) await createInitializedClaim(world, name)
    cloud.lost = true
    cloud.gone = true
    cloud.mute = (await world.readClaim('a'))?.status?.providerID
    await stopKubelets(world)
    await world.pass(minutes(8))
    expect(await world.isStaying('a')).toBe(true)
    for (const name of ['b', 'c']) expect(await world.readClaim(name)).toBeUndefined()
  })

  test('are deleted even if the cloud lists the instance as terminating', async () => {
    let isEnding = false
    type Instance = Awaited<ReturnType<CloudProvider['get']>>
    const marked = (instance: Instance): Instance =>
      isEnding ? { ...instance, deletionTimestamp: '2026-01-01T00:00:00Z' } : instance
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, {
          list: async (signal: AbortSignal) => (await kwok.list(signal)).map(marked),
          get: async (providerID: string, signal: AbortSignal) => marked(await kwok.get(providerID, signal)),
        }),
    })
    await createInitializedClaim(world)
    await stopKubelets(world)
    await world.pass(minutes(8))
    expect(await world.isStaying()).toBe(true)
    isEnding = true
    await world.pass(minutes(8))
    expect(await world.isStaying()).toBe(false)
  })

  test('stay while the cloud does not answer', async () => {
    const { world, cloud } = await forgetful()
    await createInitializedClaim(world)
    cloud.error = new Error('the cloud is down')
    await stopKubelets(world)
    await world.pass(minutes(10))
    expect(await world.isStaying()).toBe(true)
  })

  test('stay until the registration timeout if they never registered', async () => {
    const world = await lifecycleWorld({
      registrationDelay: '1h',
      provider: (kwok) => alteredProvider(kwok, { list: async () => [] }),
    })
    await createClaim(world)
    await world.pass(minutes(14))
    expect(await world.isStaying()).toBe(true)
  })

  test('are deleted between one and two minutes after launch if the instance disappears before its Node registers', async () => {
    const { world, cloud } = await forgetful({ registrationDelay: '1h' })
    await createClaim(world)
    await world.pass(minutes(0.2))
    const launched = (await world.readClaim())?.status?.conditions?.find(({ type }) => type === 'Launched')
    expect(launched?.status).toBe('True')
    cloud.lost = true
    cloud.gone = true
    await world.pass(minutes(0.7))
    expect(await world.isStaying()).toBe(true)
    await world.pass(minutes(1.4))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'garbage_collected' })).toBe(1)
    expect(world.log.messages('warn')).toEqual([
      'the instance of a nodeclaim was terminated before its node registered',
    ])
  })

  test('a node that is not ready keeps its claim while the instance is listed', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
    await stopKubelets(world)
    await world.pass(minutes(10))
    expect(await world.isStaying()).toBe(true)
  })

  test('a claim without its node stays while the instance is listed', async () => {
    let known: Awaited<ReturnType<CloudProvider['list']>> = []
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, {
          list: async (signal: AbortSignal) => {
            const found = await kwok.list(signal)
            if (found.length > 0) known = found
            return known
          },
        }),
    })
    await createInitializedClaim(world)
    await world.pass(minutes(3))
    expect(known).toHaveLength(1)
    const node = await world.node()
    await world.patch(kinds.Node, node, { metadata: { finalizers: null } })
    await world.delete(kinds.Node, node)
    await world.pass(minutes(10))
    expect(await world.nodes()).toEqual([])
    expect(await world.isStaying()).toBe(true)
  })

  test('a node that a user removed by force causes the deletion of its claim', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
    const node = await world.node()
    await world.patch(kinds.Node, node, { metadata: { finalizers: null } })
    await world.delete(kinds.Node, node)
    await world.pass(minutes(4))
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
  })
})

describe('one pass', () => {
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  const is = (type: string, status: 'True' | 'False') => ({
    type,
    status,
    reason: 'Test',
    message: '',
    lastTransitionTime,
  })
  const registered = { providerID: 'kwok://a', conditions: [is('Registered', 'True')] }

  /** Returns the result for one claim whose instance the cloud does not know, in a controller called by hand. */
  const look = async ({
    spec = {},
    status = registered as NodeClaim['status'],
    hasStatus = true,
    finalizers = [] as string[],
    others = [] as KubeObject[],
  }) => {
    const { world, cloud } = await forgetful()
    world.kill()
    cloud.lost = true
    cloud.gone = true
    let claim = await createClaim(world, 'a', { spec, metadata: { finalizers } })
    if (finalizers.length > 0) {
      await world.delete(karpenterKinds.NodeClaim, claim)
      claim = (await world.readClaim()) ?? claim
    }
    const informers = new FixedInformers([{ ...claim, status: hasStatus ? status : undefined } as NodeClaim, ...others])
    const lists = (): Promise<number> =>
      world.metric('karpenter_cloudprovider_duration_seconds_count', {
        controller: 'nodeclaim.garbagecollection',
        method: 'List',
      })
    const before = await lists()
    const outcome = await garbageCollection(world.depsWith(informers), new RegistrationOutcomes()).reconcile(
      '',
      new AbortController().signal,
    )
    const series = { reason: 'garbage_collected' }
    return {
      outcome,
      isThere: (await world.readClaim()) !== undefined,
      claims: await world.metric('karpenter_nodeclaims_disrupted_total', series),
      pods: await world.metric('karpenter_pods_disruption_initiated_total', series),
      lists: (await lists()) - before,
    }
  }

  test('deletes the claim, counts it and its pods, and runs again after two minutes', async () => {
    const place = { providerID: 'kwok://a' }
    const others = [
      node('n', place),
      pod('one', { nodeName: 'n' }),
      pod('two', { nodeName: 'n' }),
      pod('elsewhere', { nodeName: 'm' }),
    ]
    expect(await look({ others })).toEqual({
      outcome: retryAfter(120_000),
      isThere: false,
      claims: 1,
      pods: 2,
      lists: 1,
    })
  })

  // Each of these claims differs in the one property that keeps it.
  test.each([
    ['of another provider', { spec: { nodeClassRef: { ...nodeClassRef, group: 'other.sh' } } }],
    ['with an empty instance', { status: { ...registered, providerID: '' } }],
    ['without an instance', { status: { conditions: registered.conditions } }],
    ['that has not registered', { status: { ...registered, conditions: [is('Registered', 'False')] } }],
    ['that nobody has looked at', { status: { providerID: 'kwok://a' } }],
    ['without a status', { hasStatus: false }],
    ['that is on its way out', { finalizers: ['example.com/wait'] }],
    [
      'whose node is ready',
      { others: [{ ...node('n', { providerID: 'kwok://a' }), status: { conditions: [is('Ready', 'True')] } }] },
    ],
  ])('ignores a claim %s', async (_, traits) => {
    expect(await look(traits)).toMatchObject({ outcome: retryAfter(120_000), isThere: true, claims: 0, lists: 1 })
  })

  test('checks 500 claims at a time, as many as a provider reads with one call', async () => {
    const asking = { now: 0, most: 0, all: 0 }
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, {
          list: async () => [],
          get: async (providerID: string) => {
            asking.now++
            asking.all++
            asking.most = Math.max(asking.most, asking.now)
            await Promise.resolve()
            asking.now--
            return instance('known', { providerID })
          },
        }),
    })
    world.kill()
    const claims = Array.from({ length: 1_001 }, (_, index) => {
      const { status: __, ...claim } = nodeClaim(`c${index}`, { spec: { nodeClassRef } })
      return { ...claim, status: { ...registered, providerID: `kwok://c${index}` } }
    })
    const controller = garbageCollection(world.depsWith(new FixedInformers(claims)), new RegistrationOutcomes())
    await controller.reconcile('', new AbortController().signal)
    expect(asking).toEqual({ now: 0, most: 500, all: 1_001 })
  })

  test('waits until claims, Nodes and pods are listed: an unlisted Node would count as deleted', async () => {
    const world = await lifecycleWorld()
    world.kill()
    const informers = new FixedInformers([])
    const { sources } = garbageCollection(world.depsWith(informers), new RegistrationOutcomes())
    const waited = sources.map(({ informer }) => informer)
    const needed = [informers.of(karpenterKinds.NodeClaim), informers.of(kinds.Node), informers.of(kinds.Pod)]
    for (const informer of needed) expect(waited).toContain(informer)
  })
})
