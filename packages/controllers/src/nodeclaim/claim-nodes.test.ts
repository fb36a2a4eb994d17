import { karpenterKinds, kinds, type Node, type NodeClaim } from '@kerf/apis'
import type { Source } from '@kerf/runtime'
import { node, nodeClaim, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ManualInformers } from '../testing/by-hand/manual-informers.ts'
import { ClaimNodes } from './claim-nodes.ts'

const of = (nodes: readonly Node[], claims: readonly NodeClaim[]) => {
  const informers = new ManualInformers()
  const links = new ClaimNodes(informers)
  informers.put(kinds.Node, ...nodes)
  informers.put(karpenterKinds.NodeClaim, ...claims)
  return { informers, links }
}
const onA = { providerID: 'kwok://a' }
const names = (objects: readonly { readonly metadata: { readonly name?: string } }[]) =>
  objects.map(({ metadata }) => metadata.name)

describe('a NodeClaim and a Node belong together', () => {
  test('by their provider ID', () => {
    const { links } = of(
      [node('n', onA), node('other', { providerID: 'kwok://b' })],
      [nodeClaim('c', onA), nodeClaim('other', { providerID: 'kwok://z' })],
    )
    expect(names(links.nodesOf(nodeClaim('c', onA)))).toEqual(['n'])
    expect(links.nodeOf(nodeClaim('c', onA))?.metadata.name).toBe('n')
    expect(links.claimOf(node('n', onA))?.metadata.name).toBe('c')
    expect(links.nodeOf(nodeClaim('other', { providerID: 'kwok://z' }))).toBeUndefined()
    expect(links.claimOf(node('other', { providerID: 'kwok://b' }))).toBeUndefined()
  })

  test('one to one, so several matches count as none', () => {
    const { links } = of([node('n', onA), node('m', onA)], [nodeClaim('c', onA), nodeClaim('d', onA)])
    expect(names(links.nodesOf(nodeClaim('c', onA)))).toEqual(['n', 'm'])
    expect(links.nodeOf(nodeClaim('c', onA))).toBeUndefined()
    expect(links.claimOf(node('n', onA))).toBeUndefined()
  })

  test.each([[{}], [{ providerID: '' }]])('but not without a provider ID: %j', (traits) => {
    const { links } = of(
      [node('n'), node('m', { providerID: '' })],
      [nodeClaim('c'), nodeClaim('d', { providerID: '' })],
    )
    expect(links.nodesOf(nodeClaim('c', traits))).toEqual([])
    expect(links.nodeOf(nodeClaim('c', traits))).toBeUndefined()
    expect(links.claimOf(node('n', traits))).toBeUndefined()
  })
})

test('a Node has the pods that are bound to it; an unbound pod is on no Node', () => {
  const { informers, links } = of([], [])
  informers.put(kinds.Pod, pod('here', { nodeName: 'n' }), pod('there', { nodeName: 'm' }), pod('waits'))
  informers.put(kinds.Pod, pod('empty', { nodeName: '' }))
  expect(names(links.podsOn('n'))).toEqual(['here'])
  expect(links.podsOn('')).toEqual([])
})

describe('a change triggers', () => {
  const keys = ([own, other]: readonly Source[], change: { before?: object; after?: object }) =>
    [own, other].map((each) => [...(each?.keysOf(change as never) ?? [])])
  const { links } = of(
    [node('n', onA), node('m', onA), node('other', { providerID: 'kwok://b' }), node('bare')],
    [nodeClaim('c', onA), nodeClaim('d', onA), nodeClaim('other', { providerID: 'kwok://z' }), nodeClaim('bare')],
  )
  const claimKeys = (change: { before?: object; after?: object }) => keys(links.claimSources(), change)
  const nodeKeys = (change: { before?: object; after?: object }) => keys(links.nodeSources(), change)

  test('the NodeClaim itself and the NodeClaims of a Node', () => {
    expect(links.claimSources().map(({ informer }) => informer)).toEqual([links.claims, links.nodes])
    expect(claimKeys({ after: nodeClaim('c', onA) })[0]).toEqual(['c'])
    expect(claimKeys({ after: node('n', onA) })[1]).toEqual(['c', 'd'])
    expect(claimKeys({ after: node('bare') })[1]).toEqual([])
    expect(claimKeys({ after: node('other', { providerID: 'kwok://b' }) })[1]).toEqual([])
  })

  test('the Node itself and the Nodes of a NodeClaim', () => {
    expect(links.nodeSources().map(({ informer }) => informer)).toEqual([links.nodes, links.claims])
    expect(nodeKeys({ after: node('n', onA) })[0]).toEqual(['n'])
    expect(nodeKeys({ after: nodeClaim('c', onA) })[1]).toEqual(['n', 'm'])
    expect(nodeKeys({ after: nodeClaim('bare') })[1]).toEqual([])
  })

  test('the keys of the current object, or of the previous one after a deletion', () => {
    expect(claimKeys({ before: node('n', { providerID: 'kwok://z' }), after: node('n', onA) })[1]).toEqual(['c', 'd'])
    expect(claimKeys({ before: node('n', onA) })[1]).toEqual(['c', 'd'])
    expect(claimKeys({ before: nodeClaim('c', onA) })[0]).toEqual(['c'])
    expect(nodeKeys({ before: nodeClaim('c', onA) })[1]).toEqual(['n', 'm'])
    expect(nodeKeys({ before: node('n', onA) })[0]).toEqual(['n'])
    expect(nodeKeys({ before: nodeClaim('c', { providerID: 'kwok://b' }), after: nodeClaim('c', onA) })[1]).toEqual([
      'n',
      'm',
    ])
  })
})
