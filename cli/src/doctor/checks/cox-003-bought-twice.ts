import { kinds, timeOf } from '@kerf/apis'
import { type Check, foundAny, inOrder } from '../check.ts'
import { objectName } from '../object-name.ts'

/** A scale-up and a NodeClaim this close together had the same pods before them (`docs/spec/coexistence.md#double-scale-up`). */
const TOGETHER = 60_000
const HOUR = 3_600_000

export const cox003: Check = {
  id: 'COX-003',
  group: 'coexistence',
  severity: 'warning',
  title: 'Bursts bought twice in the last hour',
  why: 'Cluster Autoscaler reports each scale-up as an event on its status ConfigMap. NodeClaims that were created within a minute of one were launched for the same pods.',
  reads: ['Event', 'NodeClaim'],
  examine({ objects, nodeClaims, now }) {
    const scaleUps = objects
      .of(kinds.Event)
      .filter(({ reason, involvedObject }) => reason === 'ScaledUpGroup' && involvedObject.kind === 'ConfigMap')
      // The two events of a scale-up find the same NodeClaims. An event that stands for several tells of the first and the last.
      .flatMap(({ firstTimestamp, lastTimestamp, eventTime }) =>
        [firstTimestamp, lastTimestamp, eventTime].flatMap((time) => timeOf(time) ?? []),
      )
      .filter((at) => now - at <= HOUR)
    if (scaleUps.length === 0) return inOrder('no scale-up of Cluster Autoscaler in the last hour')
    const twice = nodeClaims.filter(({ metadata }) => {
      const created = timeOf(metadata.creationTimestamp)
      return created !== undefined && scaleUps.some((at) => Math.abs(at - created) <= TOGETHER)
    })
    return foundAny(
      twice.map(objectName),
      {
        seen: 'Cluster Autoscaler scaled a node group up within a minute of their creation',
        remedy: 'kerf doctor --explain COX-002',
      },
      'no NodeClaim was created within a minute of a scale-up',
    )
  },
}
