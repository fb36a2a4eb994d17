import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import { usedClasses } from './used-classes.ts'

/** Sizes in Ti that the pattern of Karpenter's CRD does not accept: those whose second digit is 8 or 9, except 58Ti. */
const REFUSED_SIZE = /^(?:[1-4][89])Ti$/

const refusedThere = ({ spec }: ECSNodeClass): boolean =>
  (spec?.imageSelectorTerms ?? []).some(({ alias }) => alias?.includes('@') === true) ||
  [spec?.systemDisk?.volumeSize, ...(spec?.dataDisks ?? []).map(({ volumeSize }) => volumeSize)].some(
    (size) => size !== undefined && REFUSED_SIZE.test(size),
  )

export const pool023: DoctorCheck = {
  id: 'POOL-023',
  group: 'pools',
  severity: 'information',
  title: 'ECSNodeClasses that Karpenter’s CRD refuses',
  why: 'Kerf’s CRD accepts an image alias with a version (AlibabaCloudLinux3@latest) and disk sizes such as 18Ti. The CRD of CloudPilot’s Karpenter provider refuses both, so such a class cannot be written after a return to it.',
  reads: ['NodePool'],
  examine(audit) {
    const { classes, isComplete } = usedClasses(audit)
    if (!isComplete) return undecided('not every ECSNodeClass of the NodePools was read')
    return foundAny(
      classes.filter(refusedThere).map(objectName),
      {
        seen: 'it has an alias with @ or a disk size in Ti that Karpenter’s CRD refuses',
        remedy: 'before a return to Karpenter, remove the version of the alias and write the size in Gi',
      },
      'Karpenter’s CRD accepts each of them',
    )
  },
}
