import { annotations, parseTime } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const WEEK = 7 * 24 * 3_600_000

export const wl011: Check = {
  id: 'WL-011',
  group: 'workloads',
  severity: 'warning',
  title: 'Pods protected for more than a week',
  why: 'karpenter.sh/do-not-disrupt is for work that finishes. On a long-running pod it keeps the node, with its old image, forever.',
  reads: ['Pod', 'Node'],
  examine(audit) {
    const old = audit.managedNodes
      .flatMap(({ metadata }) => audit.podsOn(metadata.name))
      .filter(({ metadata }) => {
        const created = parseTime(metadata.creationTimestamp)
        // A pod whose annotation has a duration is not reported, because its protection expires automatically.
        return (
          metadata.annotations?.[annotations.doNotDisrupt] === 'true' &&
          created !== undefined &&
          audit.now - created > WEEK
        )
      })
    return foundAny(
      old.map(objectName),
      {
        seen: `they have ${annotations.doNotDisrupt}: "true" and are over a week old`,
        remedy: `give a duration (${annotations.doNotDisrupt}: 24h), or use a PodDisruptionBudget instead of the annotation`,
      },
      'no pod has been protected for more than a week',
    )
  },
}
