import type { Milliseconds } from '@kerf/apis'
import { Cron } from 'croner'

/** The days of the week, in the order of cron. */
export const weekDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

export type WeekDay = (typeof weekDays)[number]

/** Hours on some days of the week. If the end is not after the start, it is on the next day. */
export interface DailyHours {
  readonly days: readonly WeekDay[]
  /** `HH:MM` */
  readonly start: string
  /** `HH:MM`, or `24:00`. */
  readonly end: string
}

const MINUTE: Milliseconds = 60_000
const DAY = 1_440
const WEEK = 7 * DAY

const parseMinute = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Returns the length in minutes, on a day without a daylight saving change. */
const lengthInMinutes = ({ start, end }: DailyHours): number => {
  const length = parseMinute(end) - parseMinute(start)
  return length > 0 ? length : length + DAY
}

/** Returns which minutes of a week the hours cover, in a week without a daylight saving change. */
const coveredMinutes = (hours: readonly DailyHours[]): Uint8Array => {
  const covered = new Uint8Array(WEEK)
  for (const each of hours)
    for (const day of each.days) {
      const from = weekDays.indexOf(day) * DAY + parseMinute(each.start)
      for (let minute = from; minute < from + lengthInMinutes(each); minute++) covered[minute % WEEK] = 1
    }
  return covered
}

/** Returns whether the hours together cover the whole week. */
export const coversWeek = (hours: readonly DailyHours[]): boolean => !coveredMinutes(hours).includes(0)

/**
 * Returns the longest time without a change between awake and asleep, in a week without a daylight saving change. If there is no change,
 * returns two weeks.
 */
const longestTime = (state: 'asleep' | 'awake', hours: readonly DailyHours[]): Milliseconds => {
  const covered = coveredMinutes(hours)
  const counted = state === 'awake' ? 1 : 0
  let [longest, length] = [0, 0]
  for (let minute = 0; minute < 2 * WEEK; minute++) {
    length = covered[minute % WEEK] === counted ? length + 1 : 0
    longest = Math.max(longest, length)
  }
  return longest * MINUTE
}

/** Returns the longest gap between two entries, in a week without a daylight saving change. If no hour is covered, returns two weeks. */
export const longestSleep = (hours: readonly DailyHours[]): Milliseconds => longestTime('asleep', hours)

/** Returns the longest time that the entries cover without a gap, in a week without a daylight saving change. */
export const longestAwake = (hours: readonly DailyHours[]): Milliseconds => longestTime('awake', hours)

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Returns a message about what is wrong with the hours, or `undefined` if they are valid. */
export const hoursProblem = (timeZone: string, hours: readonly DailyHours[]): string | undefined => {
  if (!isTimeZone(timeZone)) return `timeZone: the time zone database has no ${JSON.stringify(timeZone)}`
  if (hours.every(({ days }) => days.length === 0)) return 'awake: no day is named, so the NodePool would never wake'
  return coversWeek(hours) ? 'awake: the hours cover the whole week, so the NodePool would never sleep' : undefined
}

const NEVER = Number.POSITIVE_INFINITY

/**
 * The times that a cron schedule matches. Caches the match that follows the last queried time, because computing a match needs the time
 * zone's rules.
 */
class Recurrence {
  readonly #cron: Cron
  /** The schedule matches no time after `#from` and before `#following`. */
  #from = NEVER
  #following = NEVER
  #last = NEVER

  constructor(cron: Cron) {
    this.#cron = cron
  }

  #next(time: Milliseconds): Milliseconds {
    return this.#cron.nextRun(new Date(time))?.getTime() ?? NEVER
  }

  /** Returns the first match after a time, or infinity if there is none. */
  after(time: Milliseconds): Milliseconds {
    if (time < this.#from || time >= this.#following) {
      this.#from = time
      this.#following = this.#next(time)
    }
    return this.#following
  }

  /** Returns the last match at or before a time. */
  until(time: Milliseconds): Milliseconds {
    if (time < this.#last || this.after(this.#last) <= time)
      // Every schedule matches at least once in two weeks, even if a daylight saving change moves the match.
      for (let at = this.#next(time - 2 * WEEK * MINUTE); at <= time; at = this.#next(at)) this.#last = at
    return this.#last
  }
}

interface Boundaries {
  readonly start: Recurrence
  readonly end: Recurrence
}

/**
 * The hours in which a NodePool is awake (`docs/spec/policies.md#sleep`). If the zone's clock skips a time, the first time after the gap
 * applies. If the clock shows a time twice, the first of the two applies.
 */
export class AwakeHours {
  readonly #timeZone: string
  readonly #boundaries: readonly Boundaries[]

  constructor(timeZone: string, hours: readonly DailyHours[]) {
    this.#timeZone = timeZone
    this.#boundaries = hours.map((each) => {
      const start = parseMinute(each.start)
      const end = start + lengthInMinutes(each)
      return { start: this.#recurrence(start, each.days), end: this.#recurrence(end, each.days) }
    })
  }

  #recurrence(minute: number, days: readonly WeekDay[]): Recurrence {
    const later = Math.floor(minute / DAY)
    const numbers = days.map((day) => (weekDays.indexOf(day) + later) % 7)
    const ofDay = minute % DAY
    const pattern = `${ofDay % 60} ${Math.floor(ofDay / 60)} * * ${numbers.join(',')}`
    return new Recurrence(new Cron(pattern, { paused: true, mode: '5-part', timezone: this.#timeZone }))
  }

  /** Returns whether the NodePool is awake. The start of the hours is included, their end is not. */
  isAwake(now: Milliseconds): boolean {
    return this.#boundaries.some(({ start, end }) => end.after(now) <= start.after(now))
  }

  /** Returns the next time at which one of the entries begins or ends. */
  nextChange(now: Milliseconds): Milliseconds {
    return Math.min(...this.#boundaries.flatMap(({ start, end }) => [start.after(now), end.after(now)]))
  }

  /** Returns the time at which the last awake hours ended. If the NodePool is asleep, it has been asleep since then. */
  lastEnd(now: Milliseconds): Milliseconds {
    return Math.max(...this.#boundaries.map(({ end }) => end.until(now)))
  }

  /** Returns the time at which the next hours begin. */
  nextStart(now: Milliseconds): Milliseconds {
    return Math.min(...this.#boundaries.map(({ start }) => start.after(now)))
  }
}
