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

export const Age = ({ of }: { readonly of: number | undefined }) =>
  of === undefined ? null : <DateLabel date={of} format="mini" />
