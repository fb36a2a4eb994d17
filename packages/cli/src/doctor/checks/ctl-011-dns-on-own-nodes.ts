import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const ctl011: Check = {
  id: 'CTL-011',
  group: 'controller',
  severity: 'warning',
  title: 'DNS runs only on nodes of NodePools',
  why: 'The controller needs DNS to reach its cloud, and DNS needs a node that the controller launches: if all nodes are lost, neither recovers. At least one DNS pod must be able to run outside of NodePools.',
  reads: ['Pod', 'Node'],
  examine({ pods, managedNodes }) {
    const dns = pods.filter(
      ({ metadata, spec }) => metadata.labels?.['k8s-app'] === 'kube-dns' && spec.nodeName !== undefined,
    )
    if (dns.length === 0) return undecided('no pod with the label k8s-app=kube-dns was found')
    const managed = new Set(managedNodes.map(({ metadata }) => metadata.name))
    return foundAny(
      dns.every(({ spec }) => managed.has(spec.nodeName ?? '')) ? dns.map(objectName) : [],
      {
        seen: 'every DNS pod runs on a node of a NodePool',
        remedy: 'let CoreDNS prefer or require nodes without karpenter.sh/nodepool in its node affinity',
      },
      'DNS runs outside of NodePools',
    )
  },
}
