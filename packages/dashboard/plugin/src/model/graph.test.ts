import { describe, expect, test } from 'vitest'
import { buildGraph, type GraphItem } from './graph.ts'
import { claimSigns } from './status.ts'

const condition = (type: string, status = 'True') => ({ type, status, reason: type })
const pool = (name: string) => ({
  metadata: { name, uid: `pool-${name}` },
  spec: { template: { spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'default' } } } },
  status: { conditions: [condition('Ready')] },
})
const ready = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => condition(type))
const claim = (name: string, ofPool: string, conditions: readonly object[] = ready) => ({
  metadata: {
    name: `claim-${name}`,
    uid: `claim-${name}`,
    ownerReferences: [{ kind: 'NodePool', name: ofPool, uid: `pool-${ofPool}` }],
  },
  status: { nodeName: name, conditions },
})
const node = (name: string) => ({
  metadata: { name, uid: `node-${name}`, ownerReferences: [{ kind: 'NodeClaim', uid: `claim-${name}` }] },
})
const pod = (name: string, spec: object, status: object = { phase: 'Running' }) => ({
  metadata: { name, namespace: 'default', uid: `pod-${name}` },
  spec,
  status,
})
const unscheduled = {
  phase: 'Pending',
  conditions: [{ ...condition('PodScheduled', 'False'), reason: 'Unschedulable' }],
}
const classes = [
  {
    group: 'g',
    kind: 'K',
    object: { metadata: { name: 'default', uid: 'class' }, status: { conditions: [condition('Ready')] } },
  },
]
const many = (count: number) => Array.from({ length: count }, (_, place) => `n${place}`)

const graph = (more: Partial<Parameters<typeof buildGraph>[0]>) =>
  buildGraph({ pools: [pool('general')], claims: [], nodes: [], pods: [], classes, ...more })
const counts = (items: readonly GraphItem[]) =>
  Object.fromEntries(items.map((item) => [item.id, 'members' in item ? item.members.length : 1]))
const linked = (links: readonly { readonly source: string; readonly target: string }[]) =>
  links.map(({ source, target }) => `${source} ${target}`).sort()

describe('the map', () => {
  test('connects class, pool and claims, and counts the pods on each claim', () => {
    const { items, links } = graph({
      claims: [claim('a', 'general'), claim('b', 'general')],
      nodes: [node('a')],
      pods: [pod('one', { nodeName: 'a' }), pod('two', { nodeName: 'a' }), pod('three', { nodeName: 'b' })],
    })
    expect(counts(items)).toEqual({
      'pool-general': 1,
      'pool-general/class': 1,
      'claim-a': 1,
      'claim-a/node': 2,
      'claim-b': 1,
      'claim-b/node': 1,
    })
    expect(linked(links)).toEqual([
      'claim-a claim-a/node',
      'claim-b claim-b/node',
      'pool-general claim-a',
      'pool-general claim-b',
      'pool-general/class pool-general',
    ])
  })

  test('a Node is a box that contains its pods, and is red if it is not ready', () => {
    const status = (ready: string) => ({ status: { conditions: [condition('Ready', ready)] } })
    const { items } = graph({
      claims: ['a', 'b', 'c', 'd'].map((name) => claim(name, 'general')),
      nodes: [node('a'), { ...node('b'), ...status('True') }, { ...node('c'), ...status('Unknown') }],
      pods: [pod('one', { nodeName: 'b' }), pod('two', { nodeName: 'b' }, { phase: 'Pending' })],
    })
    const shown = items.flatMap((item) =>
      item.kind === 'Node' ? [[item.name, item.members.length, item.status] as const] : [],
    )
    expect(shown).toEqual([
      ['a', 0, 'success'],
      ['b', 2, 'warning'],
      ['c', 0, 'error'],
    ])
  })

  test('no box has the uid of a Node or Pod, so that the host’s groups stay separate', () => {
    const names = many(40)
    const nodes = names.map(node)
    const pods = names.map((name) => pod(`on-${name}`, { nodeName: name }))
    const { items, links } = graph({ claims: names.map((name) => claim(name, 'general')), nodes, pods })
    const theirs = new Set([...nodes, ...pods].map(({ metadata }) => metadata.uid))
    expect(items.filter(({ id }) => theirs.has(id))).toEqual([])
    expect(links.filter(({ source, target }) => theirs.has(source) || theirs.has(target))).toEqual([])
    // Every link refers to an existing box.
    const ids = new Set(items.map(({ id }) => id))
    expect(links.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([])
  })

  test('pools that share a class are separate groups', () => {
    const { items, links } = graph({ pools: [pool('a'), pool('b')] })
    expect(items.map(({ id }) => id)).toEqual(['pool-a', 'pool-a/class', 'pool-b', 'pool-b/class'])
    expect(linked(links)).toEqual(['pool-a/class pool-a', 'pool-b/class pool-b'])
  })

  test('of 500 nodes and 5,000 pods has few boxes, and shows the objects with problems', () => {
    const names = many(500)
    const broken = [...ready.slice(0, 3), condition('Ready', 'False')]
    const { items } = graph({
      claims: names.map((name, place) => claim(name, 'general', place < 3 ? broken : ready)),
      nodes: names.map(node),
      pods: Array.from({ length: 5_000 }, (_, place) => pod(`p${place}`, { nodeName: `n${place % 500}` })),
    })
    expect(counts(items)).toEqual({
      'pool-general': 1,
      'pool-general/class': 1,
      'claim-n0': 1,
      'claim-n0/node': 10,
      'claim-n1': 1,
      'claim-n1/node': 10,
      'claim-n2': 1,
      'claim-n2/node': 10,
      'pool-general/claims': 497,
      'pool-general/claims/pods': 4_970,
    })
    expect(items.filter(({ status }) => status !== 'success').map(({ id }) => id)).toEqual([
      'claim-n0',
      'claim-n1',
      'claim-n2',
    ])
  })

  test('shows pending pods separately or next to the pool that they name, and omits unmanaged nodes and their pods', () => {
    const { items, links } = graph({
      nodes: [{ metadata: { name: 's', uid: 's' } }],
      pods: [
        pod('theirs', { nodeName: 's' }),
        pod('pending', {}, unscheduled),
        pod('lost', { nodeSelector: { 'karpenter.sh/nodepool': 'no such' } }, unscheduled),
        pod('named', { nodeSelector: { 'karpenter.sh/nodepool': 'general' } }, unscheduled),
      ],
    })
    expect(counts(items)).toEqual({
      'pool-general': 1,
      'pool-general/class': 1,
      'pool-general/pending': 1,
      'kerf/pending': 2,
    })
    expect(linked(links)).toEqual(['pool-general pool-general/pending', 'pool-general/class pool-general'])
  })

  test('shows problems by colour, and shows a class without pools', () => {
    const drifted = claim('a', 'general', [...ready, condition('Drifted')])
    const { items } = graph({
      pools: [],
      claims: [drifted],
      classes: [
        ...classes,
        {
          group: 'g',
          kind: 'K',
          object: { metadata: { name: 'bad', uid: 'bad' }, status: { conditions: [condition('Ready', 'False')] } },
        },
      ],
    })
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      ['class', 'success'],
      ['bad', 'error'],
      ['claim-a', 'warning'],
    ])
    expect(graph({ claims: [drifted] }).items.find(({ id }) => id === 'claim-a')?.status).toBe('warning')
  })

  const step = (type: string, ...before: readonly string[]) => [
    ...before.map((each) => condition(each)),
    condition(type, 'False'),
  ]
  const ended = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  test.each([
    ['is drifted', [...ready, condition('Drifted')], {}],
    ['is being disrupted', [...ready, condition('DisruptionReason')], {}],
    ['is not as requested', [...ready, condition('ConsistentStateFound', 'False')], {}],
    ['failed to launch', step('Launched'), {}],
    ['failed to launch and has drifted', [...step('Launched'), condition('Drifted')], {}],
    ['is not ready', [...ready.slice(0, 3), condition('Ready', 'False')], {}],
    ['is registering', ready.slice(0, 1), {}],
    ['is draining', [...ready, condition('Drained', 'False')], ended],
    ['is draining and has drifted', [...ready, condition('Drained', 'False'), condition('Drifted')], ended],
    ['may be consolidated', [...ready, condition('Consolidatable')], {}],
    ['is ready', ready, {}],
  ])('shows a NodeClaim that %s with the most severe colour of the list’s chips, alone and counted', (_, own, meta) => {
    const base = claim('a', 'general', own)
    const odd = { ...base, metadata: { ...base.metadata, ...meta } }
    const worst = claimSigns(odd).some(({ tone }) => tone === 'error')
      ? 'error'
      : claimSigns(odd).some(({ tone }) => tone === 'warning')
      ? 'warning'
      : 'success'
    expect(graph({ claims: [odd] }).items.find(({ id }) => id === 'claim-a')?.status).toBe(worst)
    const alike = many(20).map((name) => {
      const each = claim(name, 'general', own)
      return { ...each, metadata: { ...each.metadata, ...meta } }
    })
    const counted = graph({ claims: alike }).items.find(({ id }) => id === 'pool-general/claims')
    expect(counted?.status).toBe(worst)
  })

  test('shows failed NodeClaims of a large pool before drifted ones', () => {
    const claims = many(30).map((name, place) =>
      claim(name, 'general', place < 28 ? [...ready, condition('Drifted')] : step('Launched')),
    )
    const single = graph({ claims }).items.filter(({ kind }) => kind === 'NodeClaim')
    expect(single.slice(0, 2).map(({ status }) => status)).toEqual(['error', 'error'])
  })

  test('shows NodeClaims whose NodePool is gone', () => {
    const { items, links } = graph({ claims: [claim('a', 'gone')] })
    expect(items.some(({ id }) => id === 'claim-a')).toBe(true)
    expect(links.some(({ target }) => target === 'claim-a')).toBe(false)
  })
})
