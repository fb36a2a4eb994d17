import { conditionsOf } from './conditions.ts'
import { numberAt, textAt, timeAt } from './read.ts'

/** One thing that happened to an object. */
export interface Moment {
  readonly time: number
  readonly source: 'object' | 'condition' | 'event'
  /** What happened: the event's reason, or the condition and what it became. */
  readonly what: string
  readonly message: string
  readonly isWarning: boolean
  readonly count: number
  /** Who said it. */
  readonly from: string
}

/** When an event was last seen: each API and client fills another field. */
export const eventTime = (event: unknown): number | undefined =>
  timeAt(event, 'series', 'lastObservedTime') ??
  timeAt(event, 'lastTimestamp') ??
  timeAt(event, 'eventTime') ??
  timeAt(event, 'firstTimestamp') ??
  timeAt(event, 'metadata', 'creationTimestamp')

const momentOf = (event: unknown): readonly Moment[] => {
  const time = eventTime(event)
  if (time === undefined) return []
  return [
    {
      time,
      source: 'event',
      what: textAt(event, 'reason') ?? '',
      message: textAt(event, 'message') ?? textAt(event, 'note') ?? '',
      isWarning: textAt(event, 'type') === 'Warning',
      count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1,
      from: textAt(event, 'source', 'component') ?? textAt(event, 'reportingComponent') ?? '',
    },
  ]
}

/** What the object's own metadata tell of its life; the page has texts for these. */
const lifeMarks = ['Created', 'DeletionAsked'] as const
type LifeMark = (typeof lifeMarks)[number]

export const isLifeMark = (what: string): what is LifeMark => lifeMarks.some((each) => each === what)

/** An event that only repeats a condition that the object itself tells of. */
const repeatsCondition = (message: string): boolean => message.startsWith('Status condition transitioned')

/**
 * The life of an object: its creation, the last change of each condition, its events and its deletion, the newest first.
 * Events that say the same as a condition are left out. Equal events count together.
 */
export const timelineOf = (object: unknown, events: readonly unknown[]): readonly Moment[] => {
  const moments: Moment[] = []
  const own = (time: number | undefined, what: LifeMark): void => {
    if (time !== undefined)
      moments.push({ time, source: 'object', what, message: '', isWarning: false, count: 1, from: '' })
  }
  own(timeAt(object, 'metadata', 'creationTimestamp'), 'Created')
  own(timeAt(object, 'metadata', 'deletionTimestamp'), 'DeletionAsked')
  for (const { type, status, reason, message, since } of conditionsOf(object)) {
    if (since === undefined || status === 'Unknown') continue
    moments.push({
      time: since,
      source: 'condition',
      what: `${type}: ${status}`,
      message: message || (reason === type ? '' : reason),
      isWarning: false,
      count: 1,
      from: '',
    })
  }
  const merged = new Map<string, Moment>()
  for (const moment of events.flatMap(momentOf)) {
    if (repeatsCondition(moment.message)) continue
    const key = `${moment.what}\0${moment.message}\0${moment.from}`
    const known = merged.get(key)
    merged.set(
      key,
      known === undefined
        ? moment
        : { ...moment, time: Math.max(known.time, moment.time), count: known.count + moment.count },
    )
  }
  const order = { object: 0, condition: 1, event: 2 } as const
  return [...moments, ...merged.values()].sort((a, b) => b.time - a.time || order[b.source] - order[a.source])
}
