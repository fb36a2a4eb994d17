import { formatTime, type Milliseconds } from '@kerf/apis'
import { type AttachedPolicies, type SleepingPools, untilText } from '@kerf/controllers'

/** A NodePool with hours, in the output of `kerf policy explain`. */
export interface ExplainedSleep {
  readonly nodePool: string
  readonly policy: string
  readonly state: 'asleep' | 'awake' | 'woken'
  /** When the state ends, if it is known. */
  readonly until?: string
  /** The same time, in the time zone of the policy. */
  readonly untilText?: string
}

export const explainedSleep = (
  { pools }: SleepingPools,
  { applied }: AttachedPolicies,
  now: Milliseconds,
): readonly ExplainedSleep[] =>
  Array.from(pools, ([nodePool, { state, until, timeZone }]) => ({
    nodePool,
    policy: applied.sleep.get(nodePool)?.metadata.name ?? '',
    state,
    ...(until === undefined ? {} : { until: formatTime(until), untilText: untilText(until, timeZone, now) }),
  }))

/** Returns the lines about NodePools with hours. */
export const sleepLines = (sleep: readonly ExplainedSleep[]): readonly string[] =>
  sleep.map(({ nodePool, policy, state, untilText: text }) => {
    const what = {
      asleep: `sleeps until ${text}`,
      awake: 'is awake within its hours',
      woken: `is kept awake by its annotation until ${text}`,
    }[state]
    return `NodePool ${nodePool} ${what}, by NodePoolPolicy ${policy}`
  })
