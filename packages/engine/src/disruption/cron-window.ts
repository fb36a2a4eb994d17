import type { Milliseconds } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { Cron } from 'croner'

/** A schedule or duration of a budget cannot be read. */
export class BudgetScheduleError extends Error {
  override readonly name = 'BudgetScheduleError'
}

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

interface FieldRule {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const satisfies readonly FieldRule[]

const numberIn = (text: string, field: FieldRule): number => {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  const value = named >= 0 && text !== '' ? named : /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw new BudgetScheduleError(`failed to parse ${field.name} from ${JSON.stringify(text)}`)
  if (value < field.min) {
    throw new BudgetScheduleError(`beginning of range (${value}) below minimum (${field.min}): ${text}`)
  }
  if (value > field.max) throw new BudgetScheduleError(`end of range (${value}) above maximum (${field.max}): ${text}`)
  return value
}

/** Returns the values of one member of a comma-separated list; `*` for any value. */
const expandPart = (part: string, field: FieldRule): readonly number[] | '*' => {
  const [range = '', step, ...more] = part.split('/')
  if (more.length > 0) throw new BudgetScheduleError(`too many slashes: ${part}`)
  const isAny = range === '*' || range === '?'
  const every = step === undefined ? 1 : /^\d+$/.test(step) ? Number(step) : Number.NaN
  if (Number.isNaN(every)) throw new BudgetScheduleError(`failed to parse step from ${JSON.stringify(part)}`)
  if (every === 0) throw new BudgetScheduleError(`step of range should be a positive number: ${part}`)
  if (isAny && every === 1) return '*'
  const [first = '', last, ...rest] = range.split('-')
  if (rest.length > 0) throw new BudgetScheduleError(`too many hyphens: ${part}`)
  const from = isAny ? field.min : numberIn(first, field)
  const to = isAny ? field.max : last !== undefined ? numberIn(last, field) : step !== undefined ? field.max : from
  if (from > to) throw new BudgetScheduleError(`beginning of range (${from}) beyond end of range (${to}): ${part}`)
  const values: number[] = []
  for (let value = from; value <= to; value += every) values.push(value)
  return values
}

const expandField = (text: string, field: FieldRule): string => {
  const values = new Set<number>()
  let isAny = false
  for (const part of text.split(',').filter((part) => part !== '')) {
    const expanded = expandPart(part, field)
    if (expanded === '*') isAny = true
    else for (const value of expanded) values.add(value)
  }
  if (isAny) return '*'
  if (values.size === 0) throw new BudgetScheduleError(`empty ${field.name}: ${JSON.stringify(text)}`)
  return [...values].sort((a, b) => a - b).join(',')
}

const UTC = 'Etc/UTC'

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * Splits the time zone from the fields of a schedule, as in `TZ=Europe/Berlin 0 9 * * *` (or `CRON_TZ=`). The default is UTC.
 *
 * @throws BudgetScheduleError if the time zone database does not have the zone
 */
const splitZone = (schedule: string): { readonly zone: string; readonly fields: string } => {
  const [, zone, fields = ''] = /^(?:CRON_)?TZ=(\S*)\s*(.*)$/.exec(schedule.trim()) ?? []
  if (zone === undefined) return { zone: UTC, fields: schedule }
  if (!isTimeZone(zone)) throw new BudgetScheduleError(`unknown time zone ${JSON.stringify(zone)}`)
  return { zone, fields }
}

/**
 * Returns a schedule as five fields, each a list of numbers or `*`, with the same checks as the parser of Karpenter. Days are
 * 0 to 6, ranges must not wrap around, and there are no seconds.
 *
 * @throws BudgetScheduleError if the schedule has any other form
 */
export const canonicalSchedule = (schedule: string): string => {
  const text = schedule.trim()
  const expression = text.startsWith('@') ? ownValue(DESCRIPTORS, text) : text
  if (expression === undefined) throw new BudgetScheduleError(`unrecognized descriptor: ${text}`)
  const parts = expression.split(/\s+/).filter((part) => part !== '')
  if (parts.length !== FIELDS.length) {
    throw new BudgetScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`)
  }
  return FIELDS.map((field, index) => expandField(parts[index] ?? '', field)).join(' ')
}

/** The number of schedule matches that may still be evaluated. */
export interface HitAllowance {
  left: number
}

/**
 * The maximum number of matches to evaluate. It covers more than a day of a schedule that matches every minute. If a window ends later than
 * that, its end is treated as unknown.
 */
export const MOST_HITS = 2_000

/** A window, with the overlapping matches of the schedule that have been evaluated so far. */
interface Followed {
  /** The match that starts the window. */
  readonly from: Milliseconds
  /** The last match that was evaluated. */
  readonly hit: Milliseconds
  /**
   * The end of the window; `undefined` if the window does not end within the evaluated matches. These matches cover the next `reach`
   * milliseconds.
   */
  readonly end: Milliseconds | undefined
  readonly reach: Milliseconds
}

/**
 * The times at which a budget applies. Each match of its schedule, in UTC or in the schedule's time zone, opens a window of length
 * `duration`. A window includes its start and excludes its end. Overlapping windows are merged (`docs/spec/disruption.md#budgets`).
 */
export class CronWindow {
  readonly #cron: Cron
  readonly #duration: Milliseconds
  /** The result of the last call. The next call comes a few seconds later and usually concerns the same window. */
  #followed: Followed | undefined
  /** The result of the last search for the first match, and the time at which that search started. */
  #begun: { readonly from: Milliseconds; readonly hit: Milliseconds | undefined } | undefined

  /** @throws BudgetScheduleError if the schedule cannot be read */
  constructor(schedule: string, duration: Milliseconds) {
    const { zone, fields } = splitZone(schedule)
    const canonical = canonicalSchedule(fields)
    try {
      this.#cron = new Cron(canonical, { paused: true, mode: '5-part', timezone: zone })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new BudgetScheduleError(`schedule ${JSON.stringify(schedule)} cannot be followed: ${why}`, { cause })
    }
    this.#duration = duration
  }

  /** Returns the first match strictly after `from`; `undefined` if the schedule never matches (February 30th). */
  #next(from: Milliseconds): Milliseconds | undefined {
    return this.#cron.nextRun(new Date(from))?.getTime()
  }

  /** Returns the first match whose window may contain `now`. The result stays the same until this window has ended. */
  #first(now: Milliseconds): Milliseconds | undefined {
    const from = now - this.#duration
    const known = this.#begun
    if (known !== undefined && known.from <= from && (known.hit === undefined || from < known.hit)) return known.hit
    const hit = this.#next(from)
    this.#begun = { from, hit }
    return hit
  }

  /**
   * Returns whether the budget applies. A schedule without a future match always applies, as in Karpenter, because this is the safer
   * choice.
   */
  isActive(now: Milliseconds): boolean {
    const hit = this.#first(now)
    return hit === undefined || hit <= now
  }

  /** Returns the time at which the budget starts to apply; `undefined` if it already applies. */
  startsAt(now: Milliseconds): Milliseconds | undefined {
    const hit = this.#first(now)
    return hit === undefined || hit <= now ? undefined : hit
  }

  /**
   * Returns the time at which the budget stops applying; `undefined` if it does not apply now, or if finding the end needs more than `left`
   * matches.
   */
  endsAt(now: Milliseconds, hits: HitAllowance = { left: MOST_HITS }): Milliseconds | undefined {
    const known = this.#known(now)
    if (known?.end !== undefined) return known.end
    const from = known?.from ?? this.#first(now)
    if (from === undefined || from > now) return undefined
    const isWhole = hits.left >= MOST_HITS
    const reach = known?.reach ?? Number.POSITIVE_INFINITY
    let hit = known?.hit ?? from
    for (; hits.left > 0 && hit - now < reach; hits.left--) {
      const end: Milliseconds = hit + this.#duration
      const next = this.#next(hit)
      if (next === undefined || next > end) {
        this.#followed = { from, hit, end, reach }
        return end
      }
      hit = next
    }
    if (isWhole) this.#followed = { from, hit, end: undefined, reach: known?.reach ?? hit - now }
    return undefined
  }

  /** Returns the cached window that contains a time. */
  #known(now: Milliseconds): Followed | undefined {
    const known = this.#followed
    return known !== undefined && known.from <= now && now < (known.end ?? known.hit) ? known : undefined
  }
}
