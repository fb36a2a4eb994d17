import { kinds } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

export const cox017: Check = {
  id: 'COX-017',
  group: 'coexistence',
  severity: 'information',
  title: 'NotTriggerScaleUp on pods that a NodePool serves',
  why: 'Cluster Autoscaler looks at every unschedulable pod and says of each that fits none of its node groups that it did not trigger a scale-up. The event is harmless: Karpenter launches a node meanwhile. It ends when Cluster Autoscaler goes, or with the annotation pod-scale-up-delay on the pods.',
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
          'nothing has to be done; the annotation cluster-autoscaler.kubernetes.io/pod-scale-up-delay: 10m on the pod template ends the events',
      },
      'no such event on a pod that a NodePool serves',
    )
  },
}
