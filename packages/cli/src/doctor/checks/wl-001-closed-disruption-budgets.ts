import { kinds, matchesLabelSelector } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const wl001: Check = {
  id: 'WL-001',
  group: 'workloads',
  severity: 'warning',
  title: 'PodDisruptionBudgets that never allow an eviction',
  why: 'A PodDisruptionBudget that allows no eviction although all its pods are healthy blocks their nodes forever: no consolidation, no image update, no drain. If two budgets select one pod, the API server rejects every eviction.',
  reads: ['PodDisruptionBudget', 'Pod'],
  examine({ objects, pods }) {
    const budgets = objects.of(kinds.PodDisruptionBudget)
    const budgetPods = (budget: (typeof budgets)[number]) =>
      pods.filter(
        ({ metadata }) =>
          metadata.namespace === budget.metadata.namespace &&
          matchesLabelSelector(budget.spec.selector, metadata.labels),
      )
    const closed = budgets.filter(({ status }) => {
      const { disruptionsAllowed, expectedPods = 0, currentHealthy = 0 } = status ?? {}
      return disruptionsAllowed === 0 && expectedPods > 0 && currentHealthy >= expectedPods
    })
    const covered = new Map<string, string[]>()
    for (const budget of budgets)
      for (const pod of budgetPods(budget))
        covered.set(objectName(pod), [...(covered.get(objectName(pod)) ?? []), objectName(budget)])
    const double = new Set([...covered.values()].filter((each) => each.length > 1).flat())
    const names = [...new Set([...closed.map(objectName), ...double])]
    const said = [
      ...(closed.length === 0 ? [] : ['all pods are healthy, and no eviction is allowed']),
      ...(double.size === 0 ? [] : ['several of them select the same pods, so the API server rejects every eviction']),
    ]
    return foundAny(
      names,
      {
        seen: said.join('; '),
        remedy: 'allow one eviction (maxUnavailable: 1, or one more replica), and use one PodDisruptionBudget per pod',
      },
      'each PodDisruptionBudget of healthy pods allows an eviction',
    )
  },
}
