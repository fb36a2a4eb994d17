import { kinds, matchesLabelSelector } from '@kerf/apis'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const ctl006: Check = {
  id: 'CTL-006',
  group: 'controller',
  severity: 'warning',
  title: 'Controller that does not survive the drain of one node',
  why: 'With two replicas on different nodes, a PodDisruptionBudget and a priority class, a controller keeps running during node upgrades and when capacity is short.',
  reads: ['Deployment', 'PodDisruptionBudget'],
  examine({ controllers, objects }) {
    const running = controllers.filter(({ spec }) => (spec.replicas ?? 1) > 0)
    if (running.length === 0) return undecided('no Deployment of Kerf or Karpenter with replicas was found')
    const problems = running.flatMap((deployment) => {
      const { replicas = 1, template } = deployment.spec
      const { spec, metadata } = template
      const hasBudget = objects
        .of(kinds.PodDisruptionBudget)
        .some(
          (budget) =>
            budget.metadata.namespace === deployment.metadata.namespace &&
            matchesLabelSelector(budget.spec.selector, metadata?.labels),
        )
      const isSpread =
        (spec.topologySpreadConstraints ?? []).length > 0 ||
        (spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0
      const lacks = [
        ...(replicas < 2 ? ['a second replica'] : []),
        ...(hasBudget ? [] : ['a PodDisruptionBudget']),
        ...(spec.priorityClassName === undefined ? ['a priority class'] : []),
        ...(isSpread ? [] : ['spread or anti-affinity']),
      ]
      return lacks.length === 0 ? [] : [{ object: objectName(deployment), lacks }]
    })
    return foundAny(
      problems.map(({ object }) => object),
      {
        seen: problems.map(({ object, lacks }) => `${object} lacks ${lacks.join(', ')}`).join('; '),
        remedy:
          'use the defaults of the chart: replicas 2, podDisruptionBudget, priorityClassName, topologySpreadConstraints',
      },
      'replicas, PodDisruptionBudget, priority class and topology spread are set',
    )
  },
}
