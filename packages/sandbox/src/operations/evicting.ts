import {
  formatTime,
  type KubeObject,
  type LabelSelector,
  matchesLabelSelector,
  type Pod,
  type PodDisruptionBudget,
  setOwnValue,
} from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import type { ApiState } from '../resources/api-state.ts'
import type { DeleteRequest } from '../resources/request.ts'
import type { Resource } from '../resources/resource.ts'
import { collectionKey } from '../store/collection.ts'
import { cloneObject, ensureObject, numberAt, objectAt } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import type { Deleting, Deletion } from './deleting.ts'
import type { Writing } from './writing.ts'

const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."
const MANY_BUDGETS = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
const LARGEST_DISRUPTED_PODS = 2000

/** Implements the eviction subresource: a deletion that PodDisruptionBudgets may refuse. */
export class Evicting {
  private readonly state: ApiState
  private readonly writing: Writing
  private readonly deleting: Deleting

  constructor(state: ApiState, writing: Writing, deleting: Deleting) {
    this.state = state
    this.writing = writing
    this.deleting = deleting
  }

  evict(namespace: string, name: string, request: DeleteRequest): Deletion {
    const pods = this.state.registry.of({ group: '', version: 'v1', plural: 'pods' })
    const pod = pods.collection.get(collectionKey(namespace, name)) as Pod | undefined
    if (pod === undefined) throw statusErrors.notFound(pods, name)
    if (!countsForBudgets(pod)) return this.deleting.delete(pods, namespace, name, request)
    const budget = this.budgetOf(pod)
    if (budget !== undefined && !needsNoBudget(pod, budget)) this.spend(budget, pod, request)
    this.markDisrupted(pods, pod, request)
    return this.deleting.delete(pods, namespace, name, request)
  }

  private budgetOf(pod: Pod): PodDisruptionBudget | undefined {
    const budgets = this.state.registry
      .of({ group: 'policy', version: 'v1', plural: 'poddisruptionbudgets' })
      .collection.list(pod.metadata.namespace)
      .filter((budget) =>
        matchesLabelSelector(
          (budget as PodDisruptionBudget).spec.selector as LabelSelector | undefined,
          pod.metadata.labels ?? {},
        ),
      )
    if (budgets.length > 1) throw new ApiError({ code: 500, reason: '', message: MANY_BUDGETS })
    return budgets[0] as PodDisruptionBudget | undefined
  }

  /** Uses up one of the disruptions that the budget allows. Throws 429 or 403 if the budget allows none. */
  private spend(budget: PodDisruptionBudget, pod: Pod, request: DeleteRequest): void {
    const budgets = this.state.registry.of({ group: 'policy', version: 'v1', plural: 'poddisruptionbudgets' })
    const name = budget.metadata.name
    const allowed = budget.status?.disruptionsAllowed ?? 0
    if ((budget.status?.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
      throw statusErrors.tooManyRequests(REFUSED, 10, [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${name} is still being processed by the server.`,
        },
      ])
    }
    if (allowed < 0) throw statusErrors.forbidden(budgets, name, 'pdb disruptions allowed is negative')
    const disrupted = objectAt(budget.status, 'disruptedPods') ?? {}
    if (Object.keys(disrupted).length > LARGEST_DISRUPTED_PODS) {
      throw statusErrors.forbidden(
        budgets,
        name,
        'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
      )
    }
    if (allowed === 0) {
      throw statusErrors.tooManyRequests(REFUSED, 0, [
        { reason: 'DisruptionBudget', message: budgetRefusal(budget, name) },
      ])
    }
    if (request.dryRun === true) return
    this.writing.update(
      budgets,
      budget.metadata.namespace,
      name,
      (before) => {
        const draft = cloneObject(before)
        const status = ensureObject(draft, 'status')
        status['disruptionsAllowed'] = (numberAt(status, 'disruptionsAllowed') ?? 0) - 1
        setOwnValue(ensureObject(status, 'disruptedPods'), pod.metadata.name, formatTime(this.state.clock.now()))
        return draft
      },
      { identity: request.identity },
      { subresource: 'status' },
    )
  }

  /** Sets the DisruptionTarget condition on the pod, with eviction as its reason. */
  private markDisrupted(pods: Resource, pod: Pod, request: DeleteRequest): void {
    if (request.dryRun === true) return
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
      lastTransitionTime: formatTime(this.state.clock.now()),
    }
    this.writing.update(
      pods,
      pod.metadata.namespace,
      pod.metadata.name,
      (before: KubeObject) => {
        const draft = cloneObject(before)
        const status = ensureObject(draft, 'status')
        const others = Array.isArray(status['conditions']) ? status['conditions'] : []
        status['conditions'] = [
          ...others.filter((other) => objectAt({ other }, 'other')?.['type'] !== 'DisruptionTarget'),
          condition,
        ]
        return draft
      },
      { identity: request.identity },
      { subresource: 'status' },
    )
  }
}

/** Returns whether PodDisruptionBudgets apply to the pod. They do not apply to pods that are pending, finished or being deleted. */
const countsForBudgets = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  pod.status?.phase !== undefined &&
  !['Succeeded', 'Failed', 'Pending'].includes(pod.status.phase)

const needsNoBudget = (pod: Pod, budget: PodDisruptionBudget): boolean => {
  const ready =
    pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true
  if (ready) return false
  if (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {}
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy
}

const budgetRefusal = (budget: PodDisruptionBudget, name: string): string => {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] } = budget.status ?? {}
  const allowed = conditions.find((condition) => condition.type === 'DisruptionAllowed')
  const why = allowed?.status === 'False' ? (allowed.message ?? '') : ''
  const refused = `The disruption budget ${name} does not allow evicting pods currently`
  if (why !== '' && allowed?.reason === 'SyncFailed') return `${refused} because it failed sync: ${why}`
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  }
  return why === '' ? refused : `${refused} (${allowed?.reason ?? ''}): ${why}`
}
