import { parseTime } from '@kerf/apis'
/** Returns a duration in the format in which kubectl prints ages: one or two units, with less precision for longer durations. */
export const humanDuration = (milliseconds: number): string => {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds <= 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const two = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
    small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(minutes / 60)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (days < 8) return two(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.trunc(days / 365)
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`
}

/** Returns the time that has passed since an RFC 3339 time, or `<unknown>`. */
export const humanAge = (time: unknown, now: number): string => {
  const since = typeof time === 'string' ? parseTime(time) : undefined
  return since === undefined ? '<unknown>' : humanDuration(now - since)
}
