import type { Milliseconds, NodePool } from '@kerf/apis'
import { budgetAllowance, type DisruptionReason, opensAt } from '@kerf/engine'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const REASONS: readonly DisruptionReason[] = ['Empty', 'Underutilized', 'Drifted']
/** The number of nodes that the check assumes. The choice does not matter, because the check only finds budgets that allow zero nodes. */
const NODES = 100

/** Returns the problem with the budgets of a NodePool at this time, if there is one. */
const poolProblem = (pool: NodePool, now: Milliseconds): string | undefined => {
  const { error } = budgetAllowance(pool, 'Drifted', NODES, now)
  if (error !== undefined) return `${error}; nothing is disrupted until it is corrected`
  const closed = REASONS.filter((reason) => opensAt(pool, reason, NODES, 0, now) === undefined)
  return closed.length === 0 ? undefined : `they never allow a disruption for ${closed.join(', ')}`
}

export const pool007: Check = {
  id: 'POOL-007',
  group: 'pools',
  severity: 'warning',
  title: 'Budgets that never allow a disruption',
  why: 'With a budget of zero nodes at all times, nodes are never consolidated and drifted nodes are never replaced, so old images stay. A budget that cannot be parsed counts as zero.',
  reads: ['NodePool'],
  examine({ nodePools, now }) {
    const found = nodePools.flatMap((pool) => {
      const text = poolProblem(pool, now)
      return text === undefined ? [] : [{ pool, text }]
    })
    return foundAny(
      found.map(({ pool }) => objectName(pool)),
      {
        seen: found.map(({ pool, text }) => `${objectName(pool)}: ${text}`).join('; '),
        remedy: 'limit the budget by schedule and duration, or by reasons: kubectl edit nodepool',
      },
      'the budgets of each NodePool allow disruptions at some time',
    )
  },
}
