import { type KubeObject, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { type CloudProvider, NodeClaimNotFoundError, NotKnownYetError } from '@kerf/provider-contract'
import { FixedInformers, retryAfter } from '@kerf/runtime'
import { condition, node, nodeClaim, nodeClassRef, pod, unreadable } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { RegistrationOutcomes } from '../nodepool/registration-health/registration-outcomes.ts'
import { instance } from '../testing/by-hand/claim-passes.ts'
import { manualDeps } from '../testing/by-hand/manual-deps.ts'
import {
  alteredProvider,
  createClaim,
  createInitializedClaim,
  type Harness,
  type HarnessOptions,
  lifecycleHarness,
} from '../testing/harness/index.ts'
import { garbageCollection } from './garbage-collection.ts'

const minutes = (count: number): number => count * 60_000

/** Starts a cluster. If `lost` is set, its cloud lists no instances. If `gone` is set, its cloud finds no instance. */
const forgetful = async (options: Pick<HarnessOptions, 'registrationDelay'> = {}) => {
  const cloud = {
    lost: false,
    gone: false,
    error: undefined as Error | undefined,
    /** The provider ID of the instance that the provider cannot read. */
    mute: undefined as string | undefined,
  }
  const harness = await lifecycleHarness({
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
  return { harness, cloud }
}

const stopKubelets = async (harness: Harness): Promise<void> => {
  for (const node of await harness.nodes()) {
    await harness.patch(kinds.Node, node, { metadata: { annotations: { 'karpenter.kwok.sh/kubelet': 'stopped' } } })
  }
}

describe('claims whose instance does not exist', () => {
  test('are deleted once their nodes are not ready', async () => {
    const { harness, cloud } = await forgetful()
    for (const name of ['a', 'b', 'c']) await createInitializedClaim(harness, name)
    cloud.lost = true
    cloud.gone = true
    await harness.pass(minutes(5))
    for (const name of ['a', 'b', 'c']) expect(await harness.isStaying(name)).toBe(true)
    await stopKubelets(harness)
    await harness.pass(minutes(8))
    for (const name of ['a', 'b', 'c']) expect(await harness.readClaim(name)).toBeUndefined()
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', { reason: 'garbage_collected' })).toBe(3)
  })

  test('stay while the cloud knows their instance, even if its list does not contain the instance', async () => {
    const { harness, cloud } = await forgetful()
    await createInitializedClaim(harness)
    cloud.lost = true
    await stopKubelets(harness)
    await harness.pass(minutes(8))
    expect(await harness.isStaying()).toBe(true)
    cloud.gone = true
    await harness.pass(minutes(8))
    expect(await harness.readClaim()).toBeUndefined()
  })

  test('are deleted even if the cloud does not respond for another claim', async () => {
    const { harness, cloud } = await forgetful()
    for (const name of ['a', 'b', 'c']) await createInitializedClaim(harness, name)
    cloud.lost = true
    cloud.gone = true
    cloud.mute = (await harness.readClaim('a'))?.status?.providerID
    await stopKubelets(harness)
    await harness.pass(minutes(8))
    expect(await harness.isStaying('a')).toBe(true)
    for (const name of ['b', 'c']) expect(await harness.readClaim(name)).toBeUndefined()
  })

  test('are deleted even if the cloud lists the instance as terminating', async () => {
    let isEnding = false
    type Instance = Awaited<ReturnType<CloudProvider['get']>>
    const marked = (instance: Instance): Instance =>
      isEnding ? { ...instance, deletionTimestamp: '2026-01-01T00:00:00Z' } : instance
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, {
          list: async (signal: AbortSignal) => (await kwok.list(signal)).map(marked),
          get: async (providerID: string, signal: AbortSignal) => marked(await kwok.get(providerID, signal)),
        }),
    })
    await createInitializedClaim(harness)
    await stopKubelets(harness)
    await harness.pass(minutes(8))
    expect(await harness.isStaying()).toBe(true)
    isEnding = true
    await harness.pass(minutes(8))
    expect(await harness.isStaying()).toBe(false)
  })

  test('stay while the cloud does not respond', async () => {
    const { harness, cloud } = await forgetful()
    await createInitializedClaim(harness)
    cloud.error = new Error('the cloud is down')
    await stopKubelets(harness)
    await harness.pass(minutes(10))
    expect(await harness.isStaying()).toBe(true)
  })

  test('stay until the registration timeout if they never registered', async () => {
    const harness = await lifecycleHarness({
      registrationDelay: '1h',
      provider: (kwok) => alteredProvider(kwok, { list: async () => [] }),
    })
    await createClaim(harness)
    await harness.pass(minutes(14))
    expect(await harness.isStaying()).toBe(true)
  })

  test('are deleted one to two minutes after launch if the instance disappears before its Node registers', async () => {
    const { harness, cloud } = await forgetful({ registrationDelay: '1h' })
    await createClaim(harness)
    await harness.pass(minutes(0.2))
    const launched = (await harness.readClaim())?.status?.conditions?.find(({ type }) => type === 'Launched')
    expect(launched?.status).toBe('True')
    cloud.lost = true
    cloud.gone = true
    await harness.pass(minutes(0.7))
    expect(await harness.isStaying()).toBe(true)
    await harness.pass(minutes(1.4))
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', { reason: 'garbage_collected' })).toBe(1)
    expect(harness.log.messages('warn')).toEqual([
      'the instance of a nodeclaim was terminated before its node registered',
    ])
  })

  test('a claim whose node is not ready stays while the cloud lists the instance', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    await stopKubelets(harness)
    await harness.pass(minutes(10))
    expect(await harness.isStaying()).toBe(true)
  })

  test('a claim without a node stays while the cloud lists the instance', async () => {
    let known: Awaited<ReturnType<CloudProvider['list']>> = []
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, {
          list: async (signal: AbortSignal) => {
            const found = await kwok.list(signal)
            if (found.length > 0) known = found
            return known
          },
        }),
    })
    await createInitializedClaim(harness)
    await harness.pass(minutes(3))
    expect(known).toHaveLength(1)
    const node = await harness.node()
    await harness.patch(kinds.Node, node, { metadata: { finalizers: null } })
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(10))
    expect(await harness.nodes()).toEqual([])
    expect(await harness.isStaying()).toBe(true)
  })

  test('if a user removes a Node by force, its claim is deleted', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    const node = await harness.node()
    await harness.patch(kinds.Node, node, { metadata: { finalizers: null } })
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(4))
    expect(await harness.nodes()).toEqual([])
    expect(await harness.readClaim()).toBeUndefined()
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

  /** Runs the controller once for a claim whose instance the cloud does not know, and returns the result. */
  const look = async ({
    spec = {},
    status = registered as NodeClaim['status'],
    hasStatus = true,
    finalizers = [] as string[],
    others = [] as KubeObject[],
  }) => {
    const { harness, cloud } = await forgetful()
    harness.kill()
    cloud.lost = true
    cloud.gone = true
    let claim = await createClaim(harness, 'a', { spec, metadata: { finalizers } })
    if (finalizers.length > 0) {
      await harness.delete(karpenterKinds.NodeClaim, claim)
      claim = (await harness.readClaim()) ?? claim
    }
    const informers = new FixedInformers([{ ...claim, status: hasStatus ? status : undefined } as NodeClaim, ...others])
    const lists = (): Promise<number> =>
      harness.metric('karpenter_cloudprovider_duration_seconds_count', {
        controller: 'nodeclaim.garbagecollection',
        method: 'List',
      })
    const before = await lists()
    const outcome = await garbageCollection(harness.depsWith(informers), new RegistrationOutcomes()).reconcile(
      '',
      new AbortController().signal,
    )
    const series = { reason: 'garbage_collected' }
    return {
      outcome,
      isThere: (await harness.readClaim()) !== undefined,
      claims: await harness.metric('karpenter_nodeclaims_disrupted_total', series),
      pods: await harness.metric('karpenter_pods_disruption_initiated_total', series),
      lists: (await lists()) - before,
      warnings: harness.log.messages('warn'),
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
      warnings: [],
    })
  })

  // Each of these claims has one property that excludes it from garbage collection.
  test.each([
    ['of another provider', { spec: { nodeClassRef: { ...nodeClassRef, group: 'other.sh' } } }],
    ['with an empty provider ID', { status: { ...registered, providerID: '' } }],
    ['without a provider ID', { status: { conditions: registered.conditions } }],
    ['that has not registered', { status: { ...registered, conditions: [is('Registered', 'False')] } }],
    ['without conditions', { status: { providerID: 'kwok://a' } }],
    ['without a status', { hasStatus: false }],
    ['that is being deleted', { finalizers: ['example.com/wait'] }],
    [
      'whose node is ready',
      { others: [{ ...node('n', { providerID: 'kwok://a' }), status: { conditions: [is('Ready', 'True')] } }] },
    ],
  ])('ignores a claim %s', async (_, traits) => {
    expect(await look(traits)).toMatchObject({ outcome: retryAfter(120_000), isThere: true, claims: 0, lists: 1 })
  })

  test('checks 500 claims at a time, because a provider reads that many with one call', async () => {
    const asking = { now: 0, most: 0, all: 0 }
    const harness = await lifecycleHarness({
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
    harness.kill()
    const claims = Array.from({ length: 1_001 }, (_, index) => {
      const { status: __, ...claim } = nodeClaim(`c${index}`, { spec: { nodeClassRef } })
      return { ...claim, status: { ...registered, providerID: `kwok://c${index}` } }
    })
    const controller = garbageCollection(harness.depsWith(new FixedInformers(claims)), new RegistrationOutcomes())
    await controller.reconcile('', new AbortController().signal)
    expect(asking).toEqual({ now: 0, most: 500, all: 1_001 })
  })

  test('waits until claims, Nodes and pods are listed, because an unlisted Node would count as deleted', async () => {
    const harness = await lifecycleHarness()
    harness.kill()
    const informers = new FixedInformers([])
    const { sources } = garbageCollection(harness.depsWith(informers), new RegistrationOutcomes())
    const waited = sources.map(({ informer }) => informer)
    const needed = [informers.of(karpenterKinds.NodeClaim), informers.of(kinds.Node), informers.of(kinds.Pod)]
    for (const informer of needed) expect(waited).toContain(informer)
  })
})

describe('one pass over launched claims that have no Node', () => {
  /** Runs one pass. `ages` contains the seconds since the launch of each claim. The cloud finds every instance by ID but lists none. */
  const passOver = async (ages: readonly number[], provider: Partial<CloudProvider> = {}, spoilt?: NodeClaim) => {
    const asked: string[] = []
    const get = async (providerID: string): ReturnType<CloudProvider['get']> => {
      asked.push(providerID)
      return instance('known', { providerID })
    }
    const { deps, informers, clock, metrics } = manualDeps({ provider: { get, ...provider } })
    for (const [index, age] of ages.entries()) {
      const lastTransitionTime = new Date(clock.now() - age * 1_000).toISOString()
      const conditions = [{ ...condition('Launched'), lastTransitionTime }]
      informers.put(karpenterKinds.NodeClaim, nodeClaim(`c${index}`, { providerID: `kwok://c${index}`, conditions }))
    }
    if (spoilt !== undefined) informers.put(karpenterKinds.NodeClaim, spoilt)
    const controller = garbageCollection(deps, new RegistrationOutcomes())
    const outcome = await controller.reconcile('', new AbortController().signal)
    return { asked, outcome, metrics: await metrics.text() }
  }

  test.each([
    [[20], 40_000, []],
    [[20, 30, 10], 30_000, []],
    // The next pass follows after at least ten seconds and at most two minutes.
    [[59], 10_000, []],
    [[60], 120_000, ['kwok://c0']],
    [[60, 10], 50_000, ['kwok://c0']],
    // A launch time in the future counts as the current time.
    [[-30], 60_000, []],
  ])('launched %j seconds ago: the next pass follows after %d ms, and it checks %j', async (ages, wait, checked) => {
    expect(await passOver(ages)).toMatchObject({ outcome: retryAfter(wait), asked: checked })
  })

  test('does not ask the cloud about an instance that it lists', async () => {
    const list = async () => [instance('c0', { providerID: 'kwok://c0' })]
    expect((await passOver([90, 90], { list })).asked).toEqual(['kwok://c1'])
  })

  test('keeps a claim whose instance the cloud does not know yet, and fails if the cloud cannot respond', async () => {
    const unknown = () => Promise.reject(new NotKnownYetError('launched a moment ago'))
    expect((await passOver([90], { get: unknown })).outcome).toEqual(retryAfter(120_000))
    const error = new Error('the cloud does not answer')
    await expect(passOver([90], { get: () => Promise.reject(error) })).rejects.toBe(error)
  })

  test('counts a claim and an instance that cannot be read', async () => {
    const spoilt = unreadable(nodeClaim('spoilt'), ['status'])
    const list = async () => [unreadable(instance('spoilt'), ['providerID'])]
    const { metrics } = await passOver([], { list }, spoilt)
    for (const kind of ['NodeClaim', 'instance'])
      expect(metrics).toContain(`kerf_objects_set_aside_total{kind="${kind}",stage="garbage-collection"} 1`)
  })
})
