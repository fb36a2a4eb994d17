import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const wl009: Check = {
  id: 'WL-009',
  group: 'workloads',
  severity: 'warning',
  title: 'DaemonSets without a priority class',
  why: 'Kerf chooses nodes with room for their DaemonSets, but other pods may use that room first. With a priority class, kube-scheduler preempts other pods for the DaemonSet; without one, its pod stays pending on a full node.',
  reads: ['DaemonSet'],
  examine({ daemonSets }) {
    const loose = daemonSets.filter(({ spec }) => spec.template.spec.priorityClassName === undefined)
    return foundAny(
      loose.map(objectName),
      {
        seen: 'no priorityClassName',
        remedy:
          'set priorityClassName in the pod template, for example system-node-critical for agents that every node needs',
      },
      'each DaemonSet has a priority class',
    )
  },
}
