import { finalizers, karpenterKinds, kinds, labels, type Node, type NodeClaim } from '@kerf/apis'
import type { KubeClient, Outcome } from '@kerf/runtime'
import { condition, node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { apiError } from '../../testing/harness/index.ts'
import { EvictionQueue } from './eviction-queue.ts'
import { NodeTermination } from './node-termination.ts'

const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'a', uid: 'uid-a' }
const leaving = (traits: { readonly providerID?: string; readonly owner?: Partial<typeof owner> } = {}): Node => {
  const { metadata, ...rest } = node('n', {
    pool: 'default',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'karpenter.kwok.sh/kwoknodeclass': 'default' },
    providerID: traits.providerID ?? 'kwok://n',
  })
  return {
    ...rest,
    metadata: { ...metadata, finalizers: [finalizers.termination], ownerReferences: [{ ...owner, ...traits.owner }] },
    status: { ...rest.status, conditions: [condition('Ready')] },
  }
}
const claimWithProviderID = (providerID = 'kwok://n'): NodeClaim => nodeClaim('a', { providerID })
const { status: _status, ...withoutStatus } = claimWithProviderID()

/**
 * Runs one pass of the controller `node.termination` for a Node whose claim is not in the informer. `stored` is the state of the API
 * server.
 */
const passOver = async (
  seen: Node,
  stored: NodeClaim | Error,
  mirrored: readonly NodeClaim[] = [],
): Promise<{ readonly outcome: Outcome | string; readonly asked: readonly string[]; readonly deleted: unknown[] }> => {
  const asked: string[] = []
  const deleted: unknown[] = []
  const known: Readonly<Record<string, unknown>> = { Node: seen, NodeClaim: stored }
  const client = {
    get: async (_: unknown, { name }: { readonly name: string }) => {
      asked.push(name)
      if (stored instanceof Error) throw stored
      return stored
    },
    delete: async (kind: { readonly kind: string }, ref: unknown, options: { readonly preconditions?: unknown }) =>
      void deleted.push([kind.kind, ref, options.preconditions]),
    patch: async ({ kind }: { readonly kind: string }) => known[kind],
    list: async () => ({ items: [] }),
  } as unknown as Partial<KubeClient>
  const { deps, informers } = manualState({ client })
  const links = new ClaimNodes(informers)
  const controller = new NodeTermination(deps, links, new EvictionQueue(deps, links)).controller()
  informers.put(kinds.Node, seen)
  informers.put(karpenterKinds.NodeClaim, ...mirrored)
  const outcome = await controller.reconcile('n', new AbortController().signal).catch((error: unknown) => String(error))
  return { outcome, asked, deleted }
}
const waits = { kind: 'retry-after', after: 1_000 }

describe('the claim of a terminating Node that the informer does not show', () => {
  test('is read through the owner of the Node and deleted by its UID, and the Node waits for its drain', async () => {
    const { outcome, asked, deleted } = await passOver(leaving(), claimWithProviderID())
    expect(asked).toEqual(['a'])
    expect(deleted).toEqual([['NodeClaim', { name: 'a' }, { uid: 'uid-a' }]])
    expect(outcome).toEqual(waits)
  })

  test.each([
    ['a later claim of the same name', leaving({ owner: { uid: 'uid-earlier' } }), claimWithProviderID()],
    ['a claim of another instance', leaving(), claimWithProviderID('kwok://another')],
    ['a claim that has not launched', leaving(), nodeClaim('a')],
    ['a claim without a status', leaving(), withoutStatus],
    ['no claim', leaving(), apiError(404)],
  ])('does not exist if the API server has %s, so the finalizer of the Node is removed', async (_, seen, stored) => {
    const { outcome, asked, deleted } = await passOver(seen, stored)
    expect(asked).toEqual(['a'])
    expect(deleted).toEqual([])
    expect(outcome).toEqual({ kind: 'done' })
  })

  test('is unknown while the API server does not respond, so the Node stays', async () => {
    expect((await passOver(leaving(), apiError(503))).outcome).toContain('simulated 503')
  })

  test.each([
    ['the owner has another kind', leaving({ owner: { kind: 'Machine' } }), []],
    ['the Node has no instance', leaving({ providerID: '' }), []],
    ['the informer shows the owner with another instance', leaving(), [claimWithProviderID('kwok://another')]],
  ])('is not read if %s', async (_, seen, mirrored) => {
    const { outcome, asked } = await passOver(seen, claimWithProviderID(), mirrored)
    expect(asked).toEqual([])
    expect(outcome).toEqual({ kind: 'done' })
  })
})

describe('a Node that this controller does not handle', () => {
  const refused = new Error('nobody asks')
  const own = leaving()
  const { deletionTimestamp: _, ...staying } = own.metadata
  const { finalizers: __, ...unheld } = own.metadata
  test.each([
    ['it is not deleted', { ...own, metadata: staying }],
    ['it has lost the finalizer', { ...own, metadata: { ...own.metadata, finalizers: ['example.com/mine'] } }],
    ['it has no finalizers', { ...own, metadata: unheld }],
    [
      'it belongs to another program',
      { ...own, metadata: { ...own.metadata, labels: { [labels.nodePool]: 'default' } } },
    ],
  ])('is left unchanged (%s)', async (_, seen) => {
    const { outcome, asked, deleted } = await passOver(seen, refused)
    expect({ outcome, asked, deleted }).toEqual({ outcome: { kind: 'done' }, asked: [], deleted: [] })
  })
})
