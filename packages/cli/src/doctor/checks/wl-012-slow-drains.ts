import { parseTime } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const LONG = 30 * 60_000

export const wl012: Check = {
  id: 'WL-012',
  group: 'workloads',
  severity: 'warning',
  title: 'Nodes that have been draining for more than half an hour',
  why: 'A draining node costs money and runs few pods. A PodDisruptionBudget, do-not-disrupt, or a pod that does not stop blocks the drain.',
  reads: ['NodeClaim', 'Pod'],
  examine({ nodeClaims, now }) {
    const slow = nodeClaims.filter(({ metadata }) => {
      const since = parseTime(metadata.deletionTimestamp)
      return since !== undefined && now - since > LONG
    })
    return foundAny(
      slow.map(objectName),
      {
        seen: `they have been in deletion since ${slow.map(({ metadata }) => metadata.deletionTimestamp).join(', ')}`,
        remedy: slow
          .slice(0, 3)
          .map(({ metadata }) => `kerf explain node/${metadata.name}`)
          .join('; '),
      },
      'no node has been draining for long',
    )
  },
}
