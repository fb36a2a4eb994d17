import { describe, expect, test } from 'vitest'
import { decisionGroups, indexOwners } from './decision-groups.ts'
import { type DecisionRow, decisionRows } from './decisions.ts'
import { joinNodes, NO_JOIN } from './node-join.ts'
import { warningsSince } from './recent-warnings.ts'
import { hasJoined, hasLaunched, LOOKED_AT, type PlannedNode, randomCluster } from './testing/random-cluster.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)
const HOUR = 3_600_000
const REASONS = ['Unconsolidatable', 'DisruptionBlocked', 'ConsolidationRejected'] as const
const MESSAGES = ['cannot replace with a cheaper node', 'a pod has no other place', 'the budget is exhausted'] as const

/** A decision that the autoscaler reports about one node. */
interface Planned {
  readonly node: Pick<PlannedNode, 'name' | 'pool' | 'state'>
  readonly reason: (typeof REASONS)[number]
  readonly message: (typeof MESSAGES)[number]
  readonly type: 'Warning' | 'Normal'
  readonly times: number
  readonly at: number
  readonly isListed: boolean
}

/**
 * Returns one decision about each launched node, and about four nodes that no longer exist. A third of the decisions is older than an hour.
 */
const plannedDecisions = (plannedNodes: readonly PlannedNode[], seed: number): readonly Planned[] => {
  const gone = Array.from({ length: 4 }, (_, place) => ({ name: `gone${place}`, pool: '', state: 'ready' as const }))
  return [...plannedNodes.filter(hasLaunched), ...gone].map((node, place): Planned => {
    const mixed = place * 7 + seed
    const isStale = mixed % 3 === 0
    return {
      node,
      reason: REASONS[mixed % REASONS.length] ?? REASONS[0],
      message: MESSAGES[(mixed >> 1) % MESSAGES.length] ?? MESSAGES[0],
      type: mixed % 2 === 0 ? 'Warning' : 'Normal',
      times: 1 + (mixed % 4),
      at: LOOKED_AT - (isStale ? 2 * HOUR : 0) - place * 60_000,
      isListed: !node.name.startsWith('gone'),
    }
  })
}

const event = (kind: string, name: string, { reason, message, type, at }: Planned, count: number, copy: number) => ({
  metadata: { name: `${name}.${reason}.${copy}`, uid: `${kind}/${name}/${reason}/${copy}` },
  involvedObject: { kind, name },
  ...{ reason, message, type, count, source: { component: 'karpenter' } },
  firstTimestamp: new Date(at - 1000).toISOString(),
  lastTimestamp: new Date(at).toISOString(),
})

/**
 * Returns the events of a decision: one for the NodeClaim, and one for the Node if it has joined. If the decision was repeated, the last
 * occurrence is a separate event.
 */
const published = (planned: Planned): readonly object[] => {
  const { node, times } = planned
  const kinds = hasJoined(node as PlannedNode)
    ? [
        ['Node', node.name],
        ['NodeClaim', `claim-${node.name}`],
      ]
    : [['NodeClaim', `claim-${node.name}`]]
  return kinds.flatMap(([kind = '', name = '']) =>
    times === 1
      ? [event(kind, name, planned, 1, 0)]
      : [event(kind, name, planned, times - 1, 0), event(kind, name, planned, 1, 1)],
  )
}

const foreign = (planned: Planned): object => ({
  ...event('Node', planned.node.name, planned, 9, 9),
  reason: 'NodeNotReady',
  source: { component: 'kubelet' },
})

const perReason = (rows: readonly DecisionRow[]) =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(rows, ({ reason }) => reason),
      ([reason, own]) => [
        reason,
        [new Set(own.map(({ subject }) => subject)).size, own.reduce((sum, { count }) => sum + count, 0)],
      ],
    ),
  )

describe.each(SEEDS)('the decisions of cluster %d', (seed) => {
  const { plannedNodes, objects } = randomCluster(seed)
  const planned = plannedDecisions(plannedNodes, seed)
  const events = [...planned.flatMap(published), ...planned.map(foreign)]
  const join = joinNodes(objects.claims, objects.nodes)
  const rows = decisionRows(events, undefined, join)
  const timesOf = (all: readonly Planned[]): number => all.reduce((sum, { times }) => sum + times, 0)
  const expected = Object.fromEntries(
    Array.from(
      Map.groupBy(planned, ({ reason }) => reason),
      ([reason, own]) => [reason, [own.length, timesOf(own)]],
    ),
  )

  test('a Node and its NodeClaim are counted once, with all rights and with some', () => {
    expect(perReason(rows)).toEqual(expected)
    expect(perReason(decisionRows(events, undefined, joinNodes([], objects.nodes)))).toEqual(expected)
    expect(perReason(decisionRows(events, undefined, joinNodes(objects.claims, [])))).toEqual(expected)
    expect(perReason(decisionRows(events, undefined, NO_JOIN))).toEqual(expected)
  })

  test('groups contain the numbers of nodes of a NodePool, of occurrences, and of other reasons', () => {
    const owners = indexOwners(objects.pods, objects.claims, objects.nodes)
    const shown = decisionGroups(rows, owners)
      .filter(({ owner }) => owner.startsWith('pool-'))
      .map(({ owner, reason, type, subjects, count, others, message }) => [
        `${owner} ${reason} ${type}`,
        { subjects, count, others, isSaid: MESSAGES.some((each) => each === message) },
      ])
    const wanted = Array.from(
      Map.groupBy(
        planned.filter(({ isListed }) => isListed),
        ({ node, reason, type }) => `${node.pool} ${reason} ${type}`,
      ),
      ([key, own]) => [
        key,
        {
          subjects: own.length,
          count: timesOf(own),
          others: new Set(own.map(({ message }) => message)).size - 1,
          isSaid: true,
        },
      ],
    )
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(wanted))
  })

  test('recent problems are the warnings of the last hour, and NodePools that are not ready', () => {
    const recent = planned.filter(({ type, at }) => type === 'Warning' && at >= LOOKED_AT - HOUR)
    const warnings = warningsSince(rows, objects.pools, LOOKED_AT - HOUR)
    const said = warnings.filter(({ kind }) => kind !== 'NodePool')
    expect(Object.fromEntries(said.map(({ what, otherObjects, count }) => [what, [otherObjects + 1, count]]))).toEqual(
      Object.fromEntries(
        Array.from(
          Map.groupBy(recent, ({ reason }) => reason),
          ([reason, own]) => [reason, [own.length, timesOf(own)]],
        ),
      ),
    )
    const broken = randomCluster(seed).pools.filter(({ kind }) => kind === 'not-ready')
    expect(warnings.filter(({ kind }) => kind === 'NodePool').map(({ name }) => name)).toEqual(
      broken.map(({ name }) => name),
    )
  })
})
