import { conditionRows } from './conditions.ts'
import { messageOf } from './message.ts'
import { numberAt, textAt, timeAt } from './read.ts'

/** One entry in the timeline of an object. */
export interface TimelineEntry {
  readonly time: number
  readonly source: 'object' | 'condition' | 'event'
  /** The event's reason, or the condition with its new status. */
  readonly what: string
  readonly message: string
  readonly isWarning: boolean
  readonly count: number
  /** The component that reported the entry. */
  readonly from: string
}

/** Returns when an event was last seen. Different APIs and clients set different fields. */
export const eventTime = (event: unknown): number | undefined =>
  timeAt(event, 'series', 'lastObservedTime') ??
  timeAt(event, 'lastTimestamp') ??
  timeAt(event, 'eventTime') ??
  timeAt(event, 'firstTimestamp') ??
  timeAt(event, 'metadata', 'creationTimestamp')

const eventEntry = (event: unknown): readonly TimelineEntry[] => {
  const time = eventTime(event)
  if (time === undefined) return []
  return [
    {
      time,
      source: 'event',
      what: textAt(event, 'reason') ?? '',
      message: messageOf(event),
      isWarning: textAt(event, 'type') === 'Warning',
      count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1,
      from: textAt(event, 'source', 'component') ?? textAt(event, 'reportingComponent') ?? '',
    },
  ]
}

/** Entries that come from the object's own metadata. The page has texts for them. */
const lifeEvents = ['Created', 'DeletionAsked'] as const
type LifeEvent = (typeof lifeEvents)[number]

export const isLifeEvent = (what: string): what is LifeEvent => lifeEvents.some((each) => each === what)

/** Returns whether an event only repeats a condition of the object itself. */
const repeatsCondition = (message: string): boolean => message.startsWith('Status condition transitioned')

/**
 * Returns the timeline of an object, newest first: its creation, the last change of each condition, its events and
 * its deletion. Events that only repeat a condition are omitted, and equal events are counted together.
 */
export const buildTimeline = (object: unknown, events: readonly unknown[]): readonly TimelineEntry[] => {
  const entries: TimelineEntry[] = []
  const own = (time: number | undefined, what: LifeEvent): void => {
    if (time !== undefined)
      entries.push({ time, source: 'object', what, message: '', isWarning: false, count: 1, from: '' })
  }
  own(timeAt(object, 'metadata', 'creationTimestamp'), 'Created')
  own(timeAt(object, 'metadata', 'deletionTimestamp'), 'DeletionAsked')
  for (const { type, status, reason, message, since } of conditionRows(object)) {
    if (since === undefined || status === 'Unknown') continue
    entries.push({
      time: since,
      source: 'condition',
      what: `${type}: ${status}`,
      message: message || (reason === type ? '' : reason),
      isWarning: false,
      count: 1,
      from: '',
    })
  }
  const merged = new Map<string, TimelineEntry>()
  for (const entry of events.flatMap(eventEntry)) {
    if (repeatsCondition(entry.message)) continue
    const key = `${entry.what}\0${entry.message}\0${entry.from}`
    const known = merged.get(key)
    merged.set(
      key,
      known === undefined
        ? entry
        : { ...entry, time: Math.max(known.time, entry.time), count: known.count + entry.count },
    )
  }
  const order = { object: 0, condition: 1, event: 2 } as const
  return [...entries, ...merged.values()].sort((a, b) => b.time - a.time || order[b.source] - order[a.source])
}
