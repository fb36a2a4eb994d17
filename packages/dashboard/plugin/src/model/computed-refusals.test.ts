import { coreVocabulary } from '@kerf/apis'
import { expect, test } from 'vitest'
import { browserCluster, type ClusterObjects } from './cluster-snapshot.ts'
import { computedRefusals, shortMessage } from './computed-refusals.ts'
import { pendingGroups } from './pending-groups.ts'
import { pendingPods } from './pending-pods.ts'
import { labelPrices } from './prices.ts'
import { seenInstanceTypes } from './seen-instance-types.ts'

const condition = (type: string, status = 'True', reason = type) => ({ type, status, reason })
const pool = (name: string, spec: object = {}) => ({
  metadata: { name, uid: name },
  spec: { template: { spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'default' }, ...spec } } },
  status: { conditions: [condition('Ready')] },
})
const node = {
  metadata: {
    name: 'n',
    labels: {
      'karpenter.sh/nodepool': 'general',
      'karpenter.sh/capacity-type': 'spot',
      'node.kubernetes.io/instance-type': 'm.large',
      'topology.kubernetes.io/zone': 'z1',
      'kubernetes.io/arch': 'amd64',
    },
  },
  spec: { providerID: 'x:///n' },
  status: { capacity: { cpu: '2', memory: '8Gi', pods: '110' }, conditions: [condition('Ready')] },
}
/** The message of Karpenter's own controller for a pod that no NodePool can run. */
const upstream =
  'Failed to schedule pod, incompatible with nodepool "general", daemonset overhead={"cpu":"130m","memory":"120Mi","pods":"3"}, no instance type satisfied resources {"cpu":"64130m","memory":"120Mi","pods":"4"} and requirements karpenter.sh/nodepool In [general] (no instance type has enough resources); incompatible with nodepool "gpu", daemonset overhead={"cpu":"130m"}, did not tolerate taint (taint=gpu:NoSchedule)'
const pod = (name: string, cpu: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', uid: name },
  spec: { containers: [{ name: 'main', image: 'x', resources: { requests: { cpu } } }], ...spec },
  status: {
    phase: 'Pending',
    conditions: [{ ...condition('PodScheduled', 'False', 'Unschedulable'), message: upstream }],
  },
})

const refusalsIn = (pods: readonly unknown[], pools = [pool('general'), pool('gpu', { taints: [gpuTaint] })]) => {
  const lists = {
    daemonSets: [],
    namespaces: [],
    persistentVolumeClaims: [],
    persistentVolumes: [],
    storageClasses: [],
  }
  const objects: ClusterObjects = { pools, claims: [], nodes: [node], pods, ...lists }
  return computedRefusals(browserCluster(objects, seenInstanceTypes([], [node], pools, labelPrices)), coreVocabulary)
}
const gpuTaint = { key: 'gpu', effect: 'NoSchedule' }

test('without a report of the controller, pending pods have the engine’s short reasons by NodePool', () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'gone' } }]
  const pods = [pod('big', '64'), pod('broken', '100m', { volumes }), pod('fits', '100m')]
  const refusals = refusalsIn(pods)
  expect(
    Object.fromEntries([...refusals].map(([uid, all]) => [uid, all.map(({ code, nodePool }) => [code, nodePool])])),
  ).toEqual({
    big: [
      ['taint.not-tolerated', 'gpu'],
      ['resources.exceeded', 'general'],
    ],
    broken: [['volume.invalid', '']],
  })
  const groups = pendingGroups(pendingPods(pods, new Map(), new Map(), refusals))
  expect(groups.map((group) => group.refusals.length).sort()).toEqual([0, 1, 2])
  // The groups keep the controller's message.
  expect(new Set(groups.map(({ message }) => message))).toEqual(new Set([upstream]))
})

test('the controller’s own report is preferred to computed reasons', () => {
  const reported = new Map([['big', { message: 'm', refusals: [], at: 1 }]])
  const [row] = pendingPods([pod('big', '64')], new Map(), reported, refusalsIn([pod('big', '64')]))
  expect(row?.refusals).toEqual([])
})

test('without a usable NodePool there are no computed reasons', () => {
  expect(refusalsIn([pod('big', '64')], []).size).toBe(0)
})

test.each([
  [upstream, 'incompatible with nodepool "general", no instance type satisfied resources {"cpu":"64130m","memory"…'],
  [
    '0/3 nodes are available: 2 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found.',
    '0/3 nodes are available: 2 Insufficient cpu',
  ],
  [
    'all available instance types exceed limits for nodepool: "general"; and more',
    'all available instance types exceed limits for nodepool: "general"',
  ],
  ['', ''],
])('a message is shortened to its first reason', (message, short) => {
  expect(shortMessage(message)).toBe(short)
  expect(shortMessage(message).length).toBeLessThanOrEqual(100)
})
