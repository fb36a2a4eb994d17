import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const pool004: Check = {
  id: 'POOL-004',
  group: 'pools',
  severity: 'warning',
  title: 'NodePools without limits',
  why: 'Limits protect against the cost of a runaway Deployment. A NodePool without limits grows for as long as pods are pending.',
  reads: ['NodePool'],
  examine({ nodePools }) {
    const open = nodePools.filter(
      ({ spec }) => spec.replicas === undefined && Object.keys(spec.limits ?? {}).length === 0,
    )
    return foundAny(
      open.map(objectName),
      {
        seen: 'they can grow without limit',
        remedy: open
          .map(
            ({ metadata }) =>
              `kubectl patch nodepool ${metadata.name} --type merge -p '{"spec":{"limits":{"cpu":"1000"}}}'`,
          )
          .join('; '),
      },
      'each NodePool has limits',
    )
  },
}
