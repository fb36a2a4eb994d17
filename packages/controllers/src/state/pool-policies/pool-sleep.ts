import {
  annotations,
  type Milliseconds,
  type NodePool,
  type NodePoolPolicy,
  parseRfc3339,
  tryParseDuration,
} from '@kerf/apis'
import { AwakeHours, oncePerObject } from '@kerf/engine'
import { type AttachedPolicies, sleepProblem } from './attached-policies.ts'

const DAY: Milliseconds = 86_400_000

/** Whether a NodePool with sleep hours is asleep. */
export interface PoolSleep {
  readonly state: 'asleep' | 'awake' | 'woken'
  /**
   * The time when the NodePool wakes or, if its annotation keeps it awake, the time in the annotation. Absent if the NodePool is awake
   * according to its hours.
   */
  readonly until?: Milliseconds
  readonly timeZone: string
  /** The deadline for terminating the last nodes. Present while the NodePool is asleep, if its hours have a deadline. */
  readonly deadline?: Milliseconds
}

/** The NodePools with sleep hours, and the next time at which the result may change. */
export interface SleepingPools {
  readonly pools: ReadonlyMap<string, PoolSleep>
  readonly nextChange: Milliseconds
}

const awakeHours = oncePerObject((policy: NodePoolPolicy): AwakeHours | undefined => {
  const { sleep } = policy.spec
  return sleep === undefined || sleepProblem(policy) !== undefined
    ? undefined
    : new AwakeHours(sleep.timeZone, sleep.awake)
})

/**
 * Returns the time until which the annotation keeps the NodePool awake. Undefined if there is no annotation, NaN if its value is not a
 * time.
 */
export const awakeUntil = (pool: NodePool): Milliseconds | undefined => {
  const text = pool.metadata.annotations?.[annotations.awakeUntil]
  if (text === undefined) return undefined
  return parseRfc3339(text) ?? Number.NaN
}

interface ZoneFormats {
  readonly time: Intl.DateTimeFormat
  readonly weekday: Intl.DateTimeFormat
}

/** The formats by time zone. Making one takes a hundred times as long as using it, and each pass of the provisioner uses them. */
const formats = new Map<string, ZoneFormats>()

const formatsOf = (timeZone: string): ZoneFormats => {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = {
    time: new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    weekday: new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' }),
  }
  formats.set(timeZone, made)
  return made
}

/** Returns a time of day in a time zone. If it is more than a day away, includes the weekday, for example `Mon 07:00 Europe/Berlin`. */
export const untilText = (until: Milliseconds, timeZone: string, now: Milliseconds): string => {
  const { time, weekday } = formatsOf(timeZone)
  const day = until - now < DAY ? '' : `${weekday.format(until)} `
  return `${day}${time.format(until)} ${timeZone}`
}

/** Returns which NodePools are asleep at a time (`docs/spec/policies.md#sleep`). Omits static NodePools and policies with invalid hours. */
export const sleepingPools = (
  { applied }: AttachedPolicies,
  poolNamed: (name: string) => NodePool | undefined,
  now: Milliseconds,
): SleepingPools => {
  const pools = new Map<string, PoolSleep>()
  let nextChange = Number.POSITIVE_INFINITY
  for (const [name, policy] of applied.sleep) {
    const hours = awakeHours(policy)
    const pool = poolNamed(name)
    const timeZone = policy.spec.sleep?.timeZone ?? ''
    if (hours === undefined || pool === undefined || pool.spec.replicas !== undefined) continue
    nextChange = Math.min(nextChange, hours.nextChange(now))
    if (hours.isAwake(now)) {
      pools.set(name, { state: 'awake', timeZone })
      continue
    }
    const woken = awakeUntil(pool)
    if (woken !== undefined && woken > now) {
      nextChange = Math.min(nextChange, woken)
      pools.set(name, { state: 'woken', until: woken, timeZone })
    } else {
      const after = tryParseDuration(policy.spec.sleep?.deadline ?? '')
      // If an annotation kept the NodePool awake, the NodePool falls asleep at the time in the annotation.
      const since =
        after === undefined ? 0 : Math.max(hours.lastEnd(now), woken !== undefined && woken <= now ? woken : 0)
      const deadline = after === undefined ? {} : { deadline: since + after }
      pools.set(name, { state: 'asleep', until: hours.nextStart(now), timeZone, ...deadline })
    }
  }
  return { pools, nextChange }
}

/** Returns the wake-up time of each sleeping NodePool as text. */
export const sleepTexts = ({ pools }: SleepingPools, now: Milliseconds): ReadonlyMap<string, string> =>
  new Map(
    [...pools].flatMap(([name, { state, until, timeZone }]) =>
      state === 'asleep' && until !== undefined ? [[name, untilText(until, timeZone, now)] as const] : [],
    ),
  )
