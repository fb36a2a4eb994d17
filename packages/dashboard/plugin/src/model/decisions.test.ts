import { describe, expect, test } from 'vitest'
import { decisionGroups, indexOwners } from './decision-groups.ts'
import { type DecisionRow, decisionRows, decisionsAt, newestByPod, reasonCounts, scopeNames } from './decisions.ts'
import { joinNodes } from './node-join.ts'
import { pendingPods, pendingState } from './pending-pods.ts'
import { warningsSince } from './recent-warnings.ts'

let serial = 0
const event = (kind: string, name: string, reason: string, minute: number, more: object = {}) => ({
  metadata: { uid: `e${serial++}`, name: `${name}.${serial}`, creationTimestamp: `2026-01-01T10:${minute}:00Z` },
  involvedObject: { kind, name, ...(kind === 'Pod' ? { namespace: 'shop' } : {}) },
  reason,
  message: `${reason}!`,
  type: 'Normal',
  source: { component: 'karpenter' },
  firstTimestamp: `2026-01-01T10:${minute}:00Z`,
  lastTimestamp: `2026-01-01T10:${minute}:30Z`,
  ...more,
})
const brief = ({ kind, name, reason, count }: DecisionRow): string => `${kind} ${name} ${reason} ${count}`

describe('decisions', () => {
  test('are the autoscaler’s events about pods, nodes, claims and pools, newest first', () => {
    const rows = decisionRows([
      event('Pod', 'web', 'Nominated', 10),
      event('Pod', 'web', 'Scheduled', 11, { source: { component: 'default-scheduler' } }),
      event('Node', 'n1', 'Unconsolidatable', 12),
      event('Deployment', 'web', 'ScalingReplicaSet', 13),
      event('NodeClaim', 'c1', 'DisruptionBlocked', 14, { source: {}, reportingComponent: 'a-renamed-fork' }),
      event('NodeClaim', 'c1', 'Ready', 15, { message: 'Status condition transitioned, Type: Ready' }),
    ])
    expect(rows.map(brief)).toEqual([
      'NodeClaim c1 DisruptionBlocked 1',
      'Node n1 Unconsolidatable 1',
      'Pod web Nominated 1',
    ])
    expect(rows.map(({ about }) => about)).toEqual(['node', 'node', 'pod'])
  })

  test('that repeat are counted together by object, reason and message, from either Events API', () => {
    const rows = decisionRows([
      event('Node', 'n1', 'Unconsolidatable', 10, { count: 3 }),
      event('Node', 'n1', 'Unconsolidatable', 20, { count: undefined, series: { count: 4 } }),
      event('Node', 'n2', 'Unconsolidatable', 15),
    ])
    expect(rows.map(brief)).toEqual(['Node n1 Unconsolidatable 7', 'Node n2 Unconsolidatable 1'])
    expect(rows[0]?.first).toBe(Date.parse('2026-01-01T10:10:00Z'))
    expect(reasonCounts(rows)).toEqual([{ reason: 'Unconsolidatable', count: 8 }])
  })

  test('of one claim are those about the claim, its node, and the pods that run there or are nominated for it', () => {
    const claim = { metadata: { name: 'c1' }, status: { nodeName: 'n1' } }
    const pods = [
      { metadata: { name: 'here', namespace: 'shop' }, spec: { nodeName: 'n1' } },
      { metadata: { name: 'there', namespace: 'shop' }, spec: { nodeName: 'n2' } },
    ]
    const names = scopeNames([claim], pods)
    const rows = decisionRows(
      [
        event('Pod', 'here', 'Evicted', 10),
        event('Pod', 'there', 'Evicted', 11),
        event('Pod', 'meant', 'Nominated', 12, { message: 'Pod should schedule on: nodeclaim/c1, node/n1' }),
        event('Pod', 'other', 'Nominated', 13, { message: 'Pod should schedule on: nodeclaim/c10' }),
        event('Node', 'n1', 'DisruptionBlocked', 14),
        event('NodeClaim', 'c2', 'DisruptionBlocked', 15),
      ],
      { kind: 'claim', names },
    )
    expect(rows.map(({ name }) => name)).toEqual(['n1', 'meant', 'here'])
  })

  test('at a given time are those that were reported shortly before', () => {
    const rows = decisionRows([
      event('Node', 'old', 'X', 10),
      event('Node', 'now', 'X', 30),
      event('Node', 'new', 'X', 50),
    ])
    const found = decisionsAt(rows, Date.parse('2026-01-01T10:31:00Z'), 10 * 60_000)
    expect(found.map(({ name }) => name)).toEqual(['now'])
  })

  test.each([undefined, null, 3, 'x', {}, { involvedObject: null }, event('Pod', 'a', 'Nominated', 99)])(
    'of %o are none, and nothing is thrown',
    (odd) => expect(decisionRows([odd])).toEqual([]),
  )

  test('of ten thousand events are read in a limited number of steps', () => {
    const many = Array.from({ length: 10_000 }, (_, place) => event('Node', `n${place % 50}`, 'Unconsolidatable', 10))
    expect(decisionRows(many)).toHaveLength(50)
  })

  test('of ten thousand objects are counted once for each node, in rows, groups and warnings', () => {
    const claims = Array.from({ length: 5_000 }, (_, place) => ({
      metadata: { name: `c${place}`, labels: { 'karpenter.sh/nodepool': `p${place % 7}` } },
      status: { nodeName: `n${place}` },
    }))
    const events = claims.flatMap(({ metadata, status }) =>
      [
        event('NodeClaim', metadata.name, 'FailedDraining', 10),
        event('Node', status.nodeName, 'FailedDraining', 10),
      ].map((each) => ({ ...each, type: 'Warning' })),
    )
    const nodes = claims.map(({ metadata, status }) => ({ metadata: { ...metadata, name: status.nodeName } }))
    const rows = decisionRows(events, { kind: 'cluster' }, joinNodes(claims, []))
    expect(rows).toHaveLength(5_000)
    const groups = decisionGroups(rows, indexOwners([], claims, nodes))
    expect(groups).toHaveLength(7)
    expect(groups.reduce((sum, { subjects }) => sum + subjects, 0)).toBe(5_000)
    const [warning, ...more] = warningsSince(rows, [], 0)
    expect([warning?.otherObjects, warning?.count, more.length]).toEqual([4_999, 5_000, 0])
  })
})

describe('pending pods', () => {
  const pod = (name: string, more: object = {}, status: object = {}) => ({
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: '2026-01-01T10:00:00Z' },
    spec: { containers: [{ name: 'a', resources: { requests: { cpu: '250m', memory: '1Gi' } } }], ...more },
    status: {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/3 nodes are available',
          lastTransitionTime: '2026-01-01T10:05:00Z',
        },
      ],
      ...status,
    },
  })

  test('are pods without a node that are neither finished nor being deleted', () => {
    const rows = pendingPods(
      [
        pod('pending'),
        pod('pulls', { nodeName: 'n1' }),
        pod('ended', {}, { phase: 'Failed' }),
        { ...pod('leaves'), metadata: { name: 'leaves', deletionTimestamp: '2026-01-01T10:00:00Z' } },
      ],
      new Map(),
    )
    expect(rows).toMatchObject([
      {
        id: 'uid-pending',
        name: 'pending',
        namespace: 'shop',
        reason: 'Unschedulable',
        from: 'default-scheduler',
        message: '0/3 nodes are available',
        since: Date.parse('2026-01-01T10:05:00Z'),
        cpu: '0.25',
        memory: '1 Gi',
      },
    ])
  })

  test('show the autoscaler’s report, from the pod’s own namespace, instead of the scheduler’s message', () => {
    const events = newestByPod(
      decisionRows([
        event('Pod', 'pending', 'FailedScheduling', 10, { type: 'Warning', message: 'taint gpu is not tolerated' }),
        event('Pod', 'pending', 'FailedScheduling', 20, {
          message: 'another',
          involvedObject: { kind: 'Pod', name: 'pending', namespace: 'elsewhere' },
        }),
      ]),
    )
    expect(pendingPods([pod('pending')], events)).toMatchObject([
      { type: 'Warning', reason: 'FailedScheduling', from: 'karpenter', message: 'taint gpu is not tolerated' },
    ])
    expect(pendingPods([pod('pending')], new Map())).toMatchObject([{ type: '', reason: 'Unschedulable' }])
  })

  test('show scheduling gates, the workload and the nominated node', () => {
    const gated = pod('gated', { schedulingGates: [{ name: 'x' }] }, { nominatedNodeName: 'n9', conditions: [] })
    const owned = {
      ...gated,
      metadata: {
        ...gated.metadata,
        labels: { 'pod-template-hash': '5d8f' },
        ownerReferences: [{ kind: 'ReplicaSet', name: 'web-5d8f' }],
      },
    }
    expect(pendingPods([owned], new Map())).toMatchObject([
      { isGated: true, nominated: 'n9', workload: 'Deployment/web', since: Date.parse('2026-01-01T10:00:00Z') },
    ])
  })

  const untried = { conditions: [] }
  test.each([
    ['unschedulable', pod('a')],
    ['untried', pod('a', {}, untried)],
    ['untried', pod('a', { schedulerName: 'volcano' }, { ...untried, phase: undefined })],
    ['untried', pod('a', {}, { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulerError' }] })],
    ['gated', pod('a', { schedulingGates: [{ name: 'x' }] }, untried)],
    ['nominated', pod('a', {}, { nominatedNodeName: 'n' })],
    ['daemon', { ...pod('a'), metadata: { name: 'a', ownerReferences: [{ kind: 'DaemonSet', name: 'd' }] } }],
    ['none', pod('a', { nodeName: 'n' })],
    ['none', pod('a', {}, { phase: 'Succeeded' })],
    ['unknown', undefined],
  ])('are %s: only a pod that is bound or finished is not pending', (state, one) => {
    expect(pendingState(one)).toBe(state)
  })
})
