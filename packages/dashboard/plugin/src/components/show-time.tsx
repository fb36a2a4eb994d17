import { DateLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { Language } from '../locales/translate.ts'
import { languageNow } from '../locales/use-t.ts'

const formatsFor = (language: Language) => {
  const durationIn = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' })
  return {
    dayOfWeek: new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' }),
    date: new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' }),
    durations: {
      second: durationIn('second'),
      minute: durationIn('minute'),
      hour: durationIn('hour'),
      day: durationIn('day'),
    },
  }
}

const formats = new Map<Language, ReturnType<typeof formatsFor>>()

/** Returns the formats of the user's language, which is not always the browser's. */
const formatsNow = (): ReturnType<typeof formatsFor> => {
  const language = languageNow()
  const known = formats.get(language) ?? formatsFor(language)
  formats.set(language, known)
  return known
}

/**
 * Returns a relative time in the user's language: `in 3 h`, `2 d ago`. A past time is rounded down to whole units, like the ages in
 * Headlamp.
 */
export const relativeTime = (time: number, now: number): string => {
  const { relative } = formatsNow()
  const seconds = Math.round((time - now) / 1000)
  const size = Math.abs(seconds)
  const whole = seconds < 0 ? Math.ceil : Math.round
  if (size < 90) return relative.format(seconds, 'second')
  if (size < 5400) return relative.format(whole(seconds / 60), 'minute')
  if (size < 172_800) return relative.format(whole(seconds / 3600), 'hour')
  return relative.format(whole(seconds / 86_400), 'day')
}

/** Returns the weekday, the time and the relative time. If the time is six days or more away, returns the date as well. */
export const momentText = (time: number, now: number): string => {
  const { dayOfWeek, date } = formatsNow()
  const isNear = Math.abs(time - now) < 6 * 86_400_000
  return `${(isNear ? dayOfWeek : date).format(time)} (${relativeTime(time, now)})`
}

/** Returns a duration in the user's language, in whole units: `27 s`, `3 min`. */
export const showDuration = (milliseconds: number): string => {
  const { durations } = formatsNow()
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 90) return durations.second.format(seconds)
  if (seconds < 5400) return durations.minute.format(Math.floor(seconds / 60))
  if (seconds < 172_800) return durations.hour.format(Math.floor(seconds / 3600))
  return durations.day.format(Math.floor(seconds / 86_400))
}

export const Age = ({ of }: { readonly of: number | undefined }) =>
  of === undefined ? null : <DateLabel date={of} format="mini" />
