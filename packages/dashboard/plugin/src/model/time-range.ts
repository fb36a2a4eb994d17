import { type Range, rangeSeconds } from './charts.ts'

/** A time range, in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** The time range that the user has selected: the time up to now, or a fixed range. */
export type ChosenRange = { readonly kind: 'last'; readonly range: Range } | ({ readonly kind: 'between' } & TimeRange)

/** Returns the start and the end of the selected time range. A range of the kind `last` ends at `now`. */
export const rangeAt = (chosen: ChosenRange, now: number): TimeRange =>
  chosen.kind === 'between'
    ? { from: chosen.from, until: chosen.until }
    : { from: now - rangeSeconds(chosen.range) * 1000, until: now }

const DAY = 24 * 3_600_000
/** On an axis that is longer than this, ticks are too far apart to show a time of day. */
const WEEKS = 10 * DAY

/**
 * Returns the label of a tick on an axis of time that is `length` milliseconds long. It contains the date if the axis is
 * longer than a day, because the same time of day then occurs twice.
 */
export const timeTick = (
  time: number,
  length: number,
  format: { readonly locale?: string; readonly timeZone?: string } = {},
): string => {
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const date = { month: 'short', day: 'numeric' } as const
  const shown = length <= DAY ? clock : length <= WEEKS ? { ...date, ...clock } : date
  const { locale, timeZone } = format
  return new Intl.DateTimeFormat(locale, timeZone === undefined ? shown : { ...shown, timeZone }).format(time)
}

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/

/** Returns the time in a browser's field for local times (`2026-11-30T09:05`), or undefined if it is incomplete. */
export const readLocalTime = (text: string): number | undefined => {
  const [, year, month, day, hour, minute] = (LOCAL.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined) return undefined
  const time = new Date(year, month - 1, day, hour, minute).getTime()
  return Number.isNaN(time) ? undefined : time
}

/** Returns a time in the form that a browser's field for local times requires. */
export const localTimeText = (time: number): string => {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
