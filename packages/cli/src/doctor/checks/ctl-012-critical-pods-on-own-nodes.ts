import { foundAny, inOrder } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

const CRITICAL: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical'])

export const ctl012: Check = {
  id: 'CTL-012',
  group: 'controller',
  severity: 'warning',
  title: 'Critical workloads that are not pinned to fixed nodes',
  why: 'Run metrics-server, CSI and CNI controllers where consolidation never moves them. Pods with a critical priority class on nodes of NodePools are evicted with their node, and a faulty NodePool can take all of them down.',
  reads: ['Pod', 'Node'],
  examine({ workloads, managedNodes, foreignNodes }) {
    if (foreignNodes.length === 0) return inOrder('all nodes belong to NodePools')
    const managed = new Set(managedNodes.map(({ metadata }) => metadata.name))
    const loose = workloads.filter(
      ({ pod, pods }) =>
        CRITICAL.has(pod.spec.priorityClassName ?? '') &&
        // The check CTL-011 covers DNS pods.
        pod.metadata.labels?.['k8s-app'] !== 'kube-dns' &&
        pods.some(({ spec }) => spec.nodeName !== undefined) &&
        pods.every(({ spec }) => spec.nodeName === undefined || managed.has(spec.nodeName)),
    )
    return foundAny(
      loose.map(nameOfWorkload),
      {
        seen: 'all their pods run on nodes of NodePools',
        remedy:
          'require karpenter.sh/nodepool DoesNotExist in their node affinity, and tolerate the taint of the fixed group',
      },
      'critical workloads run outside of NodePools',
    )
  },
}
