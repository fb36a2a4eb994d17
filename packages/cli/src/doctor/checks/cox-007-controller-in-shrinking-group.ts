import { foundAny, inOrder, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { NO_SCALE_DOWN, SAFE_TO_EVICT } from '../cluster-autoscaler-annotations.ts'

export const cox007: Check = {
  id: 'COX-007',
  group: 'coexistence',
  severity: 'critical',
  title: 'Nodes of the controller that Cluster Autoscaler may remove',
  why: 'Pods in kube-system block a scale-down only if they have no PodDisruptionBudget, and the chart creates one. Cluster Autoscaler may then remove a lightly used node together with the controller. A group with equal minimum and maximum size is fixed.',
  reads: ['Deployment', 'Pod', 'Node', 'ConfigMap'],
  examine({ clusterAutoscaler, controllers, workloads, nodes }) {
    if (clusterAutoscaler?.runs !== true) return inOrder('no Cluster Autoscaler runs')
    if (clusterAutoscaler.status === undefined) return undecided(clusterAutoscaler.unreadStatus ?? 'it has no status')
    const own = new Set(controllers.map(({ metadata }) => `${metadata.namespace ?? 'default'}/${metadata.name}`))
    const pods = workloads
      .filter(({ kind, namespace, name }) => kind === 'Deployment' && own.has(`${namespace}/${name}`))
      .flatMap((workload) => workload.pods)
    const exposed = nodes.filter((node) => {
      const here = pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
      const group = clusterAutoscaler.groups.find(({ nodes: members }) => members.includes(node))
      return (
        here.length > 0 &&
        group?.size !== undefined &&
        group.size.min < group.size.max &&
        node.metadata.annotations?.[NO_SCALE_DOWN] !== 'true' &&
        here.every(({ metadata }) => metadata.annotations?.[SAFE_TO_EVICT] !== 'false')
      )
    })
    return foundAny(
      exposed.map(objectName),
      {
        seen: 'the controller runs there, and their node group may shrink',
        remedy: `set the minimum of the group to its maximum, or: kubectl annotate node ${exposed.map(({ metadata }) => metadata.name).join(' ')} ${NO_SCALE_DOWN}=true`,
      },
      'no node of the controller is in a node group that may shrink',
    )
  },
}
