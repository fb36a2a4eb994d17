import { kinds } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

export const cox017: Check = {
  id: 'COX-017',
  group: 'coexistence',
  severity: 'information',
  title: 'NotTriggerScaleUp on pods that a NodePool serves',
  why: 'Cluster Autoscaler considers every unschedulable pod and publishes this event for each pod that fits none of its node groups. The event is harmless, because Karpenter launches a node. It stops when you remove Cluster Autoscaler or annotate the pods with pod-scale-up-delay.',
  reads: ['Event', 'NodePool'],
  examine({ objects, workloads, serving }) {
    const noisy = new Set(
      objects
        .of(kinds.Event)
        .filter(({ reason, involvedObject }) => reason === 'NotTriggerScaleUp' && involvedObject.kind === 'Pod')
        .map(({ involvedObject }) => `${involvedObject.namespace}/${involvedObject.name}`),
    )
    const served = workloads.filter(
      (workload) =>
        workload.pods.some(({ metadata }) => noisy.has(`${metadata.namespace ?? 'default'}/${metadata.name}`)) &&
        serving.poolsFor(workload).length > 0,
    )
    return foundAny(
      served.map(nameOfWorkload),
      {
        seen: 'Cluster Autoscaler reports NotTriggerScaleUp, and a NodePool serves them: harmless',
        remedy:
          'no action required; the annotation cluster-autoscaler.kubernetes.io/pod-scale-up-delay: 10m on the pod template stops the events',
      },
      'no such event on a pod that a NodePool serves',
    )
  },
}
