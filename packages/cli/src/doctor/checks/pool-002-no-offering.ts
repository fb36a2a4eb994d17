import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import { poolStages } from '../../explain/pool-document.ts'
import type { Check } from '../check.ts'

export const pool002: Check = {
  id: 'POOL-002',
  group: 'pools',
  severity: 'critical',
  title: 'Requirements that no instance type meets',
  why: 'A NodePool whose requirements contradict each other, or name a zone or type that its node class does not offer, launches nothing.',
  reads: ['NodePool'],
  examine({ nodePools, typesOf, vocabulary }) {
    const known = nodePools.flatMap((pool) => {
      const types = typesOf(pool)
      return types === undefined ? [] : [{ pool, types }]
    })
    if (known.length === 0 && nodePools.length > 0)
      return undecided('the instance types of no NodePool are known; see --instance-types')
    const empty = known.flatMap(({ pool, types }) => {
      const stages = poolStages(pool, types, vocabulary)
      const last = stages.find(({ offeringsLeft }) => offeringsLeft === 0)
      return last === undefined ? [] : [{ pool, constraint: last.constraint }]
    })
    return foundAny(
      empty.map(({ pool }) => objectName(pool)),
      {
        seen: empty
          .map(({ pool, constraint }) => `${objectName(pool)}: nothing is left after ${constraint}`)
          .join('; '),
        remedy: empty.map(({ pool }) => `kerf explain nodepool/${pool.metadata.name}`).join('; '),
      },
      'each NodePool matches instance types',
    )
  },
}
