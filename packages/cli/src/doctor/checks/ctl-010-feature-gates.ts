import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { isGateOn } from '../controllers.ts'

export const ctl010: Check = {
  id: 'CTL-010',
  group: 'controller',
  severity: 'critical',
  title: 'Objects that need a feature gate that is off',
  why: 'NodeOverlays, static NodePools and CapacityBuffers have no effect while their feature gate is off, and no message tells you.',
  reads: ['Deployment'],
  examine({ controllers, objects, nodePools }) {
    const running = controllers.filter(({ spec }) => (spec.replicas ?? 1) > 0)
    if (running.length === 0) return undecided('no Deployment of Kerf or Karpenter with replicas was found')
    const needs = [
      { gate: 'NodeOverlay', needing: objects.named('NodeOverlay') },
      { gate: 'CapacityBuffer', needing: objects.named('CapacityBuffer') },
      { gate: 'StaticCapacity', needing: nodePools.filter(({ spec }) => spec.replicas !== undefined) },
    ].filter(({ gate, needing }) => needing.length > 0 && !running.some((each) => isGateOn(each, gate)))
    const gates = needs.map(({ gate }) => gate)
    return foundAny(
      needs.flatMap(({ needing }) => needing.map(objectName)),
      {
        seen: `feature gate ${gates.join(' and ')} is off`,
        remedy: `--set ${gates.map((gate) => `settings.featureGates.${gate.slice(0, 1).toLowerCase()}${gate.slice(1)}=true`).join(' --set ')} with helm upgrade`,
      },
      'no object needs a feature gate that is off',
    )
  },
}
