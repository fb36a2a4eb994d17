import type { Milliseconds, NodePoolPolicy } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { Randomness } from './randomness.ts'
import type { Step } from './simulated-run.ts'

/** The label by which the policy selects namespaces. */
export const GUEST_LABEL = 'guest'
/** The NodePools that not every pod may use. Every pod can also use other NodePools. */
export const RESTRICTED_POOLS: readonly string[] = ['limited', 'late']

const guests: NodePoolPolicy = {
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'NodePoolPolicy',
  metadata: { name: 'guests' },
  spec: {
    targetRefs: RESTRICTED_POOLS.map((name) => ({ group: 'karpenter.sh', kind: 'NodePool', name })),
    access: { namespaceSelector: { matchLabels: { [GUEST_LABEL]: 'yes' } } },
  },
}

/** The time at which NodePools of a run sleep, in minutes after the start of the run. */
export interface Night {
  readonly from: number
  readonly until: number
  /** The number of minutes of sleep after which the last nodes must be gone. */
  readonly deadline?: number
}

const clock = (minute: number): string => `00:${String(minute).padStart(2, '0')}`

/** Returns the policy that lets NodePools sleep. A run begins at midnight, so its minutes equal the minutes of the day. */
const sleepPolicy = ({ from, until, deadline }: Night): NodePoolPolicy => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'NodePoolPolicy',
  metadata: { name: 'night' },
  spec: {
    targetRefs: RESTRICTED_POOLS.map((name) => ({ group: 'karpenter.sh', kind: 'NodePool', name })),
    sleep: {
      timeZone: 'Etc/UTC',
      awake: [{ days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], start: clock(until), end: clock(from) }],
      ...(deadline === undefined ? {} : { deadline: `${deadline}m` }),
    },
  },
})

/** Draws the time at which some NodePools sleep. They sleep in a sixth of the seeds. The stream of random numbers is separate. */
export const drawNight = (seed: number): Night | undefined => {
  const randomness = new Randomness(new SeededRandom(`pool-sleep-${seed}`))
  if (!randomness.happens(1 / 6)) return undefined
  const from = randomness.between(1, 3)
  const until = from + randomness.between(2, 5)
  return { from, until, ...(randomness.happens(1 / 2) ? { deadline: 1 } : {}) }
}

/**
 * Returns the time after the start of the run by which the last nodes of a sleeping NodePool must be gone. Returns undefined if there is no
 * such deadline.
 */
export const nightDeadline = (seed: number, pool: string): Milliseconds | undefined => {
  const night = RESTRICTED_POOLS.includes(pool) ? drawNight(seed) : undefined
  return night?.deadline === undefined ? undefined : (night.from + night.deadline) * 60_000
}

/**
 * Draws the users' changes of NodePoolPolicies. In a fifth of the seeds they create one with an `access` section, and sometimes change
 * whether its selector matches the namespace of the pods. The stream of random numbers is separate, so that all other draws of a seed stay
 * the same.
 *
 * @param life the time until which users act
 */
export const drawPoolPolicySteps = (seed: number, life: Milliseconds): readonly Step[] => {
  const night = drawNight(seed)
  const asleep: readonly Step[] =
    night === undefined ? [] : [{ id: 'n0', at: 0, action: { kind: 'apply', object: sleepPolicy(night) } }]
  const randomness = new Randomness(new SeededRandom(`pool-policies-${seed}`))
  if (!randomness.happens(1 / 5)) return asleep
  const from = randomness.happens(0.7) ? 0 : randomness.between(1, life / 2)
  const created: Step = { id: 'q0', at: from, action: { kind: 'apply', object: guests } }
  const times = Array.from({ length: randomness.between(0, 3) }, () => randomness.between(5_000, life))
  return [
    ...asleep,
    created,
    ...times
      .sort((a, b) => a - b)
      .map((at, index): Step => {
        const value = index % 2 === 0 ? 'yes' : 'no'
        return { id: `q${index + 1}`, at, action: { kind: 'label-namespace', value } }
      }),
  ]
}
