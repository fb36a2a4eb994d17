import type { NodePool, NodePoolPolicy, NodePoolPolicyStatus, Taint } from '@kerf/apis'
import type { AttachedPolicies, TargetVerdict } from '../state/pool-policies/attached-policies.ts'
import { hardTaints } from '../state/pool-policies/pool-access.ts'
import { awakeUntil, type PoolSleep, untilText } from '../state/pool-policies/pool-sleep.ts'
import { SLEEPING, sleepDeadline } from '../state/pool-policies/sleep-deadline.ts'
import type { Acceptance } from './accepted-condition.ts'
import { ACCEPTED } from './accepted-condition.ts'
import { type PolicyVerdict, withCondition } from './policy-condition.ts'

/** The condition of a target with an `access` section: whether taints keep other pods off its nodes. */
const ENFORCED = 'Enforced'
/** The maximum number of targets in a message. */
const SHOWN = 5

type Targets = NonNullable<NodePoolPolicyStatus['targets']>

const taintText = ({ key, value, effect }: Taint): string => `${key}${value ? `=${value}` : ''}:${effect}`

/** Returns whether taints keep pods without a toleration off the nodes of the NodePool. */
const enforcement = (pool: NodePool): PolicyVerdict => {
  const taints = hardTaints(pool)
  if (taints.length === 0)
    return {
      status: 'False',
      reason: 'NoTaint',
      message:
        'access is not enforced: the template of the NodePool has no taint, so kube-scheduler can bind every pod to its nodes. Add a taint with the effect NoSchedule to spec.template.spec.taints, and apply the output of "kerf policy fence".',
    }
  return {
    status: 'True',
    reason: 'Tainted',
    message: `kube-scheduler binds only pods that tolerate ${taints.map(taintText).join(' and ')}. The output of "kerf policy fence" lets the API server refuse these tolerations in other pods.`,
  }
}

/** Returns whether the NodePool sleeps, until when, and how many of its nodes remain. */
const sleeping = (
  policy: NodePoolPolicy,
  pool: NodePool,
  sleep: PoolSleep,
  nodes: number,
  now: number,
): PolicyVerdict => {
  const { state, until, timeZone } = sleep
  const awake = awakeUntil(pool)
  const ignored =
    awake !== undefined && Number.isNaN(awake)
      ? ' The annotation kerf.sh/awake-until is ignored: it must be a time such as 2026-12-24T20:00:00Z.'
      : ''
  const text = until === undefined ? '' : untilText(until, timeZone, now)
  switch (state) {
    case 'awake':
      return { status: 'False', reason: 'Awake', message: `the NodePool is within its hours.${ignored}` }
    case 'woken':
      return {
        status: 'False',
        reason: 'Woken',
        message: `the annotation kerf.sh/awake-until keeps the NodePool awake until ${text}.`,
      }
    case 'asleep': {
      const deadline = sleepDeadline(policy, pool.metadata.name, sleep)
      const ending =
        deadline === undefined
          ? ''
          : ` Kerf terminates them by ${untilText(deadline, timeZone, now)}, despite budgets and PodDisruptionBudgets.`
      const left =
        nodes === 0
          ? ''
          : ` Nodes left: ${nodes}. "kerf explain node" says what keeps a node: a budget, a PodDisruptionBudget or do-not-disrupt.${ending}`
      return { status: 'True', reason: 'Asleep', message: `the NodePool sleeps until ${text}.${left}${ignored}` }
    }
  }
}

const toAcceptance = ({ reason, message }: TargetVerdict): Acceptance => ({
  status: reason === 'Accepted' ? 'True' : 'False',
  reason,
  message,
})

/** Returns whether the policy applies to all of its targets. */
export const summary = (verdicts: readonly TargetVerdict[]): Acceptance => {
  if (verdicts.length === 0)
    return { status: 'False', reason: 'TargetNotFound', message: 'no NodePool has the labels of spec.targetSelector' }
  const failed = verdicts.filter(({ reason }) => reason !== 'Accepted')
  const [first] = failed
  if (first === undefined) return { status: 'True', reason: 'Accepted', message: '' }
  const texts = failed.slice(0, SHOWN).map(({ pool, message }) => `NodePool "${pool}": ${message}`)
  const more = failed.length > SHOWN ? `; and ${failed.length - SHOWN} more` : ''
  return { status: 'False', reason: first.reason, message: `${texts.join('; ')}${more}` }
}

/** Returns the targets of a policy with their conditions. The timestamps of unchanged conditions do not change. */
export const targetStatus = (
  policy: NodePoolPolicy,
  { applied, verdicts }: AttachedPolicies,
  cluster: {
    readonly poolNamed: (name: string) => NodePool | undefined
    readonly nodesOf: (pool: string) => number
    readonly sleep: ReadonlyMap<string, PoolSleep>
  },
  now: number,
): Targets => {
  const { generation } = policy.metadata
  return (verdicts.get(policy.metadata.name) ?? []).map((verdict) => {
    const { pool: name } = verdict
    const pool = cluster.poolNamed(name)
    const present = policy.status?.targets?.find((each) => each.name === name)?.conditions ?? []
    const hasAccess = pool !== undefined && applied.access.get(name)?.metadata.name === policy.metadata.name
    const sleep = applied.sleep.get(name)?.metadata.name === policy.metadata.name ? cluster.sleep.get(name) : undefined
    const isShown = (type: string): boolean =>
      (hasAccess || type !== ENFORCED) && (sleep !== undefined || type !== SLEEPING)
    let conditions = withCondition(
      present.every(({ type }) => isShown(type)) ? present : present.filter(({ type }) => isShown(type)),
      ACCEPTED,
      toAcceptance(verdict),
      generation,
      now,
    )
    if (pool !== undefined && sleep !== undefined)
      conditions = withCondition(
        conditions,
        SLEEPING,
        sleeping(policy, pool, sleep, cluster.nodesOf(name), now),
        generation,
        now,
      )
    if (hasAccess) conditions = withCondition(conditions, ENFORCED, enforcement(pool), generation, now)
    return { name, conditions }
  })
}
