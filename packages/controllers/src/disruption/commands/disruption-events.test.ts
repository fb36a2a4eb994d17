import { balancedScore } from '@kerf/engine'
import type { RecordedEvent } from '@kerf/runtime'
import { node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import { candidate, consolidation } from '../../testing/candidate.ts'
import type { Command } from './command.ts'
import { DisruptionEvents } from './disruption-events.ts'

const pool = nodePool('general')

const one = candidate('a')
const replaced = (...names: readonly string[]): Command =>
  consolidation(
    names.map((name) => candidate(name)),
    { replacements: [{ kind: 'template', pool }] },
  )

/** Returns the published Events: object, text, dedupe values and dedupe window. */
const reported = (report: (events: DisruptionEvents) => void) => {
  const published: RecordedEvent[] = []
  report(new DisruptionEvents({ publish: (event) => published.push(event) }))
  return published.map(({ object, type, reason, message, dedupeValues, dedupeFor }) => [
    `${object.kind}/${object.metadata.name}`,
    `${type} ${reason}: ${message}`,
    dedupeValues,
    ...(dedupeFor === undefined ? [] : [dedupeFor]),
  ])
}

test('a different error is reported again, but the same error is not', () => {
  const published: RecordedEvent[] = []
  const events = new DisruptionEvents({ publish: (event) => published.push(event) })
  for (const error of ['budget 0: unknown time zone "Mars"', 'budget 0: no cron', 'budget 0: no cron', undefined])
    events.budgetBlocked(pool, 'Empty', error)
  const keys = published.map(({ reason, dedupeValues = [] }) => [reason, ...dedupeValues].join())
  expect(keys[2]).toBe(keys[1])
  expect(new Set(keys).size).toBe(3)
})

// `docs/spec/events.md#core-events`
describe('Events of disruption: object, type, reason, text and dedupe window', () => {
  const both = (text: string, ...more: readonly string[]) => [
    ['Node/node-a', text, ['uid-node-a', ...more]],
    ['NodeClaim/a', text, ['uid-a', ...more]],
  ]

  test('a node that no method may disrupt', () => {
    expect(reported((events) => events.blocked(one.state, { code: 'node.do-not-disrupt' }))).toEqual(
      both('Normal DisruptionBlocked: Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation'),
    )
  })

  test('nothing is published for a node that a command has taken, nor for an unmanaged node', () => {
    const stranger = new StateNode('s')
    stranger.node = node('stranger')
    expect(reported((events) => events.blocked(one.state, { code: 'command.queued' }))).toEqual([])
    expect(reported((events) => events.blocked(stranger, { code: 'node.unmanaged' }))).toEqual([])
  })

  test('pods whose annotation protects a node for a limited time are reported; other pods and pods on unmanaged nodes are not', () => {
    const guard = pod('guard', {
      metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '2h' } },
      status: { startTime: '2026-01-01T00:00:00Z' },
    })
    const pods = [pod('plain'), guard]
    const now = Date.parse('2026-01-01T01:00:00Z')
    const [event, ...more] = reported((events) => events.protections({ claim: nodeClaim('a'), pods }, now))
    expect(more).toEqual([])
    expect(event?.slice(0, 1)).toEqual(['Pod/guard'])
    expect(event?.[1]).toContain('Normal DoNotDisruptUntil')
    expect(reported((events) => events.protections({ claim: undefined, pods }, now))).toEqual([])
  })

  test('a pool whose budgets allow nothing, and a pool with invalid budgets', () => {
    const message = 'No allowed disruptions for disruption reason Drifted due to blocking budget'
    expect(reported((events) => events.budgetBlocked(pool, 'Drifted'))).toEqual([
      ['NodePool/general', `Normal DisruptionBlocked: ${message}`, ['uid-general', 'Drifted'], 60_000],
    ])
    expect(reported((events) => events.budgetBlocked(pool, 'Drifted', 'no cron'))).toEqual([
      [
        'NodePool/general',
        `Warning DisruptionBlocked: ${message}: no cron`,
        ['uid-general', 'Drifted', 'no cron'],
        60_000,
      ],
    ])
  })

  test('a node that cannot be consolidated, once in 15 minutes', () => {
    expect(reported((events) => events.unconsolidatable(one.state, { code: 'spot.disabled' }))).toMatchObject([
      ['Node/node-a', expect.stringMatching(/^Normal Unconsolidatable: [A-Z]/), ['uid-node-a'], 900_000],
      ['NodeClaim/a', expect.stringMatching(/^Normal Unconsolidatable: [A-Z]/), ['uid-a'], 900_000],
    ])
  })

  test('a node that consolidation can move, and a node whose move was rejected', () => {
    const text = 'replace: [node-a] -> [1 replacement]'
    expect(reported((events) => events.candidate(replaced('a')))).toEqual(
      both(`Normal ConsolidationCandidate: Consolidation candidate: ${text} (savings: $0.13)`, text),
    )
    expect(reported((events) => events.rejected(replaced('a'), 'churn'))).toEqual(
      both(
        `Normal ConsolidationRejected: Consolidation rejected: ${text}, reason: churn (savings: $0.13)`,
        text,
        'churn',
      ),
    )
  })

  test('a move of several nodes is reported on each node', () => {
    const messages = reported((events) => events.candidate(replaced('a', 'b'))).map(([about, text]) => [
      about,
      /\[(\S+)\] \(part of (\d)-node/.exec(String(text))?.slice(1),
    ])
    expect(messages).toEqual([
      ['Node/node-a', ['node-a', '2']],
      ['NodeClaim/a', ['node-a', '2']],
      ['Node/node-b', ['node-b', '2']],
      ['NodeClaim/b', ['node-b', '2']],
    ])
  })

  test('an approval by score is reported on the node for a single-node move, and on the scored pools for a multi-node move', () => {
    const score = balancedScore(7.26, 4, { price: 58.08, disruption: 90 })
    const scores = new Map([['general', score]])
    const single = reported((events) => events.approvedForNode(one, scores))
    expect(single.map(([about, , values]) => [about, values])).toEqual([
      ['Node/node-a', ['uid-node-a']],
      ['NodeClaim/a', ['uid-a']],
    ])
    for (const [, text] of single) expect(text).toContain('Normal ConsolidationApproved: score 2.81 >= threshold 0.50')
    const several = consolidation([one, candidate('b', { poolName: 'other' })])
    expect(reported((events) => events.approvedForPools(several, scores))).toEqual([
      ['NodePool/general', single[0]?.[1], ['uid-general']],
    ])
    expect(reported((events) => events.approvedForNode(candidate('c', { poolName: 'other' }), scores))).toEqual([])
    expect(reported((events) => events.approvedForPools(several, new Map([['gone', score]])))).toEqual([])
  })

  test('the replacement is reported when it launches and when it is ready, and the node when it is deleted', () => {
    expect(reported((events) => events.launching(nodeClaim('new'), 'Drifted'))).toEqual([
      ['NodeClaim/new', 'Normal DisruptionLaunching: Launching NodeClaim: Drifted', ['uid-new', 'Drifted']],
    ])
    expect(reported((events) => events.waitingReadiness(nodeClaim('new')))).toEqual([
      ['NodeClaim/new', 'Normal DisruptionWaitingReadiness: Waiting on readiness to continue disruption', ['uid-new']],
    ])
    expect(reported((events) => events.terminating(one.state, 'Empty'))).toEqual([
      ['Node/node-a', 'Normal DisruptionTerminating: Disrupting Node: Empty', ['uid-node-a', 'Empty']],
      ['NodeClaim/a', 'Normal DisruptionTerminating: Disrupting NodeClaim: Empty', ['uid-a', 'Empty']],
    ])
    expect(reported((events) => events.terminating({ node: undefined, claim: nodeClaim('a') }, 'Empty'))).toHaveLength(
      1,
    )
  })
})
