import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { bizflyPools } from './bizfly-pools.ts'

export const cox030: DoctorCheck = {
  id: 'COX-030',
  group: 'coexistence',
  severity: 'information',
  title: 'NodePools whose class Bizfly’s own provider does not use',
  why: 'Bizfly’s own Karpenter provider launches every server with the BizflyCloudNodeClass named default, whatever the NodePool names. Kerf uses the class that the NodePool names, so new servers of these NodePools differ from those that the other provider launched.',
  reads: ['NodePool'],
  examine: (audit) =>
    foundAny(
      bizflyPools(audit)
        .filter(({ spec }) => spec.template.spec.nodeClassRef.name !== 'default')
        .map(objectName),
      {
        seen: 'they name another class than default',
        remedy: 'compare the class with the one named default before you switch from Bizfly’s own provider',
      },
      'every NodePool of Bizfly Cloud names the class default',
    ),
}
