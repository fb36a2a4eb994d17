import { podRequests } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

export const wl003: Check = {
  id: 'WL-003',
  group: 'workloads',
  severity: 'warning',
  title: 'Pods without requests',
  why: 'Nodes are chosen by requests only. A pod without requests counts as zero, so nodes are packed until they run out of memory.',
  reads: [],
  examine({ workloads }) {
    const bare = workloads.filter(({ pod, namespace }) => {
      const requests = podRequests(pod)
      return (
        namespace !== 'kube-system' && ((requests.get('cpu') ?? 0n) === 0n || (requests.get('memory') ?? 0n) === 0n)
      )
    })
    return foundAny(
      bare.map(nameOfWorkload),
      {
        seen: 'they request no CPU or no memory',
        remedy:
          'kubectl -n NAMESPACE set resources deployment NAME --requests cpu=100m,memory=128Mi, or a LimitRange with defaultRequest',
      },
      'each workload requests CPU and memory',
    )
  },
}
