import { DateLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'

const DAY_OF_WEEK = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const DATE = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'short' })
const durationIn = (unit: string): Intl.NumberFormat =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' })
const DURATIONS = { second: durationIn('second'), minute: durationIn('minute'), hour: durationIn('hour') } as const

/** Returns a relative time in the browser's language: `in 3 h`, `2 d ago`. */
export const relativeTime = (time: number, now: number): string => {
  const seconds = Math.round((time - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 90) return RELATIVE.format(seconds, 'second')
  if (size < 5400) return RELATIVE.format(Math.round(seconds / 60), 'minute')
  if (size < 172_800) return RELATIVE.format(Math.round(seconds / 3600), 'hour')
  return RELATIVE.format(Math.round(seconds / 86_400), 'day')
}

/**
 * Returns the weekday, the time and the relative time. If the time is a week or more away, returns the date as well.
 */
export const momentText = (time: number, now: number): string => {
  const isNear = Math.abs(time - now) < 6 * 86_400_000
  return `${(isNear ? DAY_OF_WEEK : DATE).format(time)} (${relativeTime(time, now)})`
}

/** Returns a duration in the browser's language: `27 s`, `3 min`. */
export const showDuration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 90) return DURATIONS.second.format(seconds)
  if (seconds < 5400) return DURATIONS.minute.format(Math.round(seconds / 60))
  return DURATIONS.hour.format(Math.round(seconds / 3600))
}

export const Age = ({ of }: { readonly of: number | undefined }) =>
  of === undefined ? null : <DateLabel date={of} format="mini" />
