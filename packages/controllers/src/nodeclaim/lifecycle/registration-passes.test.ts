import { finalizers, findCondition, labels, type Node, type NodeClaim, taints } from '@kerf/apis'
import type { HookResult, NodeLifecycleHook } from '@kerf/provider-contract'
import { condition, node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { type ClaimPassOptions, claimPasses } from '../../testing/by-hand/claim-passes.ts'
import { apiError, sumOfMetric } from '../../testing/harness/index.ts'

// Tests of the registration and initialization of a claim and its Node (`docs/spec/lifecycle.md#registration`,
// `docs/spec/lifecycle.md#initialization`).

const held = (claim: NodeClaim): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, resourceVersion: '7', finalizers: [finalizers.termination] },
})
const launched = (...more: readonly string[]) =>
  held(
    nodeClaim('c', {
      providerID: 'kwok://n',
      conditions: [condition('Launched'), ...more.map((type) => condition(type))],
    }),
  )
const joining = (traits: Parameters<typeof node>[1] = {}): Node => {
  const made = node('n', { providerID: 'kwok://n', spec: { taints: [taints.unregistered] }, ...traits })
  return { ...made, status: { ...made.status, conditions: [condition('Ready')] } }
}
const harness = (claim: NodeClaim, options: ClaimPassOptions = {}) => {
  const passes = claimPasses(claim, { nodes: [joining()], ...options })
  const said = (type: string) => {
    const stored = passes.claim()
    const found = stored && findCondition(stored, type)
    return found && `${found.status} ${found.reason}`
  }
  const created = (wanted: Readonly<Record<string, string>> = {}) =>
    sumOfMetric(passes.deps.metrics, 'karpenter_nodes_created_total', wanted)
  return { ...passes, said, created }
}

describe('registration of a Node', () => {
  test('removes the unregistered taint, stores the Node’s name, counts it by pool and zone, and publishes no warning', async () => {
    const claim = launched()
    const zoned = { ...claim, metadata: { ...claim.metadata, labels: { [labels.nodePool]: 'p', [labels.zone]: 'z' } } }
    const { pass, said, claim: stored, node: opened, created, events } = harness(zoned)
    await pass()
    expect([said('Registered'), stored()?.status?.nodeName]).toEqual(['True Registered', 'n'])
    expect([opened()?.spec.taints, opened()?.metadata.labels?.[labels.registered]]).toEqual([[], 'true'])
    expect(await created({ nodepool: 'p', zone: 'z' })).toBe(1)
    expect(events.reasons()).toEqual([])
  })

  test('counts it once, even if the claim could not be written', async () => {
    const passes = harness(launched(), {
      refuse: (call) => (call === 'patch NodeClaim/status' && passes.calls.length < 4 ? apiError(409) : undefined),
    })
    expect(await passes.pass()).toEqual({ kind: 'retry' })
    passes.see()
    await passes.pass()
    expect([passes.said('Registered'), await passes.created()]).toEqual(['True Registered', 1])
  })

  test('counts it once, even if the informer still shows the old Node', async () => {
    const passes = harness(launched(), {
      refuse: (call) => (call === 'patch NodeClaim/status' && passes.calls.length < 4 ? apiError(409) : undefined),
    })
    expect(await passes.pass()).toEqual({ kind: 'retry' })
    await passes.pass()
    expect([passes.said('Registered'), await passes.created()]).toEqual(['True Registered', 1])
  })

  test('succeeds in the same pass, even if the Node has changed before it is written', async () => {
    let refused = 0
    const passes = harness(launched(), {
      refuse: (call) => (call === 'patch Node' && refused++ === 0 ? apiError(409) : undefined),
    })
    await passes.pass()
    expect([refused, passes.said('Registered'), passes.node()?.spec.taints]).toEqual([2, 'True Registered', []])
    expect(await passes.created()).toBe(1)
  })

  test('works for a claim without labels', async () => {
    const { labels: _, ...metadata } = launched().metadata
    const { pass, said, created } = harness({ ...launched(), metadata })
    await pass()
    expect([said('Registered'), await created({ nodepool: '', zone: '' })]).toEqual(['True Registered', 1])
  })

  test.each([
    ['never had the unregistered taint', joining({ spec: {} }), ['UnregisteredTaintMissing']],
    [
      'has that taint with another effect',
      joining({ spec: { taints: [{ ...taints.unregistered, effect: 'NoSchedule' }] } }),
      ['UnregisteredTaintMissing'],
    ],
    ['is registered', joining({ spec: {}, labels: { [labels.registered]: 'true' } }), []],
  ])('publishes a warning if it %s: %#', async (_, seen, reasons) => {
    const { pass, said, events } = harness(launched(), { nodes: [seen] })
    await pass()
    expect([said('Registered'), events.reasons()]).toEqual(['True Registered', reasons])
    for (const event of events.events) {
      expect(event).toMatchObject({ type: 'Warning', object: { kind: 'NodeClaim' }, dedupeValues: ['uid-c'] })
    }
  })

  test('does not happen if there is no Node, or more than one', async () => {
    const none = harness(launched(), { nodes: [] })
    await none.pass()
    expect([none.said('Registered'), none.said('Initialized')]).toEqual([
      'Unknown NodeNotFound',
      'Unknown AwaitingReconciliation',
    ])
    const several = harness(launched(), { nodes: [joining(), { ...joining(), metadata: { name: 'm' } }] })
    await several.pass()
    expect([several.said('Registered'), several.calls]).toEqual([
      'False MultipleNodesFound',
      ['patch NodeClaim/status'],
    ])
  })

  test('calls beforeOpening before it removes the unregistered taint', async () => {
    const order: string[] = []
    const { pass } = harness(launched(), {
      refuse: (call) => void order.push(call),
      lifecycle: {
        beforeOpening: async (claim, seen) => void order.push(`${claim.metadata.name} ${seen.metadata.name}`),
      },
    })
    await pass()
    expect(order.slice(0, 2)).toEqual(['c n', 'patch Node'])
  })

  test('reports NodeNotFound if the Node is deleted meanwhile; any other refusal is an error', async () => {
    const gone = harness(launched(), { refuse: (call) => (call === 'patch Node' ? apiError(404) : undefined) })
    await gone.pass()
    expect([gone.said('Registered'), await gone.created()]).toEqual(['Unknown NodeNotFound', 0])
    const refused = harness(launched(), { refuse: (call) => (call === 'patch Node' ? apiError(500) : undefined) })
    await expect(refused.pass()).rejects.toThrow('simulated 500')
    expect(refused.said('Registered')).toBe('Unknown AwaitingReconciliation')
  })
})

describe('registration hooks', () => {
  const hook = (name: string, answer: HookResult | Error): NodeLifecycleHook => ({
    name,
    registered: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
  })
  const waits = (name: string, retryAfter: number) => hook(name, { ready: false, retryAfter })

  test('keep the Node tainted; the shortest wait counts, and results of ready hooks are written', async () => {
    const hooks = [
      waits('network', 9_000),
      hook('labels', { ready: true, labels: { slot: '7' }, annotations: { note: 'x' } }),
      waits('storage', 2_000),
    ]
    const { pass, claim, node: stored, created } = harness(launched(), { provider: { hooks } })
    expect(await pass()).toEqual({ kind: 'retry-after', after: 2_000 })
    expect(findCondition(claim() as NodeClaim, 'Registered')).toMatchObject({
      reason: 'RegistrationHookPending',
      message: 'network, storage',
    })
    expect(claim()?.metadata).toMatchObject({ labels: { slot: '7' }, annotations: { note: 'x' } })
    expect(stored()?.metadata).toMatchObject({ labels: { slot: '7' }, annotations: { note: 'x' } })
    expect(stored()?.spec.taints).toEqual([taints.unregistered])
    expect(stored()?.metadata.labels?.[labels.registered]).toBeUndefined()
    expect(await created()).toBe(0)
  })

  test('are listed as pending by name if they fail, and all their errors are thrown', async () => {
    const broken = [hook('network', new Error('no route')), hook('ready', { ready: true })]
    const one = harness(launched(), { provider: { hooks: broken } })
    await expect(one.pass()).rejects.toThrow('no route')
    expect(findCondition(one.claim() as NodeClaim, 'Registered')?.message).toBe('network')
    const two = harness(launched(), { provider: { hooks: [...broken, hook('storage', new Error('no disk'))] } })
    await expect(two.pass()).rejects.toMatchObject({ errors: [new Error('no route'), new Error('no disk')] })
    expect(findCondition(two.claim() as NodeClaim, 'Registered')?.message).toBe('network, storage')
  })

  test('do not matter if the Node is deleted meanwhile', async () => {
    const gone = harness(launched(), {
      provider: { hooks: [waits('network', 2_000)] },
      refuse: (call) => (call === 'patch Node' ? apiError(404) : undefined),
    })
    await gone.pass()
    expect(gone.said('Registered')).toBe('Unknown NodeNotFound')
  })
})

describe('a registered Node is initialized', () => {
  test('with a patch that adds the label, cannot conflict, and is sent only if the label is missing', async () => {
    const seen = joining({ spec: {}, labels: { [labels.registered]: 'true' } })
    const { pass, said, bodies } = harness(launched('Registered'), { nodes: [seen] })
    await pass()
    expect([said('Initialized'), bodies[0]]).toEqual([
      'True Initialized',
      { metadata: { labels: { [labels.initialized]: 'true' } } },
    ])
    const labelled = harness(launched('Registered'), {
      nodes: [joining({ spec: {}, labels: { [labels.initialized]: 'true' } })],
    })
    await labelled.pass()
    expect([labelled.said('Initialized'), labelled.calls]).toEqual(['True Initialized', ['patch NodeClaim/status']])
  })

  test('only if it exists, is ready, and is the only Node of the claim', async () => {
    const not = (status: 'False' | 'Unknown') => ({
      ...joining(),
      status: { conditions: [condition('Ready', status)] },
    })
    for (const [nodes, reason] of [
      [[], 'NodeNotFound'],
      [[joining(), { ...joining(), metadata: { name: 'm' } }], 'NodeNotFound'],
      [[not('False')], 'NodeNotReady'],
      [[not('Unknown')], 'NodeNotReady'],
      [[joining()], 'KnownEphemeralTaintsExist'],
    ] as const) {
      const { pass, said, calls } = harness(launched('Registered'), { nodes })
      expect(await pass()).toEqual({ kind: 'done' })
      expect([said('Initialized'), calls]).toEqual([`Unknown ${reason}`, ['patch NodeClaim/status']])
    }
    const gone = harness(launched('Registered'), {
      nodes: [joining({ spec: {} })],
      refuse: (call) => (call === 'patch Node' ? apiError(404) : undefined),
    })
    await gone.pass()
    expect(gone.said('Initialized')).toBe('Unknown NodeNotFound')
  })

  test('and its claim stays initialized even if the Node disappears', async () => {
    const { pass, calls } = harness(launched('Registered', 'Initialized', 'Ready'), { nodes: [] })
    expect([await pass(), calls]).toEqual([{ kind: 'done' }, []])
  })
})
