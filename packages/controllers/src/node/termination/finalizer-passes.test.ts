import { annotations, type Condition, finalizers, kinds, labels, type Node, type NodeClaim } from '@kerf/apis'
import type { KubeClient, Outcome } from '@kerf/runtime'
import { condition, node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { apiError } from '../../testing/harness/index.ts'
import { NodeClaimFinalizer } from './node-claim-finalizer.ts'

// Tests of one pass over a deleted NodeClaim (`docs/spec/termination.md#nodeclaim-finalizer`).

const deleted = '2026-01-01T00:00:00Z'
interface Traits {
  readonly present?: readonly string[]
  readonly providerID?: string
  readonly conditions?: readonly Condition[]
  readonly nodeName?: string
  readonly period?: string
  readonly annotations?: Readonly<Record<string, string>>
}
const leaving = (traits: Traits = {}): NodeClaim => {
  const claim = nodeClaim('c', {
    deletionTimestamp: deleted,
    providerID: traits.providerID ?? 'kwok://n',
    conditions: traits.conditions ?? [condition('Registered')],
    ...(traits.period === undefined ? {} : { spec: { terminationGracePeriod: traits.period } }),
  })
  const own = traits.annotations === undefined ? {} : { annotations: traits.annotations }
  return {
    ...claim,
    metadata: {
      ...claim.metadata,
      resourceVersion: '7',
      finalizers: traits.present ?? [finalizers.termination],
      ...own,
    },
    status: { ...claim.status, ...(traits.nodeName === undefined ? {} : { nodeName: traits.nodeName }) },
  }
}

interface Answers {
  readonly mirrored?: readonly Node[]
  readonly live?: Node | Error
  readonly deletion?: Error
  readonly patch?: Error
}
/**
 * Runs one pass while the instance is terminating. Returns the API calls of the pass in order. The second parameter has the responses of
 * the API server.
 */
const passOver = async (claim: NodeClaim, { mirrored = [], live = apiError(404), deletion, patch }: Answers = {}) => {
  const calls: unknown[] = []
  const bodies: unknown[] = []
  const client = {
    get: async (_: unknown, { name }: { readonly name: string }) => {
      calls.push(`get ${name}`)
      if (live instanceof Error) throw live
      return live
    },
    delete: async (_: unknown, { name }: { readonly name: string }, options: { readonly preconditions?: unknown }) => {
      calls.push(['delete', name, options.preconditions])
      if (deletion !== undefined) throw deletion
    },
    patch: async (
      _: unknown,
      __: unknown,
      change: { readonly body: unknown },
      options: { readonly subresource?: string },
    ) => {
      calls.push(`patch ${options.subresource ?? 'itself'}`)
      bodies.push(change.body)
      if (patch !== undefined) throw patch
      return claim
    },
  } as unknown as Partial<KubeClient>
  const provider = { delete: async () => void calls.push('end the instance') }
  const { deps, informers, events } = manualState({ client, provider })
  const finalizer = new NodeClaimFinalizer(deps, new ClaimNodes(informers))
  informers.put(kinds.Node, ...mirrored)
  const outcome: Outcome | string = await finalizer.finalize(claim, new AbortController().signal).catch(String)
  return { outcome, calls, bodies, events: events.events }
}
const waits = { kind: 'retry-after', after: 5_000 }
const mine = (name: string, traits: Parameters<typeof node>[1] = {}) =>
  node(name, { providerID: 'kwok://n', ...traits })
const ending = ['end the instance', 'patch status']

describe('the Nodes of a deleted claim', () => {
  test('are deleted by their UID and waited for; Nodes that are already deleted are not deleted again', async () => {
    const { outcome, calls } = await passOver(leaving(), {
      mirrored: [mine('n'), mine('m', { deletionTimestamp: deleted })],
    })
    expect(calls).toEqual([['delete', 'n', { uid: 'uid-n' }]])
    expect(outcome).toEqual(waits)
  })

  test('may have been deleted meanwhile; any other refusal is an error', async () => {
    const gone = await passOver(leaving(), { mirrored: [mine('n')], deletion: apiError(404) })
    expect(gone.outcome).toEqual(waits)
    const refused = await passOver(leaving(), { mirrored: [mine('n')], deletion: apiError(503) })
    expect(refused.outcome).toContain('simulated 503')
  })

  test('keep the instance even if the informer does not show them', async () => {
    const { outcome, calls } = await passOver(leaving({ nodeName: 'n' }), { live: mine('n') })
    expect(calls).toEqual(['get n'])
    expect(outcome).toEqual(waits)
  })

  test.each([
    ['is gone', leaving({ nodeName: 'n' }), apiError(404), ['get n', ...ending]],
    [
      'is another instance’s',
      leaving({ nodeName: 'n' }),
      node('n', { providerID: 'kwok://later' }),
      ['get n', ...ending],
    ],
    ['is not named in the claim', leaving(), mine('n'), ending],
  ])('do not count if the Node %s, so the instance is terminated', async (_, claim, live, expected) => {
    const { outcome, calls } = await passOver(claim, { live })
    expect(calls).toEqual(expected)
    expect(outcome).toEqual(waits)
  })

  test('are unknown while the API server does not respond, so the instance stays', async () => {
    const { outcome, calls } = await passOver(leaving({ nodeName: 'n' }), { live: apiError(503) })
    expect(calls).toEqual(['get n'])
    expect(outcome).toContain('simulated 503')
  })

  test('stay if the claim never registered, unless the informer or the API server shows that pods could run on them', async () => {
    const claim = leaving({ conditions: [] })
    const opened = mine('n', { labels: { [labels.registered]: 'true' } })
    expect((await passOver(claim, { mirrored: [mine('n')], live: mine('n') })).calls).toEqual(['get n', ...ending])
    expect((await passOver(claim, { mirrored: [mine('n')] })).calls).toEqual(['get n', ...ending])
    expect((await passOver(claim, { mirrored: [mine('n')], live: opened })).calls).toEqual([
      'get n',
      ['delete', 'n', { uid: 'uid-n' }],
    ])
    expect((await passOver(claim, { mirrored: [opened] })).calls).toEqual([['delete', 'n', { uid: 'uid-n' }]])
  })
})

describe('the finalizer of a deleted claim', () => {
  test('is not written if it is absent', async () => {
    const { outcome, calls } = await passOver(leaving({ present: ['example.com/mine'] }))
    expect({ outcome, calls }).toEqual({ outcome: { kind: 'done' }, calls: [] })
  })

  test('is removed at once if there is no instance; other finalizers stay, and no concurrent write is lost', async () => {
    const claim = leaving({ providerID: '', conditions: [], present: ['example.com/mine', finalizers.termination] })
    const { outcome, calls, bodies } = await passOver(claim)
    expect(outcome).toEqual({ kind: 'done' })
    expect(calls).toEqual(['patch itself'])
    expect(bodies).toEqual([{ metadata: { resourceVersion: '7', finalizers: ['example.com/mine'] } }])
  })

  test('may have been removed with the claim meanwhile; any other refusal is an error', async () => {
    const claim = leaving({ providerID: '', conditions: [] })
    expect((await passOver(claim, { patch: apiError(404) })).outcome).toEqual({ kind: 'done' })
    expect((await passOver(claim, { patch: apiError(409) })).outcome).toContain('simulated 409')
  })
})

describe('the deadline of a deleted claim', () => {
  const still = { mirrored: [mine('n', { deletionTimestamp: deleted })] }
  test('is the deletion time plus the terminationGracePeriod, written with the resourceVersion that was read, and reported', async () => {
    const { bodies, events } = await passOver(leaving({ period: '90s' }), still)
    const at = '2026-01-01T00:01:30Z'
    expect(bodies).toEqual([
      { metadata: { resourceVersion: '7', annotations: { [annotations.terminationTimestamp]: at } } },
    ])
    expect(events.map(({ reason, message, object }) => [reason, message, object.kind])).toEqual([
      ['TerminationGracePeriodExpiring', `All pods will be deleted by ${at}`, 'NodeClaim'],
    ])
  })

  test('is not written without a terminationGracePeriod, and does not replace an existing deadline', async () => {
    const there = { [annotations.terminationTimestamp]: '2026-01-01T00:00:10Z' }
    for (const claim of [leaving(), leaving({ period: '90s', annotations: there })]) {
      const { bodies, events } = await passOver(claim, still)
      expect({ bodies, events }).toEqual({ bodies: [], events: [] })
    }
  })
})
