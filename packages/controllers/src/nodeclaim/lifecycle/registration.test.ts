import { finalizers, findCondition, kinds, labels, type NodeClaim, taints } from '@kerf/apis'
import type { HookResult } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { bareNode } from '../../testing/bare-node.ts'
import { apiError, createClaim, createInitializedClaim, lifecycleWorld, withHooks } from '../../testing/world/index.ts'

const minutes = (count: number): number => count * 60_000
const taintKeys = (node: { spec: { taints?: readonly { key: string }[] } }): readonly string[] =>
  (node.spec.taints ?? []).map(({ key }) => key)

describe('registration', () => {
  test('labels, annotations, taints and startup taints of the claim are copied to the node, with finalizer and owner', async () => {
    const world = await lifecycleWorld()
    await createClaim(world, 'a', {
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

  test('removed startup taints are not added again', async () => {
    const world = await lifecycleWorld()
    await createClaim(world, 'a', { spec: { startupTaints: [{ key: 'agent', effect: 'NoSchedule' }] } })
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
    const world = await lifecycleWorld()
    await createClaim(world, 'a', {
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
    const world = await lifecycleWorld({ registrationDelay: '1h' })
    await createClaim(world)
    await world.pass(1_000)
    await bareNode(world)
    await world.pass(2_000)
    expect(await world.condition('Registered')).toBe('True Registered')
    expect(world.events.reasons()).toContain('UnregisteredTaintMissing')
  })

  test('two nodes with the same provider ID are a permanent error, and the claim is deleted', async () => {
    const world = await lifecycleWorld({ registrationDelay: '1h' })
    const { metadata } = await createClaim(world)
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
  const hook = (name: string, answer: () => Promise<HookResult>) => ({ name, registered: answer })
  const ready = hook('passes', async () => ({ ready: true }))

  test('all must be ready; pending hooks are listed, and the node stays tainted but synchronized', async () => {
    const open = new Set(['network', 'storage'])
    const gate = (name: string) => hook(name, async () => (open.has(name) ? wait : { ready: true }))
    const world = await lifecycleWorld({ provider: withHooks(gate('network'), ready, gate('storage')) })
    await createClaim(world, 'a', { metadata: { labels: { team: 'web' } } })
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
    // The node was synchronized several times, and has one owner.
    expect((await world.node()).metadata.ownerReferences).toHaveLength(1)
  })

  test('a pending hook does not stop the registration timeout', async () => {
    const world = await lifecycleWorld({ provider: withHooks(hook('never', async () => wait)) })
    await createClaim(world)
    await world.pass(minutes(14.9))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(1))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.nodes()).toEqual([])
  })

  test('hooks are called in parallel', async () => {
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
    const world = await lifecycleWorld({ provider: withHooks(slow('a'), slow('b')) })
    await createInitializedClaim(world)
    expect(order.slice(0, 4)).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
  })

  test('an error of a hook is returned and retried', async () => {
    let isBroken = true
    const broken = hook('network', async () => {
      if (isBroken) throw new Error('no route')
      return { ready: true }
    })
    const world = await lifecycleWorld({ provider: withHooks(broken) })
    await createClaim(world)
    await world.pass(900)
    expect(await world.condition('Registered')).toBe('Unknown RegistrationHookPending')
    expect(world.log.messages('error')).toContain('Reconciler error')
    isBroken = false
    await world.pass(65_000)
    expect(await world.condition('Registered')).toBe('True Registered')
  })

  test('labels that a hook adds are written to claim and node', async () => {
    const world = await lifecycleWorld({
      provider: withHooks(hook('labels', async () => ({ ready: true, labels: { slot: '7' } }))),
    })
    const claim = await createInitializedClaim(world)
    expect(claim.metadata.labels?.['slot']).toBe('7')
    expect((await world.node()).metadata.labels?.['slot']).toBe('7')
  })

  test('an empty list of hooks delays nothing', async () => {
    const world = await lifecycleWorld({ provider: withHooks() })
    await createInitializedClaim(world)
  })
})
