import { controllerOf, isActive, matchesLabelSelector, type Pod, type PodDisruptionBudget } from '@kerf/apis'

/** A percentage counts up, as Kubernetes rounds both fields. What is neither is refused by the API server. */
const amountOf = (value: string | number, total: number): number => {
  if (typeof value === 'number') return value
  const share = Number(value.endsWith('%') ? value.slice(0, -1) : value)
  return value.endsWith('%') ? Math.ceil((share * total) / 100) : share
}

/** Pods as a person writes them have no conditions; one with a node counts as running. */
const isHealthy = ({ spec, status }: Pod): boolean =>
  (spec.nodeName ?? '') !== '' &&
  (status?.conditions?.every(({ type, status: is }) => type !== 'Ready' || is === 'True') ?? true)

const namespaceOf = ({ metadata }: Pod | PodDisruptionBudget): string => metadata.namespace ?? 'default'

/**
 * The budget with the number of disruptions that it allows, worked out from the pods at hand where its status does not say: in files that a
 * person wrote, and after a change of the budget. The rules are those of the disruption controller of Kubernetes: a pod without a
 * controller counts only for a `minAvailable` that is a number.
 */
export const withAllowedDisruptions = (budget: PodDisruptionBudget, pods: readonly Pod[]): PodDisruptionBudget => {
  if (budget.status?.disruptionsAllowed !== undefined) return budget
  const { minAvailable, maxUnavailable, selector } = budget.spec
  const covered = pods.filter(
    (pod) =>
      isActive(pod) && namespaceOf(pod) === namespaceOf(budget) && matchesLabelSelector(selector, pod.metadata.labels),
  )
  const managed = covered.filter((pod) => controllerOf(pod) !== undefined).length
  const counted = typeof minAvailable === 'number' && maxUnavailable === undefined ? covered.length : managed
  const needed =
    maxUnavailable === undefined ? amountOf(minAvailable ?? 0, counted) : counted - amountOf(maxUnavailable, counted)
  const allowed = counted === 0 ? 0 : covered.filter(isHealthy).length - Math.max(0, needed)
  return { ...budget, status: { ...budget.status, disruptionsAllowed: Math.max(0, allowed) } }
}
