import { annotations } from '@kerf/apis'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { DeadlineError, terminationDeadline } from '../../nodeclaim/deadline.ts'
import { reportedDeadline } from './reported-deadline.ts'

const claimWithDeadline = (text?: string) => {
  const claim = nodeClaim('c')
  if (text === undefined) return claim
  return { ...claim, metadata: { ...claim.metadata, annotations: { [annotations.terminationTimestamp]: text } } }
}

describe('the deadline in the annotation of a claim', () => {
  test('is an RFC 3339 time', () => {
    const at = Date.parse('2026-01-01T01:00:00Z')
    expect(terminationDeadline(claimWithDeadline('2026-01-01T01:00:00Z'))).toBe(at)
    expect(terminationDeadline(claimWithDeadline('2026-01-01T03:00:00+02:00'))).toBe(at)
    expect(terminationDeadline(claimWithDeadline('2026-01-01T01:00:00.25Z'))).toBe(at + 250)
    expect(terminationDeadline(claimWithDeadline())).toBeUndefined()
  })

  test.each([
    '',
    'tomorrow',
    '2026-01-01',
    '2026-01-01T01:00:00',
    '2026-13-01T01:00:00Z',
    'x2026-01-01T01:00:00Z',
    '+002026-01-01T01:00:00Z',
  ])('is invalid for a text like "%s"', (text) => {
    expect(() => terminationDeadline(claimWithDeadline(text))).toThrow(DeadlineError)
  })

  test('is reported on the Node if it is invalid, with what to correct', () => {
    const events = new RecordingEventRecorder()
    expect(() => reportedDeadline(claimWithDeadline('tomorrow'), node('n'), events)).toThrow(DeadlineError)
    const [event, ...others] = events.events
    expect(others).toEqual([])
    expect([event?.reason, event?.object.kind, event?.object.metadata.name, event?.dedupeValues]).toEqual([
      'FailedDraining',
      'Node',
      'n',
      ['n', 'deadline'],
    ])
    expect(event?.message).toContain(
      `annotation ${annotations.terminationTimestamp} of nodeclaim c is "tomorrow", not an RFC 3339 time`,
    )
    expect(reportedDeadline(claimWithDeadline('2026-01-01T01:00:00Z'), node('n'), events)).toBe(
      Date.parse('2026-01-01T01:00:00Z'),
    )
    expect(events.events).toHaveLength(1)
  })
})
