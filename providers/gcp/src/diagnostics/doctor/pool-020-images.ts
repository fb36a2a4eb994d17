import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { GCENodeClass } from '../../node-class/gce-node-class.ts'
import { usedClasses } from './gcp-pools.ts'

/** Returns whether the controller has checked the node class and found no image. */
const hasNoImage = ({ status }: GCENodeClass): boolean =>
  status?.conditions !== undefined && (status.images ?? []).length === 0

export const pool020: DoctorCheck = {
  id: 'POOL-020',
  group: 'pools',
  severity: 'critical',
  title: 'GCENodeClasses without images',
  why: 'Without an image, the NodePool launches nothing.',
  reads: ['NodePool'],
  examine(audit) {
    const { classes, isComplete } = usedClasses(audit)
    if (!isComplete) return undecided('not every GCENodeClass of the NodePools was read')
    const empty = classes.filter(hasNoImage)
    return foundAny(
      empty.map(objectName),
      {
        seen: 'spec.imageSelectorTerms selects no image',
        remedy: `kubectl describe gcenodeclass ${empty[0]?.metadata.name ?? ''} says why, in the ImagesReady condition`,
      },
      classes.length === 0 ? 'no NodePool has a GCENodeClass' : 'each of them has images',
    )
  },
}
