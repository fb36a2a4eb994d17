import { findCondition, type karpenterKinds, type NodeClaim } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { condition, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { apiError } from '../testing/harness/index.ts'
import { opened, restamped, writeClaim } from './claim-changes.ts'

const { signal } = new AbortController()
const NOW = Date.parse('2026-01-01T01:00:00Z')

/** Returns the writes that change `before` into `after`. Every response has a higher resourceVersion. */
const writing = async (before: NodeClaim, after: NodeClaim, refusal?: Error) => {
  const written: unknown[] = []
  let version = 7
  const client = {
    patch: async (
      { kind }: typeof karpenterKinds.NodeClaim,
      ref: unknown,
      { type, body }: { type: string; body: unknown },
      { subresource }: { subresource?: string },
    ) => {
      written.push([kind, ref, type, subresource, body])
      if (refusal !== undefined) throw refusal
      return { ...before, metadata: { ...before.metadata, resourceVersion: String(++version) } }
    },
  } as unknown as KubeClient
  const answer = await writeClaim(client, before, after, signal).catch(String)
  return { written, answer }
}
const claim: NodeClaim = {
  ...nodeClaim('c'),
  metadata: {
    ...nodeClaim('c').metadata,
    resourceVersion: '7',
    labels: { team: 'web', old: 'x' },
    annotations: { note: 'a' },
  },
  status: { providerID: 'kwok://c', capacity: { cpu: '4' }, conditions: [condition('Launched')] },
}
const changed = (metadata: Partial<NodeClaim['metadata']>, status: NodeClaim['status'] = {}): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, ...metadata },
  status: { ...claim.status, ...status },
})
const itself = (body: object) => ['NodeClaim', { name: 'c' }, 'merge', undefined, body]
const status = (body: object) => ['NodeClaim', { name: 'c' }, 'merge', 'status', body]

describe('a changed claim is written', () => {
  test('not at all if its values are equal, even if they were computed again', async () => {
    const copy = changed({ labels: { ...claim.metadata.labels } }, structuredClone(claim.status ?? {}))
    expect(await writing(claim, copy)).toEqual({ written: [], answer: claim })
    const bare = nodeClaim('c')
    const { labels: _, ...metadata } = bare.metadata
    const { status: __, ...rest } = bare
    const empty = { ...rest, metadata }
    expect((await writing(empty, empty)).written).toEqual([])
  })

  test('with only those labels and annotations that are new or changed', async () => {
    const { written } = await writing(claim, changed({ labels: { team: 'api', old: 'x', zone: 'z' } }))
    expect(written).toEqual([
      itself({ metadata: { resourceVersion: '7', labels: { team: 'api', zone: 'z' }, annotations: {} } }),
    ])
    const annotated = await writing(claim, changed({ annotations: { note: 'b' } }))
    expect(annotated.written).toEqual([
      itself({ metadata: { resourceVersion: '7', labels: {}, annotations: { note: 'b' } } }),
    ])
  })

  test('with the whole value of each status field that changed', async () => {
    const conditions = [condition('Launched'), condition('Registered')]
    const { written } = await writing(claim, changed({}, { conditions, nodeName: 'n', capacity: { cpu: '4' } }))
    expect(written).toEqual([status({ metadata: { resourceVersion: '7' }, status: { conditions, nodeName: 'n' } })])
  })

  test('first as an object and then its status, with the resourceVersion of the first response', async () => {
    const { written, answer } = await writing(claim, changed({ labels: { zone: 'z' } }, { nodeName: 'n' }))
    expect(written).toEqual([
      itself({ metadata: { resourceVersion: '7', labels: { zone: 'z' }, annotations: {} } }),
      status({ metadata: { resourceVersion: '8' }, status: { nodeName: 'n' } }),
    ])
    expect(answer).toMatchObject({ metadata: { resourceVersion: '9' } })
  })

  test('without an error if it is deleted meanwhile; any other refusal is an error', async () => {
    const next = changed({ labels: { zone: 'z' } }, { nodeName: 'n' })
    const gone = await writing(claim, next, apiError(404))
    expect([gone.answer, gone.written.length]).toEqual([undefined, 1])
    expect((await writing(claim, next, apiError(409))).answer).toContain('simulated 409')
  })
})

describe('the conditions of a claim', () => {
  const of = (copy: NodeClaim) => (copy.status?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`)

  test('all exist from the start, with the claim’s creation time', () => {
    const fresh = opened(nodeClaim('c'), NOW)
    expect(of(fresh).toSorted()).toEqual([
      'Initialized=Unknown',
      'Launched=Unknown',
      'Ready=Unknown',
      'Registered=Unknown',
    ])
    expect(findCondition(fresh, 'Launched')?.lastTransitionTime).toBe('2026-01-01T00:00:00Z')
  })

  test('get the current generation and otherwise stay unchanged; missing conditions are not added', () => {
    const failed = { ...condition('Registered', 'False', 'MultipleNodesFound'), message: 'two' }
    const seen = nodeClaim('c', { conditions: [failed] })
    const newer = { ...seen, metadata: { ...seen.metadata, generation: 2 } }
    expect(findCondition(restamped(newer, 'Registered', NOW), 'Registered')).toEqual({
      ...failed,
      observedGeneration: 2,
    })
    expect(restamped(newer, 'Launched', NOW)).toBe(newer)
  })
})
