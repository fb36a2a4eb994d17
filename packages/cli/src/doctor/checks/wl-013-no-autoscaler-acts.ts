import { isScheduled } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const wl013: Check = {
  id: 'WL-013',
  group: 'workloads',
  severity: 'information',
  title: 'Pending pods on which no autoscaler acts',
  why: 'Pods with scheduling gates, pods that wait for a preemption, and pods that Fargate runs are pending for another reason than missing nodes.',
  reads: ['Pod'],
  examine({ pods }) {
    const idle = pods.filter(
      (pod) =>
        !isScheduled(pod) &&
        ((pod.spec.schedulingGates ?? []).length > 0 ||
          (pod.status?.nominatedNodeName ?? '') !== '' ||
          pod.metadata.labels?.['eks.amazonaws.com/fargate-profile'] !== undefined ||
          pod.spec.schedulerName === 'fargate-scheduler'),
    )
    return foundAny(
      idle.map(objectName),
      {
        seen: 'gated, waiting for the node that they are nominated for, or for Fargate',
        remedy: 'kubectl describe pod says which; gates are removed by the controller that set them',
      },
      'no pod is pending for another reason than missing nodes',
    )
  },
}
