import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { isGateOn } from '../controllers.ts'

export const cox014: Check = {
  id: 'COX-014',
  group: 'coexistence',
  severity: 'warning',
  title: 'CapacityBuffers served by two autoscalers',
  why: 'Cluster Autoscaler and Karpenter both support CapacityBuffer. If it is enabled in both, the conditions of a buffer change back and forth, and its capacity is provisioned twice.',
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
          'disable one: --capacity-buffer-controller-enabled=false in Cluster Autoscaler, or the feature gate CapacityBuffer=false in this controller',
      },
      'no CapacityBuffer is served twice',
    )
  },
}
