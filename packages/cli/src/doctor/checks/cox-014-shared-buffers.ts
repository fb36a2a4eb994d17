import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { isGateOn } from '../controllers.ts'

export const cox014: Check = {
  id: 'COX-014',
  group: 'coexistence',
  severity: 'warning',
  title: 'CapacityBuffers with two owners',
  why: 'Cluster Autoscaler and Karpenter both serve CapacityBuffer. With both switched on, the conditions of a buffer change back and forth and its room is bought twice.',
  reads: ['Deployment'],
  examine({ clusterAutoscaler, controllers, objects }) {
    const isTheirs =
      clusterAutoscaler?.runs === true && clusterAutoscaler.flags.get('capacity-buffer-controller-enabled') === 'true'
    const isOurs = controllers.some((each) => isGateOn(each, 'CapacityBuffer'))
    return foundAny(
      isTheirs && isOurs ? objects.named('CapacityBuffer').map(objectName) : [],
      {
        seen: 'both autoscalers serve them',
        remedy:
          'switch one off: --capacity-buffer-controller-enabled=false there, or CapacityBuffer=false among the feature gates here',
      },
      'no CapacityBuffer has two owners',
    )
  },
}
