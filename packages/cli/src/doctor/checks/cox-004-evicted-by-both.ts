import { kinds, parseTime } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

const HOUR = 3_600_000

export const cox004: Check = {
  id: 'COX-004',
  group: 'coexistence',
  severity: 'warning',
  title: 'Workloads evicted by both autoscalers in the last hour',
  why: 'Karpenter consolidates onto nodes of Cluster Autoscaler, and Cluster Autoscaler empties nodes onto those of Karpenter. A workload that both evict moves back and forth.',
  reads: ['Event'],
  examine({ objects, workloads, now }) {
    const evicted = (reason: string): ReadonlySet<string> =>
      new Set(
        objects
          .of(kinds.Event)
          .filter(({ reason: given, involvedObject, lastTimestamp, firstTimestamp, eventTime }) => {
            const at = parseTime(lastTimestamp ?? firstTimestamp ?? eventTime)
            return given === reason && involvedObject.kind === 'Pod' && at !== undefined && now - at <= HOUR
          })
          .map(({ involvedObject }) => `${involvedObject.namespace}/${involvedObject.name}`),
      )
    const byAutoscaler = [...evicted('ScaleDown')]
    const byKarpenter = [...evicted('Evicted')]
    // The evicted pods no longer exist, but their names begin with the name of their workload.
    const both = workloads.filter(({ namespace, name }) => {
      const isOwn = (pod: string): boolean => pod.startsWith(`${namespace}/${name}-`)
      return byAutoscaler.some(isOwn) && byKarpenter.some(isOwn)
    })
    return foundAny(
      both.map(nameOfWorkload),
      {
        seen: 'Cluster Autoscaler and Karpenter both evicted pods of them',
        remedy:
          'taint one side, or start Cluster Autoscaler with --scale-down-enabled=false during the migration of workloads',
      },
      'no workload was evicted by both',
    )
  },
}
