import { annotations, findCondition, karpenterKinds, kinds, labels, type NodeClaim, type Taint } from '@kerf/apis'
import { done, FixedInformers, type Outcome, retry } from '@kerf/runtime'
import { node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { RegistrationOutcomes } from '../../nodepool/registration-health/registration-outcomes.ts'
import { bareNode } from '../../testing/bare-node.ts'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { createClaim, createInitializedClaim, type Harness, lifecycleHarness } from '../../testing/harness/index.ts'
import { DevicePools } from './device-pools.ts'
import { initializationObstacle } from './initialization.ts'
import { NodeClaimLifecycle } from './node-claim-lifecycle.ts'

describe('initialization', () => {
  test('waits until the node is Ready', async () => {
    const harness = await lifecycleHarness({ kwok: { nodeReadyDelay: 20_000 } })
    await createClaim(harness)
    await harness.pass(3_000)
    expect(await harness.condition('Registered')).toBe('True Registered')
    expect(await harness.condition('Initialized')).toBe('Unknown NodeNotReady')
    await harness.pass(20_000)
    expect(await harness.condition('Initialized')).toBe('True Initialized')
    expect((await harness.node()).metadata.labels?.[labels.initialized]).toBe('true')
  })

  test('does not happen before registration', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1m' })
    await createClaim(harness)
    await harness.pass(5_000)
    expect(await harness.condition('Initialized')).toBe('Unknown AwaitingReconciliation')
    expect(await harness.condition('Registered')).toBe('Unknown NodeNotFound')
  })

  test('waits for every requested resource to be allocatable', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1h' })
    await createClaim(harness)
    await harness.pass(1_000)
    await bareNode(harness, undefined, { allocatable: { memory: '1Gi' }, capacity: { cpu: '4' } })
    await harness.pass(3_000)
    const condition = findCondition((await harness.readClaim()) as NodeClaim, 'Initialized')
    expect(condition).toMatchObject({
      reason: 'ResourceNotRegistered',
      message: 'Resource "cpu" was requested but not registered',
    })
    await harness.patch(kinds.Node, await harness.node(), { status: { allocatable: { cpu: '4' } } }, 'status')
    await harness.pass(3_000)
    expect(await harness.condition('Initialized')).toBe('True Initialized')
  })

  // Until a device plugin has discovered its devices, it reports none, and the kubelet writes "0".
  test.each([
    ['0', 'ResourceNotRegistered'],
    ['1', undefined],
  ])('with a resource that the node reports as "%s": %s', (amount, reason) => {
    const claim = nodeClaim('a', { spec: { resources: { requests: { 'nvidia.com/gpu': '1' } } } })
    const status = {
      conditions: [{ type: 'Ready', status: 'True' }],
      allocatable: { 'nvidia.com/gpu': amount },
    } as const
    expect(initializationObstacle(claim, { ...node('n'), status }, undefined)?.reason).toBe(reason)
  })

  test.each([
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule', value: 'true' },
    { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
    { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
    { key: 'readiness.k8s.io/network', effect: 'PreferNoSchedule' },
  ] as const)('waits for the removal of $key:$effect', async (taint) => {
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

  test('is not delayed by an unknown taint, or by a known taint with another effect', () => {
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

  test('is delayed in a cluster until a readiness taint is removed', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1h' })
    await createClaim(harness)
    await harness.pass(1_000)
    await bareNode(harness, undefined, {}, [{ key: 'readiness.k8s.io/network', effect: 'NoExecute' }])
    await harness.pass(3_000)
    expect(await harness.condition('Initialized')).toBe('Unknown KnownEphemeralTaintsExist')
    await harness.patch(kinds.Node, await harness.node(), { spec: { taints: [] } })
    await harness.pass(3_000)
    expect(await harness.condition('Initialized')).toBe('True Initialized')
  })
})

describe('the initialization of a node is logged once', () => {
  const reported = (harness: Harness): number =>
    harness.log.messages('info').filter((message) => message === 'initialized nodeclaim').length

  /** Starts a cluster with a registered claim whose node has just become ready, and a controller whose informers the test fills. */
  const readyNode = async () => {
    const harness = await lifecycleHarness({ kwok: { nodeReadyDelay: 20_000 } })
    await createClaim(harness)
    await harness.pass(5_000)
    harness.kill()
    await harness.patch(
      kinds.Node,
      await harness.node(),
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      'status',
    )
    const informers = new ManualInformers()
    const controller = new NodeClaimLifecycle(harness.depsWith(informers), {
      outcomes: new RegistrationOutcomes(),
    }).controller()
    const show = async (): Promise<void> => {
      informers.put(karpenterKinds.NodeClaim, (await harness.readClaim()) as NodeClaim)
      informers.put(kinds.Node, await harness.node())
    }
    await show()
    const pass = (): Promise<Outcome> => controller.reconcile('a', new AbortController().signal)
    return { harness, informers, show, pass }
  }

  test('even if the informer lags behind the pass that wrote it', async () => {
    const { harness, informers, show, pass } = await readyNode()
    expect(await pass()).toEqual(done())
    expect(await harness.condition('Initialized')).toBe('True Initialized')
    expect(reported(harness)).toBe(1)
    expect(await pass()).toEqual(retry())
    informers.put(kinds.Node, await harness.node())
    expect(await pass()).toEqual(retry())
    await show()
    expect(await pass()).toEqual(done())
    expect(reported(harness)).toBe(1)
  })

  test('even if another writer has changed the claim in the meantime', async () => {
    const { harness, show, pass } = await readyNode()
    const claim = (await harness.readClaim()) as NodeClaim
    await harness.patch(karpenterKinds.NodeClaim, claim, { metadata: { annotations: { team: 'a' } } })
    expect(await pass()).toEqual(retry())
    expect((await harness.node()).metadata.labels?.[labels.initialized]).toBe('true')
    expect(reported(harness)).toBe(0)
    await show()
    expect(await pass()).toEqual(done())
    expect(await harness.condition('Initialized')).toBe('True Initialized')
    expect(reported(harness)).toBe(1)
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

  test('a node is initialized when every driver has a complete pool of its newest generation', async () => {
    const harness = await lifecycleHarness({ settings: { ignoreDraRequests: false } })
    await createClaim(harness, 'a', wanted)
    await harness.pass(3_000)
    const obstacle = async () => findCondition((await harness.readClaim()) as NodeClaim, 'Initialized')?.message
    expect(await obstacle()).toBe('DRA driver "gpu.example.com" has not published a complete resource pool')
    const name = (await harness.node()).metadata.name
    await harness.admin.create(kinds.ResourceSlice, slice('gpu-1', 'gpu.example.com', name, 2, 2))
    await harness.admin.create(kinds.ResourceSlice, slice('gpu-0', 'gpu.example.com', name, 1, 2))
    await harness.pass(1_000)
    expect(await obstacle()).toContain('gpu.example.com')
    await harness.admin.create(kinds.ResourceSlice, slice('gpu-2', 'gpu.example.com', name, 2, 2))
    await harness.pass(1_000)
    expect(await obstacle()).toContain('nic.example.com')
    await harness.admin.create(kinds.ResourceSlice, slice('nic', 'nic.example.com', name, 1, 1))
    await harness.pass(1_000)
    expect(await harness.condition('Initialized')).toBe('True Initialized')
  })

  test.each([
    ['no annotation', {}, undefined],
    ['no driver in its annotation', { [annotations.requestedDraDrivers]: ' , ' }, undefined],
    ['two drivers without a pool', { [annotations.requestedDraDrivers]: 'a, b ,c' }, 'b'],
  ])('a claim with %s', (_what, own, missing) => {
    const devices = new DevicePools(new FixedInformers([slice('a', 'a', 'n', 1, 1)]))
    const ready = { ...node('n'), status: { conditions: [{ type: 'Ready', status: 'True' }] } } as const
    const obstacle = initializationObstacle(nodeClaim('a', { annotations: own }), ready, devices)
    expect(obstacle?.message).toBe(missing && `DRA driver "${missing}" has not published a complete resource pool`)
  })

  test('initialization does not wait for devices if DRA requests are ignored', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness, 'a', wanted)
  })
})
