import { labels, ownValue, parseResources } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const pool005: Check = {
  id: 'POOL-005',
  group: 'pools',
  severity: 'warning',
  title: 'Limits that are 90 % used',
  why: 'Above its limit a NodePool launches nothing, not even the replacements of drifted nodes.',
  reads: ['NodePool', 'Node'],
  examine({ nodePools, nodes }) {
    const near = nodePools.flatMap((pool) => {
      const own = nodes.filter(({ metadata }) => metadata.labels?.[labels.nodePool] === pool.metadata.name)
      const limits = Object.entries(parseResources(pool.spec.limits))
      const capacities = own.map(({ status }) => parseResources({ ...status?.capacity, nodes: '1' }))
      return limits.flatMap(([resource, limit]) => {
        const used = capacities.reduce((sum, capacity) => sum + (ownValue(capacity, resource) ?? 0n), 0n)
        if (limit <= 0n || used * 10n < limit * 9n) return []
        return [{ pool, text: `${Number((used * 100n) / limit)} % of ${resource} is used` }]
      })
    })
    return foundAny(
      [...new Set(near.map(({ pool }) => objectName(pool)))],
      {
        seen: near.map(({ pool, text }) => `${objectName(pool)}: ${text}`).join('; '),
        remedy: [...new Set(near.map(({ pool }) => `kerf explain nodepool/${pool.metadata.name}`))].join('; '),
      },
      'less than 90 % of each limit is used',
    )
  },
}
