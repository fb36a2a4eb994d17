import { type Event, kinds, type Milliseconds, parseTime } from '@kerf/apis'
import { foundAny, inOrder, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

/**
 * If a scale-up and the creation of a NodeClaim are at most this many milliseconds apart, both were for the same pods
 * (`docs/spec/coexistence.md#double-scale-up`).
 */
const TOGETHER = 60_000
const HOUR = 3_600_000

/** Returns whether the event nominates a planned node. A nomination of an existing node does not launch a second node. */
const isForNewNode = ({ message }: Event): boolean => message === undefined || /: nodeclaim\/[^,]+$/.test(message)

/** Returns the times of the first and the last occurrence. One Event object can represent several occurrences. */
const eventTimes = ({ firstTimestamp, lastTimestamp, eventTime }: Event): readonly Milliseconds[] =>
  [firstTimestamp, lastTimestamp, eventTime].flatMap((time) => parseTime(time) ?? [])

export const cox003: Check = {
  id: 'COX-003',
  group: 'coexistence',
  severity: 'warning',
  title: 'Duplicate launches in the last hour',
  why: 'Cluster Autoscaler reports each scale-up as an event on its status ConfigMap. NodeClaims that were created within a minute of a scale-up were launched for the same pods. A pod with the events TriggeredScaleUp and Nominated also got a node from both.',
  reads: ['Event', 'NodeClaim'],
  examine({ objects, nodeClaims, now }) {
    const events = objects.of(kinds.Event).filter((event) => eventTimes(event).some((at) => now - at <= HOUR))
    const scaleUps = events
      .filter(({ reason, involvedObject }) => reason === 'ScaledUpGroup' && involvedObject.kind === 'ConfigMap')
      // A scale-up creates two Events. Counting both does no harm, because both match the same NodeClaims.
      .flatMap(eventTimes)
      .filter((at) => now - at <= HOUR)
    const podsWith = (reason: string, isMeant: (event: Event) => boolean = () => true): ReadonlySet<string> =>
      new Set(
        events
          .filter((event) => event.reason === reason && event.involvedObject.kind === 'Pod' && isMeant(event))
          .map(({ involvedObject: { namespace = 'default', name } }) => `Pod ${namespace}/${name}`),
      )
    const [triggered, nominated] = [podsWith('TriggeredScaleUp'), podsWith('Nominated', isForNewNode)]
    const pods = [...triggered].filter((pod) => nominated.has(pod)).sort()
    if (scaleUps.length === 0 && triggered.size === 0)
      return inOrder('no scale-up of Cluster Autoscaler in the last hour')
    const twice = nodeClaims.filter(({ metadata }) => {
      const created = parseTime(metadata.creationTimestamp)
      return created !== undefined && scaleUps.some((at) => Math.abs(at - created) <= TOGETHER)
    })
    return foundAny(
      [...twice.map(objectName), ...pods],
      {
        seen: [
          ...(twice.length === 0
            ? []
            : ['Cluster Autoscaler scaled a node group up within a minute of their creation']),
          ...(pods.length === 0
            ? []
            : ['both autoscalers launched a node for the pods (TriggeredScaleUp and Nominated)']),
        ].join('; '),
        remedy: 'kerf doctor --explain COX-002',
      },
      'no NodeClaim was created within a minute of a scale-up, and no pod was served by both',
    )
  },
}
