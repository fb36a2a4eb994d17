import { finalizers, labels, type Node, type OwnerReference, type Taint, taints } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { apiError } from '../../testing/harness/index.ts'
import { patchNode, registeredNode, syncedNode, writeNode } from './node-sync.ts'

// Tests of the fields that registration writes to a Node (`docs/spec/lifecycle.md#registration`).

const { signal } = new AbortController()
const claim = nodeClaim('c', {
  spec: {
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'agent', effect: 'NoExecute' }],
  },
})
const mine = (uid = 'uid-c'): OwnerReference => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  name: 'c',
  uid,
  blockOwnerDeletion: true,
})
const other: Taint = { key: 'example.com/mine', effect: 'NoSchedule' }
const withTaints = (present: readonly Taint[], own: Readonly<Record<string, string>> = {}): Node =>
  node('n', { labels: own, spec: { taints: present } })
const wanted = [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])]

describe('taints of the claim are added to the Node', () => {
  const taintKeys = (seen: Node) => syncedNode(seen, claim).taints.map(({ key }) => key)

  test('after the existing taints, and only once for each key and effect', () => {
    expect(syncedNode(withTaints([other]), claim).taints).toEqual([other, ...wanted])
    const valued: Taint = { key: 'dedicated', value: 'else', effect: 'NoSchedule' }
    expect(syncedNode(withTaints([other, valued]), claim).taints).toEqual([other, valued, wanted[1]])
    expect(taintKeys(withTaints([{ key: 'dedicated', effect: 'NoExecute' }]))).toEqual([
      'dedicated',
      'dedicated',
      'agent',
    ])
    const twice = nodeClaim('c', { spec: { taints: [other], startupTaints: [other] } })
    expect(syncedNode(node('n'), twice).taints).toEqual([other])
  })

  test('unless the Node has do-not-sync-taints or is registered', () => {
    expect(taintKeys(withTaints([other], { [labels.doNotSyncTaints]: 'true' }))).toEqual([other.key])
    expect(taintKeys(withTaints([other], { [labels.registered]: 'true' }))).toEqual([other.key])
    expect(taintKeys(withTaints([], { [labels.registered]: 'false' }))).toEqual(['dedicated', 'agent'])
  })

  test('and registration removes none of them, only the unregistered taint', () => {
    const sync = syncedNode(withTaints([other, taints.unregistered]), claim)
    expect(sync.taints).toContainEqual(taints.unregistered)
    const registered = registeredNode(sync)
    expect(registered.taints).toEqual([other, ...wanted])
    expect(registered.labels).toEqual({ ...sync.labels, [labels.registered]: 'true' })
  })
})

test('labels and annotations of the claim override those of the Node, which keeps all others', () => {
  const seen = node('n', { labels: { team: 'node', own: 'kept' } })
  const annotated = { ...seen, metadata: { ...seen.metadata, annotations: { note: 'node', own: 'kept' } } }
  const { metadata } = claim
  const sync = syncedNode(annotated, {
    ...claim,
    metadata: { ...metadata, labels: { team: 'claim' }, annotations: { note: 'claim' } },
  })
  expect(sync.labels).toEqual({ team: 'claim', own: 'kept' })
  expect(sync.annotations).toEqual({ note: 'claim', own: 'kept' })
})

describe('finalizer and owner reference are added once', () => {
  const of = (metadata: Partial<Node['metadata']>) => {
    const seen = node('n')
    return syncedNode({ ...seen, metadata: { ...seen.metadata, ...metadata } }, claim)
  }
  test('in addition to those of other programs', () => {
    expect(of({}).finalizers).toEqual([finalizers.termination])
    expect(of({ finalizers: ['example.com/x'] }).finalizers).toEqual(['example.com/x', finalizers.termination])
    expect(of({ finalizers: [finalizers.termination] }).finalizers).toEqual([finalizers.termination])
    const owner = { apiVersion: 'v1', kind: 'Machine', name: 'm', uid: 'm' }
    expect(of({ ownerReferences: [owner] }).ownerReferences).toEqual([owner, mine()])
    expect(of({ ownerReferences: [owner, mine()] }).ownerReferences).toEqual([owner, mine()])
  })

  test.each([
    ['API version', { ...mine(), apiVersion: 'karpenter.sh/v1beta1' }],
    ['kind', { ...mine(), kind: 'NodePool' }],
    ['uid', mine('uid-earlier')],
  ])('even if an owner reference differs in its %s', (_, owner) => {
    expect(of({ ownerReferences: [owner] }).ownerReferences).toEqual([owner, mine()])
  })
})

describe('the Node is written', () => {
  const synced = (): Node => {
    const seen = withTaints([other])
    const sync = syncedNode(
      { ...seen, metadata: { ...seen.metadata, annotations: { a: '1', b: '2' } } },
      { ...claim, metadata: { ...claim.metadata, labels: { team: 'web', zone: 'z' } } },
    )
    const { taints: all, ...metadata } = sync
    return { ...seen, metadata: { ...seen.metadata, ...metadata, resourceVersion: '7' }, spec: { taints: all } }
  }
  const writing = async (seen: Node, target = synced(), refusal?: Error) => {
    const written: unknown[] = []
    const client = {
      patch: async (_: unknown, ref: unknown, { type, body }: { type: string; body: unknown }) => {
        written.push([ref, type, body])
        if (refusal !== undefined) throw refusal
      },
    } as unknown as KubeClient
    const { labels: own = {}, annotations = {}, finalizers: held = [], ownerReferences = [] } = target.metadata
    const sync = { labels: own, annotations, finalizers: held, ownerReferences, taints: target.spec.taints ?? [] }
    return { answer: await writeNode(client, seen, sync, signal).catch(String), written, sync }
  }
  const { metadata, spec } = synced()

  test('but not if it already has all values, even if it has additional values', async () => {
    expect(await writing(synced())).toMatchObject({ answer: true, written: [] })
    const more = { ...synced(), metadata: { ...metadata, labels: { ...metadata.labels, own: 'x' } } }
    expect(await writing(more)).toMatchObject({ answer: true, written: [] })
    const bare = { ...node('n'), spec: {} }
    expect(await writing(bare, { ...bare, metadata: { ...bare.metadata, labels: {} } })).toMatchObject({ written: [] })
  })

  test.each([
    ['a label', { metadata: { ...metadata, labels: { team: 'web' } } }],
    ['the value of a label', { metadata: { ...metadata, labels: { ...metadata.labels, team: 'x' } } }],
    ['an annotation', { metadata: { ...metadata, annotations: { a: '1' } } }],
    ['its finalizer', { metadata: { ...metadata, finalizers: [] } }],
    ['its owner', { metadata: { ...metadata, ownerReferences: [] } }],
    ['a taint', { spec: { taints: [other] } }],
  ])('if it lacks %s, in one patch with the resourceVersion that was read', async (_, lacking) => {
    const { answer, written, sync } = await writing({ ...synced(), ...lacking })
    const { taints: all, ...rest } = sync
    const body = { metadata: { resourceVersion: '7', ...rest }, spec: { taints: all } }
    expect([answer, written]).toEqual([true, [[{ name: 'n' }, 'merge', body]]])
    expect(all).toEqual(spec.taints)
  })

  test('and the result says whether it was deleted; any other refusal is an error', async () => {
    const lacking = { ...synced(), spec: {} }
    expect((await writing(lacking, synced(), apiError(404))).answer).toBe(false)
    expect((await writing(lacking, synced(), apiError(409))).answer).toContain('simulated 409')
    const client = { patch: () => Promise.reject(apiError(500)) } as unknown as KubeClient
    await expect(patchNode(client, 'n', {}, signal)).rejects.toThrow('simulated 500')
  })
})
