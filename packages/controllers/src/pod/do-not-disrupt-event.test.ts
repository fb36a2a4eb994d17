import { annotations } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { doNotDisruptEvent } from './do-not-disrupt-event.ts'

const at = Date.parse('2026-01-01T01:00:00Z')
/** Returns the fields by which the API server and the deduplication identify an Event (`docs/spec/events.md#core-events`). */
const shape = (event: ReturnType<typeof doNotDisruptEvent>) =>
  event && [event.reason, event.type, event.object.kind, event.object.apiVersion, event.dedupeValues]

describe('the event of a pod’s do-not-disrupt annotation', () => {
  const annotationEvent = (text: string | undefined, startTime?: string, now = at) => {
    const metadata = text === undefined ? {} : { annotations: { [annotations.doNotDisrupt]: text } }
    const status = startTime === undefined ? {} : { startTime }
    return doNotDisruptEvent(pod('web', { metadata, status }), now)
  }

  test('is not published without an annotation, with permanent protection, and before the pod has started', () => {
    expect([annotationEvent(undefined), annotationEvent('true'), annotationEvent('2h')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('warns about an invalid value, once for each value', () => {
    const event = annotationEvent('perhaps')
    const problem = '"perhaps" is neither "true" nor a positive duration'
    expect(shape(event)).toEqual(['InvalidDoNotDisruptAnnotation', 'Warning', 'Pod', 'v1', ['uid-web', problem]])
    expect(event?.message).toBe(`Invalid ${annotations.doNotDisrupt} annotation: ${problem}, ignoring annotation`)
  })

  test('contains the time until which the pod is protected, and later reports that the protection has ended', () => {
    const until = annotationEvent('2h', '2026-01-01T00:30:00Z')
    expect(shape(until)).toEqual(['DoNotDisruptUntil', 'Normal', 'Pod', 'v1', ['uid-web', '2026-01-01T02:30:00Z']])
    expect(until?.message).toContain('will elapse at 2026-01-01T02:30:00Z')
    const over = annotationEvent('20m', '2026-01-01T00:30:00Z')
    expect(shape(over)).toEqual(['DoNotDisruptGracePeriodElapsed', 'Normal', 'Pod', 'v1', ['uid-web']])
    expect(over?.message).toBe(`The ${annotations.doNotDisrupt} grace period has elapsed`)
  })

  test('is deduplicated by the name of the pod if it has no UID', () => {
    const { uid: _, ...metadata } = pod('web', {
      metadata: { annotations: { [annotations.doNotDisrupt]: 'no' } },
    }).metadata
    expect(doNotDisruptEvent({ ...pod('web'), metadata }, at)?.dedupeValues?.[0]).toBe('default/web')
  })
})
