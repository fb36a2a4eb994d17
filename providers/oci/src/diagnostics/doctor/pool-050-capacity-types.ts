import { capacityTypes } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { PREEMPTIBLE } from '../../names.ts'
import { admitsCapacityType, poolsOfUpstream } from './oci-pools.ts'

export const pool050: DoctorCheck = {
  id: 'POOL-050',
  group: 'pools',
  severity: 'critical',
  title: 'NodePools with a capacity type that their OciNodeClass does not have',
  why: 'Nodes of an OciNodeClass have the capacity types on-demand and preemptible. The name spot belongs to OCINodeClass, the other kind of Oracle Cloud. A NodePool that requires only spot launches nothing.',
  reads: ['NodePool'],
  examine: (audit) =>
    foundAny(
      poolsOfUpstream(audit, 'community')
        .filter(
          (pool) =>
            !admitsCapacityType(pool, capacityTypes.onDemand) && !admitsCapacityType(pool, PREEMPTIBLE.community),
        )
        .map(objectName),
      {
        seen: 'they admit neither on-demand nor preemptible, so they launch nothing',
        remedy: 'require karpenter.sh/capacity-type In [preemptible], or use an OCINodeClass',
      },
      'every NodePool with an OciNodeClass admits on-demand or preemptible',
    ),
}
