import { describe, expect, test } from 'vitest'
import { blockingDecisions } from './blocking-decisions.ts'
import { decisionGroups, indexOwners } from './decision-groups.ts'
import { decisionRows } from './decisions.ts'
import { joinNodes, keptJoin } from './node-join.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString()
const event = (kind: string, name: string, reason: string, message: string, second = 0, count = 1) => ({
  metadata: { uid: `${kind}/${name}/${reason}/${message}`, creationTimestamp: at(0) },
  involvedObject: { kind, name },
  ...{ reason, message, type: 'Normal', source: { component: 'karpenter' }, count },
  lastTimestamp: at(second),
})
const claim = (name: string, status: object, uid = `uid-${name}`) => ({
  metadata: { name, uid, labels: { 'karpenter.sh/nodepool': 'general' } },
  status,
})
const node = (name: string, providerID?: string, owner?: string) => ({
  metadata: {
    ...{ name, labels: { 'karpenter.sh/nodepool': 'general' } },
    ownerReferences: owner === undefined ? [] : [{ kind: 'NodeClaim', uid: owner }],
  },
  spec: providerID === undefined ? {} : { providerID },
})
/** Returns the two events that a controller publishes for a decision about a node. */
const both = (place: number, reason: string, message: (kind: string) => string, second = 0) => [
  event('Node', `ip-${place}`, reason, message('Node'), second, 2),
  event('NodeClaim', `general-${place}`, reason, message('NodeClaim'), second + 1, 2),
]
const many = Array.from({ length: 19 }, (_, place) => place)
const claims = many.map((place) =>
  claim(`general-${place}`, { nodeName: `ip-${place}`, providerID: `cloud:///${place}` }),
)
const nodes = many.map((place) => node(`ip-${place}`, `cloud:///${place}`))

describe('the two events of a decision about a node', () => {
  test.each([
    ['of Kerf and of upstream', (_: string) => "Can't replace with a cheaper node"],
    ['of upstream before 1.1', (kind: string) => `Cannot disrupt ${kind}: pdb "web" prevents pod evictions`],
    ['of a disruption', (kind: string) => `Disrupting ${kind}: Underutilized`],
  ])('%s count as one', (_, message) => {
    const events = many.flatMap((place) => both(place, 'Unconsolidatable', message))
    const rows = decisionRows(events, { kind: 'cluster' }, joinNodes(claims, nodes))
    expect(rows).toHaveLength(19)
    expect(new Set(rows.map(({ kind, count }) => `${kind} ${count}`))).toEqual(new Set(['Node 2']))
    const groups = decisionGroups(rows, indexOwners([], claims, nodes))
    expect(groups.map(({ owner, subjects, count, others }) => [owner, subjects, count, others])).toEqual([
      ['general', 19, 38, 0],
    ])
  })

  test('count as one node if only one of them has the reason, or if they have different reasons', () => {
    const rows = decisionRows(
      [
        event('Node', 'ip-0', 'DisruptionBlocked', 'Pdb prevents pod evictions'),
        event('NodeClaim', 'general-0', 'DisruptionBlocked', 'Node is nominated for a pending pod'),
        event('NodeClaim', 'general-1', 'DisruptionBlocked', 'Node is nominated for a pending pod'),
      ],
      { kind: 'cluster' },
      joinNodes(claims, nodes),
    )
    expect(decisionGroups(rows, indexOwners([], claims, nodes))).toMatchObject([
      { subjects: 2, message: 'Node is nominated for a pending pod', others: 1 },
    ])
  })

  test('count as one if both objects are deleted, or if the user is allowed to list neither kind', () => {
    const events = many.flatMap((place) => both(place, 'DisruptionTerminating', (kind) => `Disrupting ${kind}: Empty`))
    const failed = event('NodeClaim', 'general-x', 'DisruptionTerminating', 'Disrupting NodeClaim: Empty', 50)
    const rows = decisionRows([...events, failed], { kind: 'cluster' })
    expect(new Set(rows.map(({ subject }) => subject)).size).toBe(20)
    expect(rows.map(({ kind }) => kind).filter((kind) => kind === 'NodeClaim')).toHaveLength(1)
    // The names of deleted NodeClaims show their NodePool, as long as it has other NodeClaims.
    const groups = decisionGroups(rows.slice(1), indexOwners([], [claim('general-50', {})], []))
    expect(groups.map(({ owner, subjects }) => [owner, subjects])).toEqual([['general', 19]])
  })

  test('of a listed NodeClaim without a node are never taken for those of a deleted node', () => {
    const events = [
      event('Node', 'gone', 'DisruptionBlocked', 'Node is deleting'),
      event('NodeClaim', 'new', 'DisruptionBlocked', 'Node is deleting'),
    ]
    const rows = decisionRows(events, { kind: 'cluster' }, joinNodes([claim('new', {})], []))
    expect(rows.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(['Node gone', 'NodeClaim new'])
  })

  test('belong to the page of the Node and to the page of the NodeClaim', () => {
    const events = both(0, 'Unconsolidatable', () => 'not cheaper')
    const join = joinNodes(claims, nodes)
    for (const name of ['ip-0', 'general-0', 'ip-1'])
      expect(decisionRows(events, { kind: 'node', names: new Set([name]) }, join)).toHaveLength(name === 'ip-1' ? 0 : 1)
  })

  test('are joined by the names in a nomination if both objects are deleted', () => {
    const events = [
      { ...event('Pod', 'web', 'Nominated', 'Pod should schedule on: nodeclaim/general-0, node/ip-0') },
      event('Node', 'ip-0', 'DisruptionBlocked', 'a', 0),
      event('NodeClaim', 'general-0', 'DisruptionBlocked', 'a', 40),
    ]
    expect(decisionRows(events).filter(({ about }) => about === 'node')).toMatchObject([
      { kind: 'Node', name: 'ip-0', count: 1, mentions: ['general-0'] },
    ])
  })
})

describe('a Node and its NodeClaim', () => {
  const pairs = (...all: Parameters<typeof joinNodes>) => [...joinNodes(...all).nodes]
  test('are joined by provider id, by owner, or by the name in the status', () => {
    expect(pairs([claim('c', { providerID: 'p' })], [node('n', 'p')])).toEqual([['c', 'n']])
    expect(pairs([claim('c', {}, 'u')], [node('n', undefined, 'u')])).toEqual([['c', 'n']])
    expect(pairs([claim('c', { nodeName: 'n' })], [])).toEqual([['c', 'n']])
    expect(pairs([claim('c', {})], [node('n')])).toEqual([])
  })

  test('are not joined by the name alone if their provider ids differ', () => {
    expect(pairs([claim('old', { nodeName: 'n', providerID: 'a' })], [node('n', 'b')])).toEqual([])
  })

  test('keep the same join until it changes', () => {
    const before = joinNodes(claims, nodes)
    expect(keptJoin(before, joinNodes([...claims], [...nodes]))).toBe(before)
    expect(keptJoin(before, joinNodes(claims.slice(1), nodes))).not.toBe(before)
  })
})

test('lists the newest message for each reason that keeps a node, without messages that repeat the objects', () => {
  const rows = decisionRows([
    event('Node', 'n', 'Unconsolidatable', 'not cheaper', 1),
    event('Node', 'n', 'Unconsolidatable', 'would need 2 nodes', 9),
    event('Node', 'n', 'DisruptionBlocked', 'Pdb prevents pod evictions (PodDisruptionBudget=[shop/tight])', 5),
    event('Node', 'n', 'DisruptionBlocked', 'Node is nominated for a pending pod', 4),
    event('Node', 'n', 'ConsolidationCandidate', 'no blocker', 4),
    event('NodePool', 'general', 'DisruptionBlocked', 'No allowed disruptions', 4),
  ])
  const known = ['pdb prevents pod evictions (PodDisruptionBudget=[shop/tight])']
  expect(blockingDecisions(rows, known).map(({ reason, message, others }) => [reason, message, others])).toEqual([
    ['Unconsolidatable', 'would need 2 nodes', 1],
    ['DisruptionBlocked', 'Node is nominated for a pending pod', 0],
  ])
})
