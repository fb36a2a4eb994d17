import { DateLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'

/** `in 3 h`, `2 d ago`, in the browser's language. */
export const relativeTime = (time: number, now: number): string => {
  const seconds = Math.round((time - now) / 1000)
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'short' })
  const size = Math.abs(seconds)
  if (size < 90) return format.format(seconds, 'second')
  if (size < 5400) return format.format(Math.round(seconds / 60), 'minute')
  if (size < 172_800) return format.format(Math.round(seconds / 3600), 'hour')
  return format.format(Math.round(seconds / 86_400), 'day')
}

/** The day of the week and the time of day, with the date when it is a week or more away, and how far away that is. */
export const momentText = (time: number, now: number): string => {
  const isNear = Math.abs(time - now) < 6 * 86_400_000
  const day = isNear ? ({ weekday: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const)
  const moment = new Intl.DateTimeFormat(undefined, { ...day, hour: '2-digit', minute: '2-digit' }).format(time)
  return `${moment} (${relativeTime(time, now)})`
}

/** `27 s`, `3 min`, in the browser's language. */
export const showDuration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  const [amount, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5400
      ? [Math.round(seconds / 60), 'minute']
      : [Math.round(seconds / 3600), 'hour']
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' }).format(amount)
}

export const Age = ({ of }: { readonly of: number | undefined }) =>
  of === undefined ? null : <DateLabel date={of} format="mini" />
