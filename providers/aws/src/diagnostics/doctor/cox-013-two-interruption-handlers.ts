import type { DoctorCheck } from '@kerf/provider-contract'
import { controllerSetting, foundAny, objectName } from '@kerf/provider-kit/doctor'

export const cox013: DoctorCheck = {
  id: 'COX-013',
  group: 'coexistence',
  severity: 'warning',
  title: 'Interruptions handled twice',
  why: 'With AWS Node Termination Handler on the nodes and an interruption queue in the controller, a spot notice cordons and drains a node twice, and only one of them launches the replacement.',
  reads: ['Deployment', 'DaemonSet'],
  examine({ daemonSets, controllers }) {
    const handlers = daemonSets.filter(
      ({ metadata, spec }) =>
        /node-termination-handler/.test(metadata.name) ||
        spec.template.spec.containers.some(({ image = '' }) => /node-termination-handler/.test(image)),
    )
    const hasQueue = controllers.some((each) => (controllerSetting(each, 'INTERRUPTION_QUEUE') ?? '') !== '')
    return foundAny(
      hasQueue ? handlers.map(objectName) : [],
      {
        seen: 'a handler of spot notices runs on the nodes, and the controller has an interruption queue',
        remedy: 'do not run it on nodes of NodePools: require karpenter.sh/nodepool DoesNotExist in its node affinity',
      },
      hasQueue ? 'only the controller handles interruptions' : 'no interruption queue is set',
    )
  },
}
