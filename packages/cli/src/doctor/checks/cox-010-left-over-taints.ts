import { type Milliseconds, type Node, parseTime } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { NO_SCALE_DOWN, SCALE_DOWN_TAINT } from '../cluster-autoscaler-annotations.ts'

const HOUR = 3_600_000

/** Returns whether the taints are old. Cluster Autoscaler sets the value of such a taint to the Unix time at which it added the taint. */
const isOld = (node: Node, now: Milliseconds): boolean =>
  (node.spec.taints ?? []).some(({ key, value, timeAdded }) => {
    if (!SCALE_DOWN_TAINT.test(key)) return false
    const at = /^\d+$/.test(value ?? '') ? Number(value) * 1_000 : parseTime(timeAdded)
    return at !== undefined && now - at > HOUR
  })

export const cox010: Check = {
  id: 'COX-010',
  group: 'coexistence',
  severity: 'warning',
  title: 'Taints and annotations that Cluster Autoscaler left on nodes',
  why: 'If Cluster Autoscaler is killed, its taints stay until it starts again. kube-scheduler avoids nodes with these taints. Without a running Cluster Autoscaler, the annotation scale-down-disabled has no effect.',
  reads: ['Deployment', 'Node'],
  examine({ nodes, now, clusterAutoscaler }) {
    const marked = nodes.filter(
      (node) =>
        isOld(node, now) ||
        (clusterAutoscaler?.runs !== true && node.metadata.annotations?.[NO_SCALE_DOWN] !== undefined),
    )
    const names = marked.map(({ metadata }) => metadata.name).join(' ')
    return foundAny(
      marked.map(objectName),
      {
        seen: 'they have taints of Cluster Autoscaler that are over an hour old, or its annotation although it does not run',
        remedy: `kubectl taint node ${names} ToBeDeletedByClusterAutoscaler- DeletionCandidateOfClusterAutoscaler-; kubectl annotate node ${names} ${NO_SCALE_DOWN}-`,
      },
      'no node has an old taint or annotation of Cluster Autoscaler',
    )
  },
}
