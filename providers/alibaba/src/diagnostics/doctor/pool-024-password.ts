import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import { usedClasses } from './used-classes.ts'

export const pool024: DoctorCheck = {
  id: 'POOL-024',
  group: 'pools',
  severity: 'warning',
  title: 'ECSNodeClasses with the password of their nodes',
  why: 'spec.password is plain text. Everybody who may read ECSNodeClasses can log in on every node of the class.',
  reads: ['NodePool'],
  examine(audit) {
    const { classes, isComplete } = usedClasses(audit)
    if (!isComplete) return undecided('not every ECSNodeClass of the NodePools was read')
    return foundAny(
      classes.filter(({ spec }) => (spec?.password ?? '') !== '').map(objectName),
      {
        seen: 'spec.password is set',
        remedy:
          'use spec.keyPairName, or spec.passwordInherit with an image that has a password; either replaces the nodes',
      },
      'none of them has a password',
    )
  },
}
