import { annotations, finalizers, findCondition, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import type { HookResult } from '@kerf/provider-contract'
import { condition, node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { claimPasses, instance } from '../../testing/by-hand/claim-passes.ts'
import { apiError } from '../../testing/harness/index.ts'

// Tests of one pass over a NodeClaim (`docs/spec/lifecycle.md#the-lifecycle-controller`).

const MINUTE = 60_000
const create = async () => instance('n')
const held = (claim: NodeClaim, present: readonly string[] = [finalizers.termination]): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, resourceVersion: '7', finalizers: present },
})
const launched = (...more: readonly string[]) =>
  held(
    nodeClaim('c', {
      providerID: 'kwok://n',
      conditions: [condition('Launched'), ...more.map((type) => condition(type))],
    }),
  )
const readyNode = (own: Readonly<Record<string, string>> = {}) => {
  const made = node('n', { providerID: 'kwok://n', labels: own })
  return { ...made, status: { ...made.status, conditions: [condition('Ready')] } }
}
const hook = (name: string, registered: () => Promise<HookResult>) => ({ name, registered })
const done = { kind: 'done' }
const again = { kind: 'retry' }
const after = (span: number) => ({ kind: 'retry-after', after: span })

describe('Kerf makes no call for a claim', () => {
  test('if it does not exist or belongs to another provider', async () => {
    const elsewhere = nodeClaim('c', { spec: { nodeClassRef: { group: 'other.sh', kind: 'Other', name: 'x' } } })
    const { pass, calls } = claimPasses(elsewhere, { provider: { create } })
    expect([await pass(), await pass('gone'), calls]).toEqual([done, done, []])
  })
})

describe('the finalizer', () => {
  test('is written before the instance is created, and does not replace other finalizers', async () => {
    const order: string[] = []
    const { pass, bodies, calls, claim } = claimPasses(held(nodeClaim('c'), ['example.com/mine']), {
      refuse: (call) => void order.push(call),
      provider: {
        create: async () => {
          order.push('create')
          return instance('n')
        },
      },
    })
    await pass()
    expect(order).toEqual(['patch NodeClaim', 'create', 'patch NodeClaim/status'])
    expect(bodies[0]).toEqual({
      metadata: { resourceVersion: '7', finalizers: ['example.com/mine', finalizers.termination] },
    })
    expect(calls).toHaveLength(2)
    expect(claim()?.status?.providerID).toBe('kwok://n')
  })

  test('is not written again if it is present', async () => {
    const { pass, calls } = claimPasses(held(nodeClaim('c')), { provider: { create } })
    await pass()
    expect(calls).toEqual(['patch NodeClaim/status'])
  })

  test('is refused for a deleted claim, which is not an error once the informer shows the deletion', async () => {
    const seen = nodeClaim('c')
    const known = claimPasses(seen, { refuse: () => apiError(404) })
    await expect(known.pass()).rejects.toThrow('simulated 404')
    const gone = claimPasses(seen, {
      refuse: () => {
        gone.informers.delete(karpenterKinds.NodeClaim, 'c')
        return apiError(404)
      },
    })
    expect(await gone.pass()).toEqual(done)
    const refused = claimPasses(seen, {
      refuse: () => {
        refused.informers.delete(karpenterKinds.NodeClaim, 'c')
        return apiError(503)
      },
    })
    await expect(refused.pass()).rejects.toThrow('simulated 503')
  })
})

describe('a pass ends', () => {
  test('with a retry at the time at which the claim is given up', async () => {
    const harness = claimPasses(launched())
    await harness.clock.advance(4 * MINUTE)
    expect(await harness.pass()).toEqual(after(11 * MINUTE))
    const failing = claimPasses(held(nodeClaim('c')), { provider: { create: () => Promise.reject(new Error('no')) } })
    await expect(failing.pass()).rejects.toThrow('no')
    failing.see()
    expect(await failing.pass()).toEqual(after(1_000))
    await failing.clock.advance(5 * MINUTE - 500)
    await expect(failing.pass()).rejects.toThrow('no')
    failing.see()
    expect(await failing.pass()).toEqual(after(500))
  })

  test('without a retry when the node is initialized; the Node accepts pods only after the provider ID is stored', async () => {
    const {
      pass,
      see,
      claim,
      node: stored,
    } = claimPasses(held(nodeClaim('c')), {
      nodes: [readyNode()],
      provider: { create },
    })
    expect(await pass()).toEqual(after(15 * MINUTE))
    expect(claim()?.status?.providerID).toBe('kwok://n')
    expect(stored()?.metadata.labels).not.toHaveProperty(labels.registered)
    see()
    expect(await pass()).toEqual(done)
    expect(claim()?.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(
      expect.arrayContaining(['Launched=True', 'Registered=True', 'Initialized=True', 'Ready=True']),
    )
    expect(stored()?.metadata.labels).toMatchObject({ [labels.registered]: 'true', [labels.initialized]: 'true' })
  })

  test('without further writes if the claim is given up', async () => {
    const { pass, calls, clock, claim } = claimPasses(launched())
    await clock.advance(15 * MINUTE)
    expect([await pass(), calls, claim()]).toEqual([done, ['delete NodeClaim'], undefined])
  })

  test('with an unchanged claim if the claim still has time left', async () => {
    const { pass, clock, claim } = claimPasses(launched(), { lifecycle: { timeouts: { registration: 2_000 } } })
    await clock.advance(1_999)
    expect(await pass()).toEqual(after(1))
    await clock.advance(1)
    expect([await pass(), claim()]).toEqual([done, undefined])
  })
})

describe('errors in a pass', () => {
  const broken = hook('network', () => Promise.reject(new Error('no route')))

  test('do not stop the other steps, and are thrown', async () => {
    const { pass, see, claim, clock } = claimPasses(held(nodeClaim('c')), {
      nodes: [readyNode()],
      provider: { create, hooks: [broken] },
    })
    await pass()
    see()
    await expect(pass()).rejects.toThrow('no route')
    const stored = claim() as NodeClaim
    expect(findCondition(stored, 'Launched')?.status).toBe('True')
    expect(findCondition(stored, 'Registered')?.reason).toBe('RegistrationHookPending')
    await clock.advance(15 * MINUTE)
    expect([await pass(), claim()]).toEqual([done, undefined])
  })

  test('are thrown as one error if there are several', async () => {
    const { pass, clock } = claimPasses(launched(), {
      nodes: [readyNode()],
      provider: { hooks: [broken] },
      refuse: (call) => (call === 'delete NodeClaim' ? apiError(503) : undefined),
    })
    await clock.advance(15 * MINUTE)
    await expect(pass()).rejects.toThrow('Error: no route; ApiError: simulated 503')
  })

  test('are not thrown after stale reads, which repeat the pass, unless another error occurred', async () => {
    const late = claimPasses(launched(), {
      nodes: [readyNode()],
      refuse: (call) => (call === 'patch Node' ? apiError(409) : undefined),
    })
    expect(await late.pass()).toEqual(again)
    const both = claimPasses(launched(), {
      nodes: [readyNode()],
      refuse: (call) =>
        call === 'patch Node' ? apiError(409) : call === 'delete NodeClaim' ? apiError(503) : undefined,
    })
    await both.clock.advance(15 * MINUTE)
    await expect(both.pass()).rejects.toThrow('simulated 503')
    const written = claimPasses(launched(), { refuse: () => apiError(409) })
    expect(await written.pass()).toEqual(again)
  })

  test('end the pass without a write if Kerf is stopping', async () => {
    const harness = claimPasses(held(nodeClaim('c')), {
      provider: {
        create: async () => {
          harness.stop.abort(new Error('stopping'))
          throw new Error('cut off')
        },
      },
    })
    await expect(harness.pass()).rejects.toThrow('cut off')
    expect(harness.calls).toEqual([])
  })
})

describe('a deleted claim', () => {
  const deleting = (claim: NodeClaim): NodeClaim => ({
    ...claim,
    metadata: { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  })

  test('gets no finalizer if it has none, and no instance is created for it', async () => {
    const { pass, calls } = claimPasses(deleting(held(nodeClaim('c'), [])), { provider: { create } })
    expect([await pass(), calls]).toEqual([done, []])
  })

  test('stores the provider ID of its instance before the instance is terminated', async () => {
    const order: string[] = []
    const harness = claimPasses(held(nodeClaim('c')), {
      refuse: (call) => {
        order.push(call)
        return order.length === 1 ? apiError(409) : undefined
      },
      provider: { create, delete: async ({ status }) => void order.push(`end ${status?.providerID}`) },
    })
    expect(await harness.pass()).toEqual(again)
    harness.put(deleting(harness.claim() as NodeClaim))
    harness.see()
    await harness.pass()
    expect(order.slice(0, 3)).toEqual(['patch NodeClaim/status', 'patch NodeClaim/status', 'end kwok://n'])
    expect(harness.claim()?.status?.providerID).toBe('kwok://n')
  })

  test('may disappear before the provider ID is stored, which ends the pass', async () => {
    const harness = claimPasses(held(nodeClaim('c')), { refuse: () => apiError(404), provider: { create } })
    expect(await harness.pass()).toEqual(after(15 * MINUTE))
    harness.put(deleting(harness.claim() as NodeClaim))
    harness.see()
    expect(await harness.pass()).toEqual(done)
  })
})

describe('ResourceSlices of a Node', () => {
  const slice = (nodeName: string) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: { driver: 'gpu', nodeName, pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [] },
  })
  const sourcesOf = (ignoreDraRequests: boolean) => {
    const claim = {
      ...launched(),
      metadata: { ...launched().metadata, annotations: { [annotations.requestedDraDrivers]: 'gpu' } },
    }
    const { controller, informers } = claimPasses(claim, {
      nodes: [readyNode(), node('bare')],
      settings: { ignoreDraRequests },
    })
    return controller.sources.filter(({ informer }) => (informer as unknown) === informers.of(kinds.ResourceSlice))
  }

  test('trigger its claim, unless device requests are ignored', () => {
    const [source, ...others] = sourcesOf(false)
    const keys = (nodeName: string) => [...(source?.keysOf({ after: slice(nodeName) } as never) ?? [])]
    expect([keys('n'), keys('bare'), keys('unknown')]).toEqual([['c'], [], []])
    expect(others).toEqual([])
    expect(sourcesOf(true)).toEqual([])
  })
})
