import type { NodePool } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { GCP_GROUP } from '../../label-names.ts'
import { gcpPools } from './gcp-pools.ts'

/** Labels that Karpenter's provider removed after v0.4, and that Kerf does not support either. */
const REMOVED = ['instance-category', 'instance-cpu-model'].map((name) => `${GCP_GROUP}/${name}`)

const namesRemoved = ({ spec }: NodePool): boolean =>
  (spec.template.spec.requirements ?? []).some(({ key }) => REMOVED.includes(key))

export const cox019: DoctorCheck = {
  id: 'COX-019',
  group: 'coexistence',
  severity: 'critical',
  title: 'NodePools with labels that the Karpenter provider has removed',
  why: 'Version 0.5 of Karpenter’s provider for Google Cloud removed the labels karpenter.k8s.gcp/instance-category and instance-cpu-model. A NodePool that requires one of them launches nothing, because no instance type has it.',
  reads: ['NodePool'],
  examine: (audit) =>
    foundAny(
      gcpPools(audit).filter(namesRemoved).map(objectName),
      {
        seen: `they require ${REMOVED.join(' or ')}, which no instance type has`,
        remedy: `require ${GCP_GROUP}/instance-family or ${GCP_GROUP}/instance-shape instead`,
      },
      'no NodePool requires a removed label',
    ),
}
