import { kinds } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const cox016: Check = {
  id: 'COX-016',
  group: 'coexistence',
  severity: 'warning',
  title: 'Descheduler that works against consolidation',
  why: 'LowNodeUtilization evicts pods from full nodes onto empty ones. Consolidation does the reverse, so pods keep moving.',
  reads: ['ConfigMap', 'NodePool'],
  examine({ objects, nodePools }) {
    const consolidates = nodePools.some(
      ({ spec }) =>
        (spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized') !== 'WhenEmpty' &&
        spec.disruption?.consolidateAfter !== 'Never',
    )
    const spreading = objects
      .of(kinds.ConfigMap)
      .filter(({ data = {} }) =>
        Object.values(data).some(
          (text) => /DeschedulerPolicy/.test(text) && /^\s*-?\s*(name:\s*)?["']?LowNodeUtilization\b/m.test(text),
        ),
      )
    return foundAny(
      consolidates ? spreading.map(objectName) : [],
      {
        seen: 'the descheduler spreads pods with LowNodeUtilization, and NodePools consolidate underutilized nodes',
        remedy: 'disable LowNodeUtilization; HighNodeUtilization is compatible with consolidation',
      },
      'no descheduler spreads pods against consolidation',
    )
  },
}
