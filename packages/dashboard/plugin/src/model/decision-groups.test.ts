import { expect, test } from 'vitest'
import { decisionGroups, indexOwners } from './decision-groups.ts'
import type { DecisionRow } from './decisions.ts'

const row = (
  kind: string,
  name: string,
  reason: string,
  time: number,
  more: Partial<DecisionRow> = {},
): DecisionRow => ({
  ...{
    id: `${kind}${name}${reason}${time}`,
    about: kind === 'Pod' ? 'pod' : 'node',
    type: 'Normal',
    reason,
    kind,
    name,
  },
  ...{ namespace: kind === 'Pod' ? 'shop' : '', from: 'karpenter', message: `of ${name}`, first: time, time, count: 1 },
  ...{ mentions: [], subject: `${kind}/${more.namespace ?? ''}/${name}` },
  ...more,
})
const pod = (name: string) => ({
  metadata: {
    name,
    namespace: 'shop',
    labels: { 'pod-template-hash': '6d4f' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'payments-6d4f' }],
  },
})
const owned = (name: string) => ({ metadata: { name, labels: { 'karpenter.sh/nodepool': 'general' } } })

test('groups decisions with the same reason about pods of one workload or nodes of one pool', () => {
  const rows = [
    row('Pod', 'payments-1', 'FailedScheduling', 10, { count: 4, type: 'Warning' }),
    row('Pod', 'payments-2', 'FailedScheduling', 30, { type: 'Warning' }),
    row('Pod', 'payments-2', 'FailedScheduling', 20, { type: 'Warning' }),
    row('Pod', 'payments-1', 'Nominated', 5),
    // A pod with the same name in another namespace is a different pod.
    row('Pod', 'payments-1', 'Nominated', 4, { namespace: 'other' }),
    // A Node and its NodeClaim count as one node.
    row('NodeClaim', 'a', 'DisruptionBlocked', 3, { subject: 'Node/n' }),
    row('Node', 'n', 'DisruptionBlocked', 2, { subject: 'Node/n' }),
    row('NodePool', 'general', 'DisruptionBlocked', 1),
    row('Node', 'gone', 'DisruptionBlocked', 0),
  ]
  const groups = decisionGroups(rows, indexOwners([pod('payments-1'), pod('payments-2')], [owned('a')], [owned('n')]))
  expect(
    groups.map(({ owner, reason, subjects, count, time, message, rows: own }) => [
      owner,
      reason,
      subjects,
      count,
      time,
      message,
      own.map((each) => each.time),
    ]),
  ).toEqual([
    ['shop/payments', 'FailedScheduling', 2, 6, 30, 'of payments-2', [30, 20, 10]],
    ['shop/payments', 'Nominated', 1, 1, 5, 'of payments-1', [5]],
    ['other/payments-1', 'Nominated', 1, 1, 4, 'of payments-1', [4]],
    ['general', 'DisruptionBlocked', 1, 2, 3, 'of a', [3, 2]],
    // This decision is about the budget of the NodePool, not about a node.
    ['general', 'DisruptionBlocked', 1, 1, 1, 'of general', [1]],
    ['gone', 'DisruptionBlocked', 1, 1, 0, 'of gone', [0]],
  ])
  expect(groups.map(({ about }) => about)).toEqual(['pod', 'pod', 'pod', 'node', 'pool', 'node'])
})

test('a group shows its most frequent reason and says how many others there are', () => {
  const blocked = (name: string, time: number, message: string) =>
    row('Node', name, 'DisruptionBlocked', time, { message })
  const rows = [
    blocked('n1', 5, 'Node is nominated for a pending pod'),
    blocked('n2', 4, 'Pdb prevents pod evictions (PodDisruptionBudget=[shop/tight])'),
    blocked('n3', 3, 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/web-1)'),
    blocked('n4', 2, 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/web-2)'),
    // These messages have the same reason, but they contain names of nodes.
    blocked('n5', 1, 'Node n5 has 3 pods'),
    blocked('n6', 0, 'Node n6 has 12 pods'),
  ]
  const [group] = decisionGroups(rows, () => 'general')
  expect(group).toMatchObject({
    subjects: 6,
    message: 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/web-1)',
    others: 3,
  })
})

test('a deleted claim belongs to the NodePool in its name if that still has nodes, and so does its node', () => {
  const rows = [
    row('NodeClaim', 'general-4zxqp', 'DisruptionTerminating', 3),
    row('Node', 'gone', 'DisruptionTerminating', 2, { mentions: ['general-b2wlt'] }),
    row('NodeClaim', 'other-4zxqp', 'DisruptionTerminating', 1),
  ]
  const groups = decisionGroups(rows, indexOwners([], [owned('general-xk2vd')], []))
  expect(groups.map(({ owner, subjects }) => [owner, subjects])).toEqual([
    ['general', 2],
    ['other-4zxqp', 1],
  ])
})

test('deleted pods are assigned to the workload in their name if it still has pods', () => {
  const rows = [
    row('Pod', 'payments-689cf7c65b-4zxqp', 'Evicted', 6),
    row('Pod', 'payments-6d4fb8-b2wlt', 'Evicted', 5),
    row('Pod', 'ledger-1', 'Evicted', 4),
    // The name contains an unknown workload, or no workload.
    row('Pod', 'reports-689cf7c65b-4zxqp', 'Evicted', 3),
    row('Pod', 'single-4zxqp', 'Evicted', 2),
    row('Pod', 'payments-6d4f-b2wlt', 'Evicted', 1, { namespace: 'other' }),
  ]
  const ledger = {
    metadata: { name: 'ledger-0', namespace: 'shop', ownerReferences: [{ kind: 'StatefulSet', name: 'ledger' }] },
  }
  const single = { metadata: { name: 'single', namespace: 'shop' } }
  const groups = decisionGroups(rows, indexOwners([pod('payments-1'), ledger, single], [], []))
  expect(groups.map(({ owner, subjects }) => [owner, subjects])).toEqual([
    ['shop/payments', 2],
    ['shop/ledger', 1],
    ['shop/reports-689cf7c65b-4zxqp', 1],
    ['shop/single-4zxqp', 1],
    ['other/payments-6d4f-b2wlt', 1],
  ])
})
