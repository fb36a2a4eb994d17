import {
  annotations,
  finalizers,
  findCondition,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type Taint,
  taints,
} from '@kerf/apis'
import {
  CreateError,
  type HookAnswer,
  InsufficientCapacityError,
  NodeClassNotReadyError,
} from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { apiError, CLASS_REF, LifeWorld, plain } from '../testing/life-world.ts'
import { node, nodeClaim } from '../testing/objects.ts'
import { initializationObstacle } from './initialization.ts'

const minutes = (count: number): number => count * 60_000
const taintKeys = (node: { spec: { taints?: readonly { key: string }[] } }): readonly string[] =>
  (node.spec.taints ?? []).map(({ key }) => key)

describe('finalizer and conditions', () => {
  test('a claim becomes a ready node, and its conditions sum up', async () => {
    const world = await LifeWorld.create()
    const claim = await world.readyClaim()
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

  test('a claim of another node class kind is left alone', async () => {
    const world = await LifeWorld.create()
    await world.claim('a', { spec: { nodeClassRef: { group: 'other.sh', kind: 'OtherNodeClass', name: 'x' } } })
    await world.pass(3_000)
    const claim = await world.readClaim()
    expect(claim?.metadata.finalizers).toBeUndefined()
    expect(claim?.status?.conditions).toBeUndefined()
  })

  test('the finalizer is there before the provider is asked', async () => {
    const world = await LifeWorld.create()
    let hadFinalizer: boolean | undefined
    world.outages.failNext('launch', new Error('not now'))
    world.fault = (call, when) => {
      if (when === 'before' && call.verb === 'get' && call.kind?.kind === 'KWOKNodeClass') {
        hadFinalizer ??= world.api.get(karpenterKinds.NodeClaim, { name: 'a' }).metadata.finalizers?.length === 1
      }
      return undefined
    }
    await world.claim()
    await world.pass(500)
    expect(hadFinalizer).toBe(true)
  })

  test('a stored condition of an older generation is stamped again while the claim is deleted', async () => {
    const world = await LifeWorld.create({ kwok: { instanceTerminationDelay: 4_000 } })
    const claim = await world.readyClaim()
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
    const world = await LifeWorld.create()
    world.outages.failNext('launch', new Error('wrapped', { cause: error }))
    await world.claim()
    await world.pass(1_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.nodes()).toEqual([])
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason, nodepool: 'default' })).toBe(1)
    const warned = world.events.events.filter((event) => event.reason === 'InsufficientCapacityError')
    expect(warned).toHaveLength(reason === 'insufficient_capacity' ? 1 : 0)
  })

  test('a create error keeps the claim, with its reason and message, until it works', async () => {
    const world = await LifeWorld.create()
    world.outages.failNext('launch', new CreateError('QuotaExceeded', 'the quota of 5 machines is used up'))
    const { metadata } = await world.claim()
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

  test('any other error is told in the condition, cut at 300 characters', async () => {
    const world = await LifeWorld.create()
    world.outages.failNext('launch', new Error('x'.repeat(400)))
    await world.claim()
    await world.pass(500)
    const launched = findCondition((await world.readClaim()) as NodeClaim, 'Launched')
    expect(launched).toMatchObject({ status: 'Unknown', reason: 'LaunchFailed', message: `${'x'.repeat(300)}...` })
  })

  test('labels of the claim win over the provider’s, annotations of the provider over the claim’s', async () => {
    const world = await LifeWorld.create()
    const claim = await world.readyClaim('a', {
      metadata: {
        labels: { 'kwok-partition': 'mine', team: 'web' },
        annotations: { 'kwok.x-k8s.io/node': 'mine', note: 'kept' },
      },
    })
    expect(claim.metadata.labels).toMatchObject({ 'kwok-partition': 'mine', team: 'web' })
    expect(claim.metadata.annotations).toMatchObject({ 'kwok.x-k8s.io/node': 'fake', note: 'kept' })
  })

  test('a status write that fails does not launch again', async () => {
    const world = await LifeWorld.create()
    let failures = 3
    world.fault = (call, when) => {
      const isStatusWrite = call.verb === 'patch' && call.subresource === 'status' && call.kind?.kind === 'NodeClaim'
      if (when !== 'before' || !isStatusWrite || failures === 0) return undefined
      failures--
      return apiError(500)
    }
    await world.claim()
    await world.pass(30_000)
    expect(await world.condition('Ready')).toBe('True Ready')
    expect(world.outages.calls.filter((call) => call === 'launch')).toHaveLength(1)
  })
})

describe('registration', () => {
  test('labels, annotations, taints and startup taints of the claim come to the node, with owner and finalizer', async () => {
    const world = await LifeWorld.create()
    await world.claim('a', {
      metadata: { labels: { team: 'web' }, annotations: { note: 'x' } },
      spec: {
        taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'agent', effect: 'NoExecute' }],
      },
    })
    await world.pass(3_000)
    const node = await world.node()
    const claim = (await world.readClaim()) as NodeClaim
    expect(node.metadata.labels).toMatchObject({ team: 'web', [labels.registered]: 'true' })
    expect(node.metadata.annotations).toMatchObject({ note: 'x' })
    expect(taintKeys(node)).toEqual(['dedicated', 'agent'])
    expect(node.metadata.finalizers).toEqual([finalizers.termination])
    expect(node.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodeClaim',
        name: 'a',
        uid: claim.metadata.uid,
        blockOwnerDeletion: true,
      },
    ])
    expect(await world.metric('karpenter_nodes_created_total', { nodepool: 'default' })).toBe(1)
  })

  test('startup taints that were taken off are not put on again', async () => {
    const world = await LifeWorld.create()
    await world.claim('a', { spec: { startupTaints: [{ key: 'agent', effect: 'NoSchedule' }] } })
    await world.pass(3_000)
    expect(await world.condition('Initialized')).toBe('Unknown StartupTaintsExist')
    await world.patch(kinds.Node, await world.node(), { spec: { taints: [] } })
    await world.pass(3_000)
    expect(await world.condition('Initialized')).toBe('True Initialized')
    expect(taintKeys(await world.node())).toEqual([])
  })

  test.each([
    ['true', []],
    ['True', ['dedicated', 'agent']],
  ])('do-not-sync-taints=%s', async (value, expected) => {
    const world = await LifeWorld.create()
    await world.claim('a', {
      metadata: { labels: { [labels.doNotSyncTaints]: value } },
      spec: {
        taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'agent', effect: 'NoSchedule' }],
      },
    })
    await world.pass(3_000)
    expect(taintKeys(await world.node())).toEqual(expected)
    expect(await world.condition('Registered')).toBe('True Registered')
  })

  test('a node without the unregistered taint registers with a warning', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h' })
    await world.claim()
    await world.pass(1_000)
    await bareNode(world)
    await world.pass(2_000)
    expect(await world.condition('Registered')).toBe('True Registered')
    expect(world.events.reasons()).toContain('UnregisteredTaintMissing')
  })

  test('two nodes with the provider ID are an error for good, and cost the claim', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h' })
    const { metadata } = await world.claim()
    await world.pass(1_000)
    world.fault = (call) => (call.kind?.kind === 'Node' && call.verb === 'patch' ? apiError(500) : undefined)
    await bareNode(world, 'one')
    await bareNode(world, 'two')
    await world.pass(90_000)
    world.fault = undefined
    await world.pass(1_000)
    expect(await world.condition('Registered')).toBe('False MultipleNodesFound')
    await world.delete(kinds.Node, await world.read(kinds.Node, 'two'))
    await world.pass(minutes(10))
    expect((await world.readClaim())?.metadata.uid).toBe(metadata.uid)
    expect(await world.condition('Registered')).toBe('False MultipleNodesFound')
    await world.pass(minutes(6))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'registration_timeout' })).toBe(1)
  })
})

describe('registration hooks', () => {
  const wait = { ready: false, retryAfter: 2_000 } as const
  const hook = (name: string, answer: () => Promise<HookAnswer>) => ({ name, registered: answer })
  const ready = hook('passes', async () => ({ ready: true }))

  test('all must be ready; those that are not are listed, and the node waits tainted but synced', async () => {
    const open = new Set(['network', 'storage'])
    const gate = (name: string) => hook(name, async () => (open.has(name) ? wait : { ready: true }))
    const world = await LifeWorld.create({ hooks: [gate('network'), ready, gate('storage')] })
    await world.claim('a', { metadata: { labels: { team: 'web' } } })
    await world.pass(1_000)
    const registered = async () => findCondition((await world.readClaim()) as NodeClaim, 'Registered')
    expect(await registered()).toMatchObject({
      status: 'Unknown',
      reason: 'RegistrationHookPending',
      message: 'network, storage',
    })
    const node = await world.node()
    expect(taintKeys(node)).toContain(taints.unregistered.key)
    expect(node.metadata.labels).toMatchObject({ team: 'web' })
    expect(node.metadata.labels?.[labels.registered]).toBeUndefined()
    expect(node.metadata.finalizers).toEqual([finalizers.termination])
    open.delete('network')
    await world.pass(3_000)
    expect(await registered()).toMatchObject({ status: 'Unknown', message: 'storage' })
    open.delete('storage')
    await world.pass(3_000)
    expect(await registered()).toMatchObject({ status: 'True' })
    expect(taintKeys(await world.node())).not.toContain(taints.unregistered.key)
  })

  test('a hook that stays pending does not stop the clock of registration', async () => {
    const world = await LifeWorld.create({ hooks: [hook('never', async () => wait)] })
    await world.claim()
    await world.pass(minutes(14.9))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(1))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.nodes()).toEqual([])
  })

  test('they are asked at the same time', async () => {
    const order: string[] = []
    const slow = (name: string) => ({
      name,
      registered: async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
        return { ready: true as const }
      },
    })
    const world = await LifeWorld.create({ hooks: [slow('a'), slow('b')] })
    await world.readyClaim()
    expect(order.slice(0, 4)).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
  })

  test('an error is returned, and overcome', async () => {
    let isBroken = true
    const broken = hook('network', async () => {
      if (isBroken) throw new Error('no route')
      return { ready: true }
    })
    const world = await LifeWorld.create({ hooks: [broken] })
    await world.claim()
    await world.pass(900)
    expect(await world.condition('Registered')).toBe('Unknown RegistrationHookPending')
    expect(world.log.messages('error')).toContain('Reconciler error')
    isBroken = false
    await world.pass(65_000)
    expect(await world.condition('Registered')).toBe('True Registered')
  })

  test('labels that a hook adds reach claim and node', async () => {
    const world = await LifeWorld.create({
      hooks: [hook('labels', async () => ({ ready: true, labels: { slot: '7' } }))],
    })
    const claim = await world.readyClaim()
    expect(claim.metadata.labels?.['slot']).toBe('7')
    expect((await world.node()).metadata.labels?.['slot']).toBe('7')
  })

  test('an empty list of hooks waits for nothing', async () => {
    const world = await LifeWorld.create({ hooks: [] })
    await world.readyClaim()
  })
})

describe('initialisation', () => {
  test('waits for Ready', async () => {
    const world = await LifeWorld.create({ kwok: { nodeReadyDelay: 20_000 } })
    await world.claim()
    await world.pass(3_000)
    expect(await world.condition('Registered')).toBe('True Registered')
    expect(await world.condition('Initialized')).toBe('Unknown NodeNotReady')
    await world.pass(20_000)
    expect(await world.condition('Initialized')).toBe('True Initialized')
    expect((await world.node()).metadata.labels?.[labels.initialized]).toBe('true')
  })

  test('is not looked at before registration', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1m' })
    await world.claim()
    await world.pass(5_000)
    expect(await world.condition('Initialized')).toBe('Unknown AwaitingReconciliation')
    expect(await world.condition('Registered')).toBe('Unknown NodeNotFound')
  })

  test('waits for every resource that was asked for to be allocatable', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h' })
    await world.claim()
    await world.pass(1_000)
    await bareNode(world, undefined, { allocatable: { memory: '1Gi' }, capacity: { cpu: '4' } })
    await world.pass(3_000)
    const condition = findCondition((await world.readClaim()) as NodeClaim, 'Initialized')
    expect(condition).toMatchObject({
      reason: 'ResourceNotRegistered',
      message: 'Resource "cpu" was requested but not registered',
    })
    await world.patch(kinds.Node, await world.node(), { status: { allocatable: { cpu: '4' } } }, 'status')
    await world.pass(3_000)
    expect(await world.condition('Initialized')).toBe('True Initialized')
  })

  test.each([
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule', value: 'true' },
    { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
    { key: 'readiness.k8s.io/network', effect: 'PreferNoSchedule' },
  ] as const)('waits for $key:$effect to go', async (taint) => {
    const claim = nodeClaim('a')
    const status = { conditions: [{ type: 'Ready', status: 'True' }] } as const
    const tainted = { ...node('n', { spec: { taints: [taint] } }), status }
    const text = 'value' in taint ? `${taint.key}=${taint.value}:${taint.effect}` : `${taint.key}:${taint.effect}`
    expect(initializationObstacle(claim, tainted, undefined)).toEqual({
      reason: 'KnownEphemeralTaintsExist',
      message: `KnownEphemeralTaint "${text}" still exists`,
    })
    expect(initializationObstacle(claim, { ...node('n'), status }, undefined)).toBeUndefined()
  })

  test('an unknown taint, and a known one with another effect, are in nobody’s way', () => {
    const others: readonly Taint[] = [
      { key: 'chaos', effect: 'NoExecute' },
      { key: 'node.kubernetes.io/unreachable', effect: 'PreferNoSchedule' },
    ]
    const tainted = {
      ...node('n', { spec: { taints: others } }),
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    } as const
    expect(initializationObstacle(nodeClaim('a'), tainted, undefined)).toBeUndefined()
  })

  test('in the cluster, a readiness taint holds a node up until it is taken off', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h' })
    await world.claim()
    await world.pass(1_000)
    await bareNode(world, undefined, {}, [{ key: 'readiness.k8s.io/network', effect: 'NoExecute' }])
    await world.pass(3_000)
    expect(await world.condition('Initialized')).toBe('Unknown KnownEphemeralTaintsExist')
    await world.patch(kinds.Node, await world.node(), { spec: { taints: [] } })
    await world.pass(3_000)
    expect(await world.condition('Initialized')).toBe('True Initialized')
  })
})

describe('dynamic resources', () => {
  const slice = (name: string, driver: string, nodeName: string, generation: number, count: number) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: { driver, nodeName, pool: { name: nodeName, generation, resourceSliceCount: count }, devices: [] },
  })
  const wanted = { metadata: { annotations: { [annotations.requestedDraDrivers]: 'gpu.example.com,nic.example.com' } } }

  test('a node is initialised once every driver has a complete pool at its newest generation', async () => {
    const world = await LifeWorld.create({ settings: { ignoreDraRequests: false } })
    await world.claim('a', wanted)
    await world.pass(3_000)
    const obstacle = async () => findCondition((await world.readClaim()) as NodeClaim, 'Initialized')?.message
    expect(await obstacle()).toBe('DRA driver "gpu.example.com" has not published a complete resource pool')
    const name = (await world.node()).metadata.name ?? ''
    await world.admin.create(kinds.ResourceSlice, slice('gpu-1', 'gpu.example.com', name, 2, 2))
    await world.admin.create(kinds.ResourceSlice, slice('gpu-0', 'gpu.example.com', name, 1, 2))
    await world.pass(1_000)
    expect(await obstacle()).toContain('gpu.example.com')
    await world.admin.create(kinds.ResourceSlice, slice('gpu-2', 'gpu.example.com', name, 2, 2))
    await world.pass(1_000)
    expect(await obstacle()).toContain('nic.example.com')
    await world.admin.create(kinds.ResourceSlice, slice('nic', 'nic.example.com', name, 1, 1))
    await world.pass(1_000)
    expect(await world.condition('Initialized')).toBe('True Initialized')
  })

  test('nothing is waited for when requests are ignored', async () => {
    const world = await LifeWorld.create()
    await world.readyClaim('a', wanted)
  })
})

describe('liveness', () => {
  test('a claim that does not launch is deleted five minutes after its creation, whatever it fails with', async () => {
    const world = await LifeWorld.create({
      provider: (kwok) =>
        Object.assign(plain(kwok), { create: () => Promise.reject(new Error(`failure ${world.calls}`)) }),
    })
    await world.claim()
    await world.pass(minutes(1))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(3.9))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(0.3))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'launch_timeout' })).toBe(1)
  })

  test('a claim that does not register is deleted fifteen minutes after its creation', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h' })
    await world.claim()
    await world.pass(minutes(14.9))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(0.3))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'registration_timeout' })).toBe(1)
    await world.pass(minutes(60))
    expect(await world.nodes()).toEqual([])
  })

  test('a registered claim has all the time it needs', async () => {
    const world = await LifeWorld.create({ kwok: { nodeReadyDelay: minutes(120) } })
    await world.claim()
    await world.pass(minutes(60))
    expect(await world.condition('Registered')).toBe('True Registered')
    expect(await world.condition('Initialized')).toBe('Unknown NodeNotReady')
  })

  test('the time-outs can be set', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h', timeouts: { registration: minutes(2) } })
    await world.claim()
    await world.pass(minutes(2.2))
    expect(await world.readClaim()).toBeUndefined()
  })
})

describe('registration health of the pool', () => {
  const pool = async (world: LifeWorld) =>
    await world.admin.create(karpenterKinds.NodePool, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: { template: { spec: { nodeClassRef: CLASS_REF, requirements: [] } } },
    })
  const ownedBy = (uid: string | undefined) => ({
    metadata: {
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid: uid ?? '' }],
    },
  })
  const health = async (world: LifeWorld): Promise<string | undefined> => {
    const found = findCondition((await world.read(karpenterKinds.NodePool, 'default')) ?? {}, 'NodeRegistrationHealthy')
    return found === undefined ? undefined : `${found.status} ${found.reason}`
  }

  test('a registration makes it healthy', async () => {
    const world = await LifeWorld.create()
    const { metadata } = await pool(world)
    await world.readyClaim('a', ownedBy(metadata.uid))
    expect(await health(world)).toBe('True NodeRegistrationHealthy')
  })

  test('two time-outs make it unhealthy with the cause of the last; one registration is then not enough', async () => {
    const world = await LifeWorld.create({ registrationDelay: '1h' })
    const { metadata } = await pool(world)
    await world.pass(100)
    for (const name of ['a', 'b']) await world.claim(name, ownedBy(metadata.uid))
    await world.pass(minutes(15.2))
    expect(await health(world)).toBe('False RegistrationFailed')
    await world.patch(karpenterKinds.KWOKNodeClass, { metadata: { name: 'default' } } as never, {
      spec: { nodeRegistrationDelay: null },
    })
    await world.pass(100)
    await world.readyClaim('c', ownedBy(metadata.uid))
    expect(await health(world)).toBe('False RegistrationFailed')
  })

  test('failing launches tell why they failed', async () => {
    const world = await LifeWorld.create({
      provider: (kwok) =>
        Object.assign(plain(kwok), { create: () => Promise.reject(new CreateError('QuotaExceeded', 'no quota')) }),
    })
    const { metadata } = await pool(world)
    await world.pass(100)
    for (const name of ['a', 'b']) await world.claim(name, ownedBy(metadata.uid))
    await world.pass(minutes(5.5))
    expect(await health(world)).toBe('False QuotaExceeded')
  })

  test('a claim whose pool is gone, or is not its owner, tells nothing', async () => {
    const world = await LifeWorld.create()
    await world.readyClaim('early')
    await pool(world)
    await world.readyClaim('standalone')
    expect(await health(world)).toBeUndefined()
  })
})

/** A node for the claim that no provider made. */
const bareNode = async (
  world: LifeWorld,
  name = 'bare',
  resources: { capacity?: Record<string, string>; allocatable?: Record<string, string> } = {},
  extraTaints: readonly { key: string; effect: 'NoSchedule' | 'NoExecute'; value?: string }[] = [],
) => {
  const claim = (await world.readClaim()) as NodeClaim
  const status = { capacity: { cpu: '4' }, allocatable: { cpu: '4' }, ...resources }
  await world.admin.create(kinds.Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { providerID: claim.status?.providerID ?? '', taints: [...extraTaints] },
    status: { ...status, conditions: [{ type: 'Ready', status: 'True' }] },
  })
}
