import type { NodeClaim, NodePool, Pod } from '@kerf/apis'
import { labels } from '@kerf/apis'
import { type InstanceType, requestsKey } from '@kerf/engine'
import { node, nodeClaim, nodePool, pod, readyNodeLabels } from '@kerf/testing'
import { expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import type { PoolTypes } from '../candidates/offered-types.ts'
import { sharedPools } from './shared-pools.ts'

const place = { [labels.zone]: 'z', [labels.capacityType]: 'on-demand' }
const type: InstanceType = {
  name: 's-4x',
  requirements: [],
  capacity: {},
  overhead: {},
  offerings: [
    {
      requirements: [
        { key: labels.zone, operator: 'In', values: ['z'] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ],
      price: 2,
      available: true,
    },
  ],
}
const offered = (pool: NodePool): PoolTypes => ({ pool, list: [type], byName: new Map([[type.name, type]]) })
const types = new Map(['a', 'b', 'c'].map((name) => [name, offered(nodePool(name))]))

const machine = (name: string, pool: string, claim: Partial<NodeClaim['metadata']> = {}): StateNode => {
  const state = new StateNode(`id-${name}`)
  const made = nodeClaim(name, { pool })
  state.claim = { ...made, metadata: { ...made.metadata, ...claim } }
  state.node = node(name, { pool, labels: { ...readyNodeLabels, ...place } })
  return state
}
const of = (workload: string, name: string, nodeName?: string, more: Parameters<typeof pod>[1] = {}): Pod =>
  pod(name, {
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: workload, uid: workload },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...more,
  })
const shared = (nodes: readonly StateNode[], pods: readonly Pod[]) => sharedPools({ nodes, pods, types })

test('two pools are in one group if they run pods of the same workload, directly or through a third pool', () => {
  const nodes = [machine('n1', 'a'), machine('n2', 'b'), machine('n3', 'c'), machine('n4', 'c')]
  const apart = shared(nodes, [of('web', 'w1', 'n1'), of('db', 'd1', 'n2'), of('job', 'j1', 'n3')])
  expect([...apart.values()].map(({ pools }) => pools)).toEqual([['a'], ['b'], ['c']])
  const found = shared(nodes, [
    of('web', 'w1', 'n1'),
    of('web', 'w2', 'n2'),
    of('db', 'd1', 'n2'),
    of('db', 'd2', 'n3'),
  ])
  expect(found.get('a')?.pools).toEqual(['a', 'b', 'c'])
  expect(found.get('c')).toBe(found.get('a'))
  expect(found.get('a')?.price).toBe(8)
})

test('demand counts the pods of a workload wherever they run; pods of different sizes count separately', () => {
  const found = shared(
    [machine('n1', 'a')],
    [
      of('web', 'w1', 'n1'),
      of('web', 'w2'),
      of('web', 'w3', 'stranger'),
      of('web', 'large', 'n1', { requests: { cpu: '3' } }),
      of('elsewhere', 'e1'),
      pod('alone', { nodeName: 'n1' }),
    ],
  )
  const size = (cpu: string): string => requestsKey(pod('any', { requests: { cpu } }))
  expect(found.get('a')?.demand).toEqual(
    new Map([
      [`web ${size('1')}`, 3],
      [`web ${size('3')}`, 1],
      [`uid-alone ${size('1')}`, 1],
    ]),
  )
})

test('finished pods, pods that are already replaced, and daemon pods do not count', () => {
  const gone = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  const found = shared(
    [machine('n1', 'a')],
    [
      of('web', 'w1', 'n1'),
      of('web', 'evicted', 'n1', { metadata: gone }),
      of('web', 'done', 'n1', { phase: 'Succeeded' }),
      pod('agent', { nodeName: 'n1', owner: { apiVersion: 'apps/v1', kind: 'DaemonSet', uid: 'agent' } }),
      pod('db-0', { nodeName: 'n1', owner: { apiVersion: 'apps/v1', kind: 'StatefulSet', uid: 'db' }, metadata: gone }),
    ],
  )
  expect([...(found.get('a')?.demand ?? [])].map(([, count]) => count)).toEqual([1, 1])
  expect([...(found.get('a')?.demand.keys() ?? [])].some((key) => key.startsWith('agent'))).toBe(false)
})

test('the price leaves out terminating nodes, nodes of unknown type and unmanaged nodes', () => {
  const leaving = machine('n2', 'a', { deletionTimestamp: '2026-01-01T00:00:00Z' })
  const strange = machine('n3', 'unknown')
  const foreign = new StateNode('id-n4')
  foreign.node = node('n4', { labels: place })
  const found = shared([machine('n1', 'a'), leaving, strange, foreign], [])
  expect(found.get('a')?.price).toBe(2)
  expect(found.get('unknown')?.price).toBe(0)
  expect([...found.keys()]).toEqual(['a', 'unknown'])
})
