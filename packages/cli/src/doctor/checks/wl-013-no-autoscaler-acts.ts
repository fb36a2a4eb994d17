import { isScheduled } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { providerChecks } from '../provider-checks.ts'

const serverless = providerChecks.flatMap((each) => each.serverless ?? [])
const services = serverless.map(({ name }) => name).join(' or ')

export const wl013: Check = {
  id: 'WL-013',
  group: 'workloads',
  severity: 'information',
  title: 'Pending pods that autoscalers ignore',
  why: `Pods with scheduling gates, pods that wait for a preemption, and pods for ${services} are pending for another reason than missing nodes.`,
  reads: ['Pod'],
  examine({ pods }) {
    const idle = pods.filter(
      (pod) =>
        !isScheduled(pod) &&
        ((pod.spec.schedulingGates ?? []).length > 0 ||
          (pod.status?.nominatedNodeName ?? '') !== '' ||
          serverless.some(({ runs }) => runs(pod))),
    )
    return foundAny(
      idle.map(objectName),
      {
        seen: `they have scheduling gates, wait for their nominated node, or wait for ${services}`,
        remedy: 'kubectl describe pod shows which; the controller that set a scheduling gate removes it',
      },
      'no pod is pending for another reason than missing nodes',
    )
  },
}
