import { capacityTypes } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { hasNoScheduleTaint, PREEMPTIBLE_TAINT } from '../../instance-types/offerings.ts'
import { admitsCapacityType, poolsOfUpstream } from './oci-pools.ts'

export const pool051: DoctorCheck = {
  id: 'POOL-051',
  group: 'pools',
  severity: 'critical',
  title: 'NodePools that admit only spot instances and lack their taint',
  why: `Oracle’s Karpenter provider launches spot instances only for a NodePool with the NoSchedule taint ${PREEMPTIBLE_TAINT}, and Kerf does the same. Without the taint, a NodePool that admits only spot launches nothing.`,
  reads: ['NodePool'],
  examine: (audit) =>
    foundAny(
      poolsOfUpstream(audit, 'oracle')
        .filter(
          (pool) =>
            admitsCapacityType(pool, capacityTypes.spot) &&
            !admitsCapacityType(pool, capacityTypes.onDemand) &&
            !hasNoScheduleTaint(pool.spec.template.spec.taints ?? [], PREEMPTIBLE_TAINT),
        )
        .map(objectName),
      {
        seen: `they admit only spot and lack the taint ${PREEMPTIBLE_TAINT}, so they launch nothing`,
        remedy: `add the taint ${PREEMPTIBLE_TAINT}:NoSchedule to spec.template.spec.taints, and tolerations to the pods`,
      },
      'every NodePool that admits only spot has the taint',
    ),
}
