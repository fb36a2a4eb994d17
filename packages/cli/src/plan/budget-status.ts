import { controllerOwner, isActive, matchesLabelSelector, type Pod, type PodDisruptionBudget } from '@kerf/apis'

/**
 * Returns the number of pods that the value stands for. A percentage is rounded up, as Kubernetes does for `minAvailable` and
 * `maxUnavailable`. The API server refuses all other strings.
 */
const podAmount = (value: string | number, total: number): number => {
  if (typeof value === 'number') return value
  const share = Number(value.endsWith('%') ? value.slice(0, -1) : value)
  return value.endsWith('%') ? Math.ceil((share * total) / 100) : share
}

/** A pod from a hand-written file has no conditions; it counts as healthy if it has a node. */
const isHealthy = ({ spec, status }: Pod): boolean =>
  (spec.nodeName ?? '') !== '' &&
  (status?.conditions?.every(({ type, status: is }) => type !== 'Ready' || is === 'True') ?? true)

const objectNamespace = ({ metadata }: Pod | PodDisruptionBudget): string => metadata.namespace ?? 'default'

/**
 * Returns the budget with the number of disruptions that it allows. Hand-written files and budgets that have just changed have no such
 * number in their status. In that case, it is computed from the pods with the rules of Kubernetes' disruption controller. Pods without a
 * controller count only if `minAvailable` is a number.
 */
export const withAllowedDisruptions = (budget: PodDisruptionBudget, pods: readonly Pod[]): PodDisruptionBudget => {
  if (budget.status?.disruptionsAllowed !== undefined) return budget
  const { minAvailable, maxUnavailable, selector } = budget.spec
  const covered = pods.filter(
    (pod) =>
      isActive(pod) &&
      objectNamespace(pod) === objectNamespace(budget) &&
      matchesLabelSelector(selector, pod.metadata.labels),
  )
  const managed = covered.filter((pod) => controllerOwner(pod) !== undefined).length
  const counted = typeof minAvailable === 'number' && maxUnavailable === undefined ? covered.length : managed
  const needed =
    maxUnavailable === undefined ? podAmount(minAvailable ?? 0, counted) : counted - podAmount(maxUnavailable, counted)
  const allowed = counted === 0 ? 0 : covered.filter(isHealthy).length - Math.max(0, needed)
  return { ...budget, status: { ...budget.status, disruptionsAllowed: Math.max(0, allowed) } }
}
