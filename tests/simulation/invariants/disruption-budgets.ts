import {
  findCondition,
  isConditionTrue,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodePool,
  parseDuration,
  taints,
} from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import type { MakeInvariant } from './invariant.ts'

const MINUTE = 60_000

type Budget = NonNullable<NonNullable<NodePool['spec']['disruption']>['budgets']>[number]

/** Parses schedules of the form "every n minutes". Runs use no other form, so no cron library is needed. */
const isOpen = ({ schedule, duration }: Budget, now: number): boolean => {
  if (schedule === undefined || duration === undefined) return true
  const every = Number(/^\*\/(\d+) \* \* \* \*$/.exec(schedule)?.[1])
  const sinceHour = now % (60 * MINUTE)
  return sinceHour % (every * MINUTE) < parseDuration(duration)
}

const allowedBy = (pool: NodePool, total: number, reason: string, now: number): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...(pool.spec.disruption?.budgets ?? [{ nodes: '10%' }])
      .filter((budget) => budget.reasons === undefined || budget.reasons.some((each) => each === reason))
      .filter((budget) => isOpen(budget, now))
      .map(({ nodes }) =>
        nodes.endsWith('%') ? Math.ceil((Number.parseInt(nodes, 10) / 100) * total) : Number(nodes),
      ),
  )

const taintedNodes = (environment: Environment): ReadonlySet<string> =>
  new Set(
    environment
      .nodes()
      .flatMap(({ metadata, spec }) =>
        spec.taints?.some(({ key }) => key === taints.disrupted.key) ? [metadata.name] : [],
      ),
  )

const claimReason = (claim: NodeClaim): string | undefined => {
  const condition = findCondition(claim, 'DisruptionReason')
  return condition?.status === 'True' ? condition.reason : undefined
}

/**
 * For each reason, Kerf never disrupts more nodes of a NodePool at once than the budgets allow at that time. A node counts as disrupted
 * from the time when its NodeClaim gets a disruption reason until its instance terminates.
 */
export const disruptionBudgets: MakeInvariant = (environment, report) => {
  /** For each node that Kerf has chosen to disrupt, the time of that choice. */
  const chosen = new Map<string, number>()
  const forget = (): void => {
    const tainted = taintedNodes(environment)
    const claims = environment.claims()
    const ending = new Set(
      claims.flatMap((claim) => (isConditionTrue(claim, 'InstanceTerminating') ? [claim.status?.nodeName] : [])),
    )
    for (const name of chosen.keys()) if (!tainted.has(name) || ending.has(name)) chosen.delete(name)
  }
  return {
    name: 'disruption-budgets',
    always: () => {
      forget()
      return []
    },
    acted: ({ verb, kind, ref }) => {
      if (verb !== 'patch' || kind?.kind !== karpenterKinds.NodeClaim.kind || ref === undefined) return
      const claim = environment.claims().find(({ metadata }) => metadata.name === ref.name)
      const reason = claim === undefined ? undefined : claimReason(claim)
      const nodeName = claim?.status?.nodeName ?? ''
      if (claim === undefined || reason === undefined || chosen.has(nodeName)) return
      const node = environment.nodes().find(({ metadata }) => metadata.name === nodeName)
      if (!taintedNodes(environment).has(nodeName) || node === undefined) return
      if (node.metadata.deletionTimestamp !== undefined || claim.metadata.deletionTimestamp !== undefined) return
      forget()
      const now = environment.clock.monotonic()
      chosen.set(nodeName, now)
      const poolName = node.metadata.labels?.[labels.nodePool]
      const pool = environment.nodePools().find(({ metadata }) => metadata.name === poolName)
      if (pool === undefined) return
      const own = environment
        .nodes()
        .filter(
          ({ metadata }) =>
            metadata.labels?.[labels.nodePool] === poolName && metadata.labels?.[labels.initialized] === 'true',
        )
      const leaving = own.filter(({ metadata }) => chosen.has(metadata.name))
      // If two Kerf processes were active at once, each of them may have used the whole budget. If a clock was wrong, Kerf applied the
      // budgets of another time. In both cases, the limit is not checked.
      const since = Math.min(...leaving.map(({ metadata }) => chosen.get(metadata.name) ?? now))
      if (environment.processes.overlaps.within(since, now) || environment.clockSkews.within(since, now)) return
      // Kerf decided slightly earlier, so a budget's window may have closed since then.
      const allowed = Math.max(
        ...[0, DECIDED_BEFORE].map((before) => allowedBy(pool, own.length, reason, environment.clock.now() - before)),
      )
      if (leaving.length > allowed)
        report(
          `${leaving.length} nodes of NodePool ${poolName} are being disrupted for ${reason}, and ${allowed} of ${own.length} may be`,
        )
    },
  }
}

/** The maximum time from a command's last budget check to its last taint: the duration of one or two slow calls. */
const DECIDED_BEFORE = 20_000
