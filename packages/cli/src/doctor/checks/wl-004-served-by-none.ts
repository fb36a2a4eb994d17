import { isScheduled } from '@kerf/apis'
import { foundAny, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

export const wl004: Check = {
  id: 'WL-004',
  group: 'workloads',
  severity: 'critical',
  title: 'Pending pods that no autoscaler can launch a node for',
  why: 'No NodePool and no node group can run them. They stay pending until someone changes them.',
  reads: ['Pod', 'NodePool'],
  examine({ workloads, serving }) {
    const pending = workloads.filter(({ pods }) =>
      pods.some(
        (pod) =>
          !isScheduled(pod) &&
          (pod.status?.conditions ?? []).some(
            ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
          ),
      ),
    )
    const hopeless = pending.filter(
      (workload) => serving.poolsFor(workload).length === 0 && serving.groupsFor(workload).length === 0,
    )
    const unknown = [...serving.unknownPools, ...serving.unknownGroups]
    if (hopeless.length > 0 && unknown.length > 0)
      return undecided(`the instance types of ${unknown.join(', ')} are unknown; see --instance-types`)
    return foundAny(
      hopeless.map(nameOfWorkload),
      {
        seen: 'they are pending, and no NodePool and no node group can run them',
        remedy: hopeless
          .slice(0, 3)
          .map(({ namespace, pods: [first] }) => `kerf explain pod/${first?.metadata.name} -n ${namespace}`)
          .join('; '),
      },
      pending.length === 0 ? 'no pod is pending' : 'an autoscaler can launch a node for each pending pod',
    )
  },
}
