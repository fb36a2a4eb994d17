import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const ctl011: Check = {
  id: 'CTL-011',
  group: 'controller',
  severity: 'warning',
  title: 'DNS on nodes of NodePools alone',
  why: 'The controller needs DNS to reach its cloud, and a node to launch DNS on: after a loss of all nodes neither comes back. At least one pod of DNS has to be able to run on nodes that no NodePool makes.',
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
        seen: 'every pod of DNS runs on a node of a NodePool',
        remedy: 'let CoreDNS prefer or require nodes without karpenter.sh/nodepool in its node affinity',
      },
      'DNS runs on nodes that no NodePool made',
    )
  },
}
