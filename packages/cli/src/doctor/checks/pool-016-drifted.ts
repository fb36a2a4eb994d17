import { findCondition, isConditionTrue } from '@kerf/apis'
import { budgetAllowance, opensAt } from '@kerf/engine'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const pool016: Check = {
  id: 'POOL-016',
  group: 'pools',
  severity: 'information',
  title: 'Drifted nodes',
  why: 'Nodes that differ from their NodePool or node class are replaced within the budgets. The check lists them with the reason and the time at which the budgets allow it.',
  reads: ['NodePool', 'NodeClaim'],
  examine({ nodePools, nodeClaims, now }) {
    const drifted = nodeClaims.filter((claim) => isConditionTrue(claim, 'Drifted'))
    const reasons = new Set(drifted.map((claim) => findCondition(claim, 'Drifted')?.reason ?? 'no reason given'))
    const windows = nodePools.flatMap((pool) => {
      const { name } = pool.metadata
      const own = drifted.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === name)
      const total = nodeClaims.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === name).length
      if (own.length === 0) return []
      if (budgetAllowance(pool, 'Drifted', total, now).allowed > 0) return [`${name}: now`]
      const opens = opensAt(pool, 'Drifted', total, 0, now)
      return [`${name}: ${opens === undefined ? 'not by its schedules' : new Date(opens).toISOString()}`]
    })
    return foundAny(
      drifted.map(objectName),
      {
        seen: `${drifted.length} drifted (${[...reasons].join(', ')}); the budgets allow replacement: ${windows.join('; ')}`,
        remedy: drifted
          .slice(0, 1)
          .map(({ metadata }) => `kerf explain node/${metadata.name}`)
          .join(''),
      },
      'no node has drifted',
    )
  },
}
