import { formatQuantity } from '@kerf/apis'
import { expect, test } from 'vitest'
import { type Fullness, fullnessByName, requestedShare } from './fullness.ts'

const node = (name: string, pool: string | undefined, cpu: string, memory: string) => ({
  metadata: { name, labels: pool === undefined ? {} : { 'karpenter.sh/nodepool': pool } },
  status: { allocatable: { cpu, memory } },
})
const pod = (nodeName: string | undefined, cpu: string, memory: string, more: object = {}) => ({
  metadata: { name: 'p' },
  spec: { ...(nodeName === undefined ? {} : { nodeName }), containers: [{ resources: { requests: { cpu, memory } } }] },
  ...more,
})
const shares = (fullness: Fullness | undefined) =>
  fullness && [requestedShare(fullness, 'cpu'), requestedShare(fullness, 'memory')]

test('a node is as full as the requests of its pods, and a NodePool as all of its nodes together', () => {
  const nodes = [node('a', 'general', '4', '8Gi'), node('b', 'general', '12', '8Gi'), node('c', 'gpu', '2', '4Gi')]
  const pods = [
    pod('a', '1', '2Gi'),
    pod('a', '1500m', '2Gi'),
    pod('b', '3', '1Gi'),
    pod(undefined, '100', '100Gi'),
    pod('elsewhere', '1', '1Gi'),
  ]
  const { nodes: byNode, pools } = fullnessByName(nodes, pods)
  expect(shares(byNode.get('a'))).toEqual([0.625, 0.5])
  expect(shares(byNode.get('b'))).toEqual([0.25, 0.125])
  expect(shares(byNode.get('c'))).toEqual([0, 0])
  expect(shares(pools.get('general'))).toEqual([5.5 / 16, 5 / 16])
  expect(formatQuantity(pools.get('general')?.allocatable.cpu ?? (0n as never))).toBe('16')
})

test('pods that have ended or are being deleted need nothing', () => {
  const pods = [
    pod('a', '1', '1Gi', { status: { phase: 'Succeeded' } }),
    pod('a', '1', '1Gi', { status: { phase: 'Failed' } }),
    pod('a', '1', '1Gi', { metadata: { name: 'p', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    pod('a', '1', '1Gi', { status: { phase: 'Running' } }),
  ]
  expect(shares(fullnessByName([node('a', 'p', '4', '4Gi')], pods).nodes.get('a'))).toEqual([0.25, 0.25])
})

test('nodes without a NodePool or without allocatable amounts are left out', () => {
  const { nodes, pools } = fullnessByName(
    [node('a', undefined, '4', '4Gi'), { metadata: { name: 'b', labels: { 'karpenter.sh/nodepool': 'p' } } }, {}, null],
    [pod('a', '1', '1Gi'), null, 'x'],
  )
  expect([nodes.size, pools.size]).toEqual([0, 0])
})

test('a node that can allocate nothing has no share', () => {
  const { nodes } = fullnessByName([node('a', 'p', '0', '1Gi')], [])
  expect(shares(nodes.get('a'))).toEqual([undefined, 0])
})
