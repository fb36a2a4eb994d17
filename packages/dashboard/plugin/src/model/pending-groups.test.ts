import { expect, test } from 'vitest'
import { constraintForCode, mergeGroups, pendingGroups, workloadCount } from './pending-groups.ts'
import type { PendingPod } from './pending-pods.ts'

const pod = (name: string, more: Partial<PendingPod> = {}): PendingPod => ({
  ...{ id: name, name, namespace: 'shop', workload: '', reason: 'FailedScheduling', from: 'karpenter' },
  ...{ message: 'no', since: 100, cpu: '1', memory: '1Gi', nominated: undefined, isGated: false, refusals: [] },
  type: 'Warning',
  object: { metadata: { name } },
  ...more,
})
const ofPayments = (name: string, since: number): PendingPod =>
  pod(name, {
    workload: 'ReplicaSet/payments-6d5f',
    since,
    object: {
      metadata: {
        name,
        labels: { 'pod-template-hash': '6d5f' },
        ownerReferences: [{ kind: 'ReplicaSet', name: 'payments-6d5f' }],
      },
    },
  })

test('pods of a workload that are pending for the same reason form one group, which starts with the first pod', () => {
  const many = Array.from({ length: 22 }, (_, place) => ofPayments(`payments-${place}`, 500 - place))
  const groups = pendingGroups([
    ...many,
    pod('alone'),
    pod('other', { namespace: 'lab' }),
    pod('why', { message: 'yes' }),
  ])
  expect(groups.map(({ namespace, workload, pods, since }) => [namespace, workload, pods.length, since])).toEqual([
    ['shop', 'Deployment/payments', 22, 479],
    ['lab', 'Pod/other', 1, 100],
    ['shop', 'Pod/alone', 1, 100],
    ['shop', 'Pod/why', 1, 100],
  ])
})

test('another reason for the same workload is another group, and a ReplicaSet without a hash keeps its name', () => {
  const first = ofPayments('a', 1)
  const groups = pendingGroups([
    first,
    { ...first, id: 'b', message: 'other' },
    pod('c', {
      workload: 'ReplicaSet/x',
      object: { metadata: { name: 'c', ownerReferences: [{ kind: 'ReplicaSet', name: 'x' }] } },
    }),
  ])
  expect(groups.map(({ workload }) => workload)).toEqual(['Deployment/payments', 'Deployment/payments', 'ReplicaSet/x'])
})

test('groups of a workload with the same text are one line, and a workload counts once', () => {
  const first = ofPayments('a', 9)
  const groups = pendingGroups([
    pod('alone'),
    first,
    { ...first, id: 'b', message: 'other', since: 5 },
    { ...first, id: 'c', namespace: 'lab' },
  ])
  const lines = mergeGroups(groups, () => 'limit')
  expect(lines.map(({ namespace, workload, pods, since }) => [namespace, workload, pods.length, since])).toEqual([
    ['shop', 'Deployment/payments', 2, 5],
    ['lab', 'Deployment/payments', 1, 9],
    ['shop', 'Pod/alone', 1, 100],
  ])
  expect(mergeGroups(groups, ({ message }) => message)).toHaveLength(4)
  expect(workloadCount(groups)).toBe(3)
})

test('messages that differ only in amounts or in the name of the pod are one reason', () => {
  const upstream = (name: string, cpu: string, overhead: string): PendingPod => ({
    ...ofPayments(name, 1),
    message: `Failed to schedule pod ${name}, incompatible with nodepool "general", daemonset overhead={"cpu":"${overhead}","pods":"2"}, no instance type has enough resources, requirements=zone In [zone-1], resources={"cpu":"${cpu}","memory":"1.5Gi"}`,
  })
  const groups = pendingGroups([
    upstream('payments-a', '1100m', '100m'),
    upstream('payments-b', '1.2', '200m'),
    { ...upstream('payments-c', '1', '100m'), message: 'zone In [zone-2]' },
    { ...upstream('payments-d', '1', '100m'), message: 'zone In [zone-3]' },
  ])
  expect(groups.map(({ pods }) => pods.map(({ name }) => name))).toEqual([
    ['payments-a', 'payments-b'],
    ['payments-c'],
    ['payments-d'],
  ])
})

test.each([
  ['taint.not-tolerated', 'taint'],
  ['requirement.unsatisfied', 'label'],
  ['requirement.label-unknown', 'label'],
  ['nodepool.limit', 'limit'],
  ['new', 'other'],
])('%s is about %s', (code, constraint) => expect(constraintForCode(code)).toBe(constraint))
