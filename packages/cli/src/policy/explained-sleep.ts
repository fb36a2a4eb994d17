import { formatTime, type Milliseconds } from '@kerf/apis'
import { type AttachedPolicies, type SleepingPools, sleepDeadline, untilText } from '@kerf/controllers'

/** A NodePool whose policy has a `sleep` section, in the output of `kerf policy explain`. */
export interface ExplainedSleep {
  readonly nodePool: string
  readonly policy: string
  readonly state: 'asleep' | 'awake' | 'woken'
  /** The time at which the state ends, if it is known. */
  readonly until?: string
  /** The time of `until` as text, in the time zone of the policy. */
  readonly untilText?: string
  /** The time by which the last nodes are terminated, if the policy has a deadline and the NodePool sleeps. */
  readonly deadline?: string
  /** The time of `deadline` as text, in the time zone of the policy. */
  readonly deadlineText?: string
}

export const explainedSleep = (
  { pools }: SleepingPools,
  { applied }: AttachedPolicies,
  now: Milliseconds,
): readonly ExplainedSleep[] =>
  Array.from(pools, ([nodePool, sleep]) => {
    const { state, until, timeZone } = sleep
    const policy = applied.sleep.get(nodePool)
    // A policy from a file has no status, so the deadline counts from the end of the hours.
    const deadline = (policy === undefined ? undefined : sleepDeadline(policy, nodePool, sleep)) ?? sleep.deadline
    return {
      nodePool,
      policy: policy?.metadata.name ?? '',
      state,
      ...(until === undefined ? {} : { until: formatTime(until), untilText: untilText(until, timeZone, now) }),
      ...(deadline === undefined
        ? {}
        : { deadline: formatTime(deadline), deadlineText: untilText(deadline, timeZone, now) }),
    }
  })

/** Returns the lines about NodePools whose policy has a `sleep` section. */
export const sleepLines = (sleep: readonly ExplainedSleep[]): readonly string[] =>
  sleep.map(({ nodePool, policy, state, untilText: text, deadlineText }) => {
    const what = {
      asleep: `sleeps until ${text}${deadlineText === undefined ? '' : ` (its last nodes are terminated by ${deadlineText})`}`,
      awake: 'is awake within its hours',
      woken: `is kept awake by its annotation until ${text}`,
    }[state]
    return `NodePool ${nodePool} ${what}, by NodePoolPolicy ${policy}`
  })
