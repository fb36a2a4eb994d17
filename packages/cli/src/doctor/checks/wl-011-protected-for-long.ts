import { annotations, timeOf } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const WEEK = 7 * 24 * 3_600_000

export const wl011: Check = {
  id: 'WL-011',
  group: 'workloads',
  severity: 'warning',
  title: 'Pods that have been protected for over a week',
  why: 'karpenter.sh/do-not-disrupt is meant for work that ends. On a pod that runs for ever it keeps a node for ever, with its old image.',
  reads: ['Pod', 'Node'],
  examine(audit) {
    const old = audit.managedNodes
      .flatMap(({ metadata }) => audit.podsOn(metadata.name))
      .filter(({ metadata }) => {
        const created = timeOf(metadata.creationTimestamp)
        // Only the value `true` counts. A protection with a duration expires automatically.
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
        remedy: `give a duration (${annotations.doNotDisrupt}: 24h), or a PodDisruptionBudget in place of the annotation`,
      },
      'no pod has been protected for over a week',
    )
  },
}
