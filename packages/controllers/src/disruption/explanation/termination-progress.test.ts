import { annotations, type Condition, type Node, type NodeClaim, type Pod } from '@kerf/apis'
import { blockerRemedy, blockerSentence } from '@kerf/engine'
import { node as buildNode, pod as buildPod, nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { describeTermination } from './termination-progress.ts'

const NOW = Date.parse('2026-01-02T10:30:00Z')
const deletionTimestamp = '2026-01-02T10:00:00Z'
const ours = 'karpenter.sh/termination'

const node = (metadata: object = {}): Node =>
  buildNode('node-a', { metadata: { deletionTimestamp, finalizers: [ours], ...metadata } })
const claim = (metadata: object = {}, conditions: readonly Partial<Condition>[] = []): NodeClaim =>
  nodeClaim('claim-a', {
    spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'default' } },
    conditions: conditions.map((each) => ({
      type: '',
      status: 'True',
      reason: '',
      message: '',
      lastTransitionTime: deletionTimestamp,
      ...each,
    })),
    metadata: { deletionTimestamp, finalizers: [ours], ...metadata },
  })
const pod = (name: string, metadata: object = {}, spec: object = {}): Pod =>
  buildPod(name, { spec: { containers: [], ...spec }, phase: 'Running', metadata: { namespace: 'shop', ...metadata } })

interface Leaving {
  readonly node?: Node
  readonly claim?: NodeClaim
  readonly pods?: readonly Pod[]
  /** The names of pods that a PodDisruptionBudget protects. */
  readonly kept?: readonly string[]
}

const found = ({ kept = [], ...leaving }: Leaving) =>
  describeTermination(
    { node: undefined, claim: undefined, pods: [], ...leaving },
    {
      now: NOW,
      podBlockers: (pods) =>
        pods.flatMap(({ metadata }) =>
          kept.includes(metadata.name)
            ? [{ code: 'pdb.blocks', pod: `shop/${metadata.name}`, budget: 'shop/keep' } as const]
            : [],
        ),
    },
  )
const waits = (leaving: Leaving): readonly string[] | undefined => found(leaving)?.waitsFor.map(blockerSentence)

test('a node that is not deleted, or that Kerf does not manage, is not terminating', () => {
  const stays = { deletionTimestamp: undefined }
  expect(found({ node: node(stays), claim: claim(stays) })).toBeUndefined()
  expect(found({ node: node({ finalizers: ['example.com/hold'] }) })).toBeUndefined()
  expect(found({ node: node() })).toEqual({ since: Date.parse(deletionTimestamp), waitsFor: [] })
})

test('blocked pods are listed with their blocker, and terminating pods together; other pods are not listed', () => {
  const tolerates = { tolerations: [{ operator: 'Exists' }] }
  const pods = [pod('kept'), pod('b', { deletionTimestamp }), pod('c'), pod('daemon', {}, tolerates)]
  const recent = pods.map((each) =>
    each.metadata.name === 'b'
      ? { ...each, metadata: { ...each.metadata, deletionTimestamp: '2026-01-02T10:29:50Z' } }
      : each,
  )
  expect(waits({ node: node(), claim: claim(), pods: recent, kept: ['kept'] })).toEqual([
    'pdb prevents pod evictions (PodDisruptionBudget=[shop/keep])',
    'pods are terminating: shop/b, shop/c',
  ])
})

test.each([
  ['VolumesDetached', 'Unknown', 'volumes are still attached to the node'],
  ['InstanceTerminating', 'True', 'the instance is terminating'],
] as const)('after the drain, condition %s=%s shows the stage', (type, status, sentence) => {
  expect(waits({ node: node(), claim: claim({}, [{ type, status }]) })).toEqual([sentence])
})

test('finalizers of other programs are listed after Kerf has removed its own', () => {
  const held = node({ finalizers: ['example.com/hold', ours] })
  expect(waits({ node: held, claim: claim() })).toEqual([])
  const done = found({ node: node({ finalizers: ['example.com/hold'] }), claim: claim() })?.waitsFor ?? []
  expect(done.map((each) => [blockerSentence(each), blockerRemedy(each)])).toEqual([
    [
      'finalizer(s) of other controllers hold Node node-a (finalizer(s)=[example.com/hold])',
      'the controller that set the finalizer must remove it from Node node-a',
    ],
  ])
})

test('the deadline of a terminationGracePeriod, and an invalid deadline', () => {
  const dated = (at: string) => claim({ annotations: { [annotations.terminationTimestamp]: at } })
  expect(found({ claim: dated('2026-01-02T11:00:00Z') })?.deadline).toBe(Date.parse('2026-01-02T11:00:00Z'))
  const unreadable = found({ claim: dated('soon') })
  expect(unreadable?.deadline).toBeUndefined()
  expect(unreadable?.waitsFor.map(blockerSentence)).toEqual([expect.stringContaining('"soon", not an RFC 3339 time')])
})
