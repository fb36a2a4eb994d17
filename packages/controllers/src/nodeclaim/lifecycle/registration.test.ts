import { finalizers, findCondition, kinds, labels, type NodeClaim, taints } from '@kerf/apis'
import type { HookResult } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { bareNode } from '../../testing/bare-node.ts'
import {
  apiError,
  createClaim,
  createInitializedClaim,
  lifecycleHarness,
  withHooks,
} from '../../testing/harness/index.ts'

const minutes = (count: number): number => count * 60_000
const taintKeys = (node: { spec: { taints?: readonly { key: string }[] } }): readonly string[] =>
  (node.spec.taints ?? []).map(({ key }) => key)

describe('registration', () => {
  test('the node gets labels, annotations, taints and startup taints of the claim, and a finalizer and an owner', async () => {
    const harness = await lifecycleHarness()
    await createClaim(harness, 'a', {
      metadata: { labels: { team: 'web' }, annotations: { note: 'x' } },
      spec: {
        taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'agent', effect: 'NoExecute' }],
      },
    })
    await harness.pass(3_000)
    const node = await harness.node()
    const claim = (await harness.readClaim()) as NodeClaim
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
    expect(await harness.metric('karpenter_nodes_created_total', { nodepool: 'default' })).toBe(1)
  })

  test('removed startup taints are not added again', async () => {
    const harness = await lifecycleHarness()
    await createClaim(harness, 'a', { spec: { startupTaints: [{ key: 'agent', effect: 'NoSchedule' }] } })
    await harness.pass(3_000)
    expect(await harness.condition('Initialized')).toBe('Unknown StartupTaintsExist')
    await harness.patch(kinds.Node, await harness.node(), { spec: { taints: [] } })
    await harness.pass(3_000)
    expect(await harness.condition('Initialized')).toBe('True Initialized')
    expect(taintKeys(await harness.node())).toEqual([])
  })

  test.each([
    ['true', []],
    ['True', ['dedicated', 'agent']],
  ])('taints of the claim are copied as the label do-not-sync-taints=%s says', async (value, expected) => {
    const harness = await lifecycleHarness()
    await createClaim(harness, 'a', {
      metadata: { labels: { [labels.doNotSyncTaints]: value } },
      spec: {
        taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'agent', effect: 'NoSchedule' }],
      },
    })
    await harness.pass(3_000)
    expect(taintKeys(await harness.node())).toEqual(expected)
    expect(await harness.condition('Registered')).toBe('True Registered')
  })

  test('a node without the unregistered taint registers with a warning', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1h' })
    await createClaim(harness)
    await harness.pass(1_000)
    await bareNode(harness)
    await harness.pass(2_000)
    expect(await harness.condition('Registered')).toBe('True Registered')
    expect(harness.events.reasons()).toContain('UnregisteredTaintMissing')
  })

  test('if two nodes have the same provider ID, the claim stays unregistered and is deleted', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1h' })
    const { metadata } = await createClaim(harness)
    await harness.pass(1_000)
    harness.fault = (call) => (call.kind?.kind === 'Node' && call.verb === 'patch' ? apiError(500) : undefined)
    await bareNode(harness, 'one')
    await bareNode(harness, 'two')
    await harness.pass(90_000)
    harness.fault = undefined
    await harness.pass(1_000)
    expect(await harness.condition('Registered')).toBe('False MultipleNodesFound')
    await harness.delete(kinds.Node, await harness.read(kinds.Node, 'two'))
    await harness.pass(minutes(10))
    expect((await harness.readClaim())?.metadata.uid).toBe(metadata.uid)
    expect(await harness.condition('Registered')).toBe('False MultipleNodesFound')
    await harness.pass(minutes(6))
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', { reason: 'registration_timeout' })).toBe(1)
  })
})

describe('registration hooks', () => {
  const wait = { ready: false, retryAfter: 2_000 } as const
  const hook = (name: string, answer: () => Promise<HookResult>) => ({ name, registered: answer })
  const ready = hook('passes', async () => ({ ready: true }))

  test('until all hooks are ready, the pending ones are listed, and the node has the claim’s labels but stays tainted', async () => {
    const open = new Set(['network', 'storage'])
    const gate = (name: string) => hook(name, async () => (open.has(name) ? wait : { ready: true }))
    const harness = await lifecycleHarness({ provider: withHooks(gate('network'), ready, gate('storage')) })
    await createClaim(harness, 'a', { metadata: { labels: { team: 'web' } } })
    await harness.pass(1_000)
    const registered = async () => findCondition((await harness.readClaim()) as NodeClaim, 'Registered')
    expect(await registered()).toMatchObject({
      status: 'Unknown',
      reason: 'RegistrationHookPending',
      message: 'network, storage',
    })
    const node = await harness.node()
    expect(taintKeys(node)).toContain(taints.unregistered.key)
    expect(node.metadata.labels).toMatchObject({ team: 'web' })
    expect(node.metadata.labels?.[labels.registered]).toBeUndefined()
    expect(node.metadata.finalizers).toEqual([finalizers.termination])
    open.delete('network')
    await harness.pass(3_000)
    expect(await registered()).toMatchObject({ status: 'Unknown', message: 'storage' })
    open.delete('storage')
    await harness.pass(3_000)
    expect(await registered()).toMatchObject({ status: 'True' })
    expect(taintKeys(await harness.node())).not.toContain(taints.unregistered.key)
    // Several passes wrote the node, but it has only one owner reference.
    expect((await harness.node()).metadata.ownerReferences).toHaveLength(1)
  })

  test('a pending hook does not stop the registration timeout', async () => {
    const harness = await lifecycleHarness({ provider: withHooks(hook('never', async () => wait)) })
    await createClaim(harness)
    await harness.pass(minutes(14.9))
    expect(await harness.readClaim()).toBeDefined()
    await harness.pass(minutes(1))
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.nodes()).toEqual([])
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
    const harness = await lifecycleHarness({ provider: withHooks(slow('a'), slow('b')) })
    await createInitializedClaim(harness)
    expect(order.slice(0, 4)).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
  })

  test('a hook that fails is an error and retried', async () => {
    let isBroken = true
    const broken = hook('network', async () => {
      if (isBroken) throw new Error('no route')
      return { ready: true }
    })
    const harness = await lifecycleHarness({ provider: withHooks(broken) })
    await createClaim(harness)
    await harness.pass(900)
    expect(await harness.condition('Registered')).toBe('Unknown RegistrationHookPending')
    expect(harness.log.messages('error')).toContain('Reconciler error')
    isBroken = false
    await harness.pass(65_000)
    expect(await harness.condition('Registered')).toBe('True Registered')
  })

  test('labels that a hook adds are written to claim and node', async () => {
    const harness = await lifecycleHarness({
      provider: withHooks(hook('labels', async () => ({ ready: true, labels: { slot: '7' } }))),
    })
    const claim = await createInitializedClaim(harness)
    expect(claim.metadata.labels?.['slot']).toBe('7')
    expect((await harness.node()).metadata.labels?.['slot']).toBe('7')
  })

  test('an empty list of hooks delays nothing', async () => {
    const harness = await lifecycleHarness({ provider: withHooks() })
    await createInitializedClaim(harness)
  })
})
