import { formatTime, groupVersion, karpenterKinds, kinds, labels } from '@kerf/apis'
import { FixedInformers } from '@kerf/runtime'
import { condition, node, nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { ClaimIndex, instanceNaming } from './claim-index.ts'

const REF = { group: 'cloud.example', kind: 'ServerClass', name: 'default' }
const KIND = { group: REF.group, kind: REF.kind, plural: 'serverclasses' }
const naming = instanceNaming(KIND, (providerID) => /^server:\/\/(\w+)$/.exec(providerID)?.[1])

const claim = (name: string, providerID: string, nodeClassRef = REF, more: Parameters<typeof nodeClaim>[1] = {}) => {
  const made = nodeClaim(name, { ...more, spec: { nodeClassRef } })
  return {
    ...made,
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    status: { ...made.status, providerID },
  }
}
const serverNode = (name: string, providerID: string, own: Readonly<Record<string, string>> = {}) => {
  const made = node(name, { labels: own })
  return { ...made, apiVersion: groupVersion(kinds.Node), kind: 'Node', spec: { ...made.spec, providerID } }
}
const names = (objects: readonly { readonly metadata: { readonly name?: string } }[]) =>
  objects.map(({ metadata }) => metadata.name)

test('finds the claims of the provider and the Nodes of NodePools by their instance', () => {
  const index = new ClaimIndex(
    new FixedInformers([
      claim('a', 'server://one'),
      claim('b', 'other://one'),
      claim('c', 'server://one', { ...REF, kind: 'OtherClass' }),
      claim('d', 'server://one', { ...REF, group: 'other.example' }),
      claim('e', ''),
      serverNode('node-a', 'server://one', { [labels.nodePool]: 'web' }),
      serverNode('node-b', 'server://one'),
      serverNode('node-c', 'server://two', { [labels.nodePool]: 'web' }),
    ]),
    naming,
  )
  expect(names(index.claimsOf('one'))).toEqual(['a'])
  expect(names(index.nodesOf('one'))).toEqual(['node-a'])
  expect([index.claimsOf('two'), index.claimsOf(''), index.launchTime('two')]).toEqual([[], [], undefined])
})

test('two providers can index their instances on the same informers', () => {
  const informers = new FixedInformers([claim('a', 'server://one'), claim('b', 'other:one', { ...REF, group: 'x' })])
  const first = new ClaimIndex(informers, naming)
  const other = new ClaimIndex(
    informers,
    instanceNaming({ ...KIND, group: 'x' }, (providerID) => providerID.split(':')[1]),
  )
  expect([names(first.claimsOf('one')), names(other.claimsOf('one'))]).toEqual([['a'], ['b']])
})

test('the launch time is that of the claim’s condition, or the creation time of the claim if there is no condition', () => {
  const [made, launched] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)]
  const at = { metadata: { creationTimestamp: formatTime(made) } }
  const known = claim('a', 'server://one', REF, at)
  const status = {
    ...known.status,
    conditions: [{ ...condition('Launched', 'True'), lastTransitionTime: formatTime(launched) }],
  }
  const index = new ClaimIndex(new FixedInformers([{ ...known, status }, claim('b', 'server://two', REF, at)]), naming)
  expect([index.launchTime('one'), index.launchTime('two')]).toEqual([launched, made])
})
