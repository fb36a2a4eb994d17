import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { grantedSeconds, mustBeDeleted } from './forced-deletion.ts'

// Tests of `docs/spec/termination.md#forced-deletion`.

const deadline = Date.parse('2026-01-01T01:00:00Z')
const seconds = (count: number): number => count * 1_000

describe('a pod is deleted despite its PDBs', () => {
  const minute = pod('web', { spec: { terminationGracePeriodSeconds: 60 } })

  test('as soon as its grace period could end after the deadline', () => {
    expect(mustBeDeleted(minute, deadline, deadline - seconds(60))).toBe(false)
    expect(mustBeDeleted(minute, deadline, deadline - seconds(60) + 1)).toBe(true)
  })

  test('but not if there is no deadline, or if the pod has no grace period', () => {
    expect(mustBeDeleted(minute, undefined, deadline)).toBe(false)
    expect(mustBeDeleted(pod('web'), deadline, deadline + seconds(60))).toBe(false)
  })

  test('a second time only if it is terminating and would end after the deadline', () => {
    const until = (deletionTimestamp: string) => pod('web', { spec: minute.spec, metadata: { deletionTimestamp } })
    expect(mustBeDeleted(until('2026-01-01T00:59:59Z'), deadline, deadline)).toBe(false)
    expect(mustBeDeleted(until('2026-01-01T01:00:00Z'), deadline, deadline)).toBe(false)
    expect(mustBeDeleted(until('2026-01-01T01:00:01Z'), deadline, deadline - seconds(600))).toBe(true)
  })
})

test.each([
  [seconds(30), 30],
  [seconds(30) - 1, 29],
  [seconds(1), 1],
  [0, 1],
  [-seconds(30), 1],
])('with %i ms left, a pod gets a grace period of %i seconds, and never zero', (left, granted) => {
  expect(grantedSeconds(deadline, deadline - left)).toBe(granted)
})
