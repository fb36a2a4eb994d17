import { describe, expect, test } from 'vitest'
import { decisionRows } from './decisions.ts'
import { reportedHistory } from './history.ts'
import { changesSince } from './last-hour.ts'

const MINUTE = 60_000
const NOW = Date.parse('2026-06-10T12:00:00Z')
const HOUR_AGO = NOW - 60 * MINUTE

/** Returns a history that began 90 minutes ago, with one value per minute. */
const chartHistory = (charts: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>) => {
  const history = reportedHistory({
    ...{ since: NOW - 90 * MINUTE, from: NOW - 90 * MINUTE, step: MINUTE, leftOut: 0 },
    charts,
  })
  if (history === undefined) throw new Error('no history')
  return history
}
const minutes = (value: (minute: number) => number | null): readonly (number | null)[] =>
  Array.from({ length: 91 }, (_, minute) => value(minute))

const claimOf = (name: string, pool: string, at: number): object => ({
  metadata: {
    ...{ name, labels: { 'karpenter.sh/nodepool': pool } },
    creationTimestamp: new Date(at).toISOString(),
  },
})

describe('what changed', () => {
  test('totals count from one hour ago, and lines that began later count with their whole value', () => {
    const history = chartHistory({
      created: {
        // The first known value is more than an hour old, but the history began even earlier.
        'general · provisioned': minutes((minute) => (minute < 2 ? null : minute < 70 ? 22 : 25)),
        'reports · provisioned': minutes((minute) => (minute < 80 ? null : 2)),
        'idle · provisioned': minutes(() => 7),
      },
      disrupted: { 'general · underutilized': minutes((minute) => (minute < 60 ? 1 : 3)) },
    })
    expect(changesSince(history, [], [], HOUR_AGO).pools).toEqual([
      { pool: 'general', launched: 3, removed: [{ reason: 'underutilized', count: 2 }] },
      { pool: 'reports', launched: 2, removed: [] },
    ])
  })

  test('totals continue after a controller restart', () => {
    const history = chartHistory({
      created: { 'general · provisioned': minutes((minute) => (minute < 60 ? 40 : minute - 60)) },
    })
    expect(changesSince(history, [], [], HOUR_AGO).pools).toEqual([{ pool: 'general', launched: 30, removed: [] }])
  })

  test('everything from a controller that started within the hour is new', () => {
    const created = { 'general · provisioned': minutes(() => 4) }
    expect(changesSince(chartHistory({ created }), [], [], HOUR_AGO - 60 * MINUTE).pools[0]?.launched).toBe(4)
  })

  test('nodes that were created after the last value are counted from their claims', () => {
    const history = chartHistory({ created: { 'general · provisioned': minutes((minute) => (minute < 90 ? 0 : 1)) } })
    const claims = ['a', 'b'].map((name) => claimOf(name, 'general', NOW))
    expect(changesSince(history, [], [...claims, claimOf('c', 'new', NOW)], HOUR_AGO).pools).toEqual([
      { pool: 'general', launched: 2, removed: [] },
      { pool: 'new', launched: 1, removed: [] },
    ])
  })

  test('the cost is the sum of all pools', () => {
    const cost = { a: minutes((minute) => minute), b: minutes(() => 1) }
    expect(changesSince(chartHistory({ cost }), [], [], HOUR_AGO).cost).toEqual({ before: 31, now: 91 })
    expect(changesSince(undefined, [], [], HOUR_AGO).cost).toBeUndefined()
  })

  test('without a history, removed nodes are counted from Events of the last hour, by reason', () => {
    const claims = [claimOf('x-2vk8d', 'x', HOUR_AGO - 1)]
    const event = (kind: string, name: string, why: string, at = NOW): object => ({
      ...{ reason: 'DisruptionTerminating', message: `Disrupting ${kind}: ${why}` },
      ...{ involvedObject: { kind, name }, source: { component: 'karpenter' }, metadata: { name: `${kind}-${name}` } },
      lastTimestamp: new Date(at).toISOString(),
    })
    const rows = decisionRows([
      event('NodeClaim', 'x-9bq4z', 'Empty'),
      event('NodeClaim', 'x-5cw7m', 'Underutilized'),
      event('NodeClaim', 'x-7hj2p', 'Underutilized'),
      event('NodeClaim', 'x-8fz5q', 'Drifted', HOUR_AGO - MINUTE),
    ])
    const removed = [
      { reason: 'underutilized', count: 2 },
      { reason: 'empty', count: 1 },
    ]
    expect(changesSince(undefined, [], claims, HOUR_AGO, rows).pools).toEqual([{ pool: 'x', launched: 0, removed }])
    expect(changesSince(undefined, [], [claimOf('x-a', 'x', NOW)], HOUR_AGO, []).pools).toEqual([
      { pool: 'x', launched: 1, removed: [] },
    ])
  })

  test('without a history and Events, new claims are counted, and removals are unknown', () => {
    const claims = [claimOf('a', 'x', HOUR_AGO - 1), claimOf('b', 'x', HOUR_AGO + MINUTE), claimOf('c', 'y', NOW)]
    expect(changesSince(undefined, [], claims, HOUR_AGO).pools).toEqual([
      { pool: 'x', launched: 1, removed: undefined },
      { pool: 'y', launched: 1, removed: undefined },
    ])
  })

  test('lists NodePools with an edited spec, but not those whose annotations or status a controller wrote', () => {
    const at = new Date(NOW - MINUTE).toISOString()
    const pool = (name: string, ...managedFields: readonly object[]): object => ({ metadata: { name, managedFields } })
    const spec = { fieldsV1: { 'f:spec': {} } }
    const edited = pool('edited', { manager: 'kubectl-edit', time: at, ...spec })
    const others = [
      pool('hashed', { manager: 'karpenter', time: at, fieldsV1: { 'f:metadata': {} } }),
      pool('scaled', { manager: 'karpenter', time: at, subresource: 'status', fieldsV1: { 'f:spec': {} } }),
      pool('old', { manager: 'kubectl', time: new Date(HOUR_AGO - 1).toISOString(), ...spec }),
      pool('bare'),
    ]
    expect(changesSince(undefined, [edited, ...others], [], HOUR_AGO).edits).toEqual([
      { pool: 'edited', by: 'kubectl-edit', time: NOW - MINUTE },
    ])
  })
})
