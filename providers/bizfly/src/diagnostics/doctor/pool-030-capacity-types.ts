import { capacityTypes, labels, type NodePool } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { ON_DEMAND_PLAN } from '../../names.ts'
import { bizflyPools } from './bizfly-pools.ts'

const OFFERED: readonly string[] = [capacityTypes.onDemand, ON_DEMAND_PLAN]

const needsOthers = ({ spec }: NodePool): boolean =>
  (spec.template.spec.requirements ?? []).some(
    ({ key, operator, values = [] }) =>
      key === labels.capacityType && operator === 'In' && !values.some((value) => OFFERED.includes(value)),
  )

export const pool030: DoctorCheck = {
  id: 'POOL-030',
  group: 'pools',
  severity: 'critical',
  title: 'NodePools with a capacity type that Bizfly Cloud does not have',
  why: 'Kerf launches servers that are billed by the hour. Bizfly’s own provider also accepts saving_plan, but nothing documents how long such a server is paid for, so Kerf does not launch any. Bizfly Cloud has no spot servers.',
  reads: ['NodePool'],
  examine: (audit) =>
    foundAny(
      bizflyPools(audit).filter(needsOthers).map(objectName),
      {
        seen: 'they require a capacity type other than on-demand, so they launch nothing',
        remedy: 'require karpenter.sh/capacity-type In [on-demand]',
      },
      'every NodePool of Bizfly Cloud admits on-demand',
    ),
}
