import {
  controllerOwner,
  formatTime,
  type KubeObject,
  kinds,
  type Milliseconds,
  type OwnerReference,
  ownValue,
  type Pod,
  type PodDisruptionBudget,
  ProblemError,
  parseTime,
  type ResourceKind,
  setOwnValue,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  retry,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { withCondition } from '../../objects/conditions.ts'
import { intOrPercent } from '../../objects/int-or-percent.ts'
import { selecting } from '../../objects/label-selector.ts'
import { isReady } from '../../objects/pod-state.ts'
import { same } from '../../objects/same.ts'
import { ownSource } from '../../objects/sources.ts'
import { Pace } from '../pace.ts'

/** How long after an eviction a pod counts as disrupted although it has not been deleted. */
const DELETION_TIMEOUT: Milliseconds = 2 * 60_000
const GAP = 50

const NAMESPACE_INDEX = 'sandbox.namespace'
const byNamespace = (object: KubeObject): string[] => [object.metadata.namespace ?? '']

/** Updates the status of PodDisruptionBudgets, which the eviction API reads. */
export class DisruptionBudgetController implements Controller {
  readonly name = 'disruption'
  readonly concurrency = 2
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #budgets: Informer<PodDisruptionBudget>
  readonly #pods: Informer<Pod>
  readonly #pace: Pace

  constructor(context: ClusterContext) {
    this.#context = context
    this.#budgets = context.informers.of(kinds.PodDisruptionBudget)
    this.#budgets.index(NAMESPACE_INDEX, byNamespace)
    this.#pods = context.informers.of(kinds.Pod)
    this.#pods.index(NAMESPACE_INDEX, byNamespace)
    this.#pace = new Pace(context.clock, GAP)
    const owners: readonly ResourceKind[] = [
      kinds.Deployment,
      kinds.ReplicaSet,
      kinds.StatefulSet,
      kinds.ReplicationController,
    ]
    this.sources = [
      ownSource(context, kinds.PodDisruptionBudget),
      source(this.#pods, ({ before, after }) => {
        const namespace = (after ?? before)?.metadata.namespace ?? ''
        return this.#budgets
          .by(NAMESPACE_INDEX, namespace)
          .filter(({ spec }) => {
            const isSelected = selecting(spec.selector)
            return [before, after].some((pod) => isSelected(pod?.metadata.labels))
          })
          .map(informerKey)
      }),
      // If a budget is a percentage, scaling the pods' controller changes the number of disruptions that it allows.
      ...owners.map((kind) =>
        source(context.informers.of(kind), ({ before, after }) => {
          const namespace = (after ?? before)?.metadata.namespace ?? ''
          return before?.metadata.generation === after?.metadata.generation
            ? []
            : this.#budgets.by(NAMESPACE_INDEX, namespace).map(informerKey)
        }),
      ),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const budget = this.#budgets.get(key)
    if (budget === undefined) {
      this.#pace.forget(key)
      return done()
    }
    const wait = this.#pace.take(key)
    if (wait > 0) return retryAfter(wait)
    const isSelected = selecting(budget.spec.selector)
    const pods = this.#pods
      .by(NAMESPACE_INDEX, budget.metadata.namespace ?? '')
      .filter((pod) => isSelected(pod.metadata.labels))
    const now = this.#context.clock.now()
    const disrupted = this.#disrupted(budget, pods, now)
    const status = await this.#status(budget, pods, disrupted.pods, now)
    const outcome = disrupted.recheck === undefined ? done() : retryAfter(disrupted.recheck)
    if (same(status, budget.status)) return outcome
    try {
      // The eviction API writes the same status. If the two writes conflict, this controller must recompute the status.
      const object = { ...budget, status }
      await this.#context.client.update(kinds.PodDisruptionBudget, object, { subresource: 'status' })
    } catch (error) {
      if (isConflict(error)) return retry()
      if (!isNotFound(error)) throw error
    }
    return outcome
  }

  #disrupted(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    now: Milliseconds,
  ): { readonly pods: Readonly<Record<string, string>>; readonly recheck: Milliseconds | undefined } {
    const present = budget.status?.disruptedPods ?? {}
    const kept: Record<string, string> = {}
    let recheck: Milliseconds | undefined
    for (const pod of pods) {
      const name = pod.metadata.name
      const text = ownValue(present, name)
      const ends = (parseTime(text) ?? Number.NEGATIVE_INFINITY) + DELETION_TIMEOUT
      if (text === undefined || pod.metadata.deletionTimestamp !== undefined || ends < now) continue
      setOwnValue(kept, name, text)
      recheck = Math.min(recheck ?? Number.POSITIVE_INFINITY, ends - now + 1)
    }
    return { pods: kept, recheck }
  }

  async #status(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    disruptedPods: Readonly<Record<string, string>>,
    now: Milliseconds,
  ): Promise<NonNullable<PodDisruptionBudget['status']>> {
    const currentHealthy = pods.filter(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined &&
        ownValue(disruptedPods, pod.metadata.name) === undefined &&
        isReady(pod),
    ).length
    const { minAvailable, maxUnavailable } = budget.spec
    let expectedPods = 0
    let desiredHealthy = 0
    try {
      if (maxUnavailable !== undefined) {
        expectedPods = await this.#expectedScale(budget, pods)
        desiredHealthy = Math.max(0, expectedPods - intOrPercent(maxUnavailable, expectedPods, 'up', 0))
      } else if (typeof minAvailable === 'number') {
        desiredHealthy = minAvailable
        expectedPods = pods.length
      } else if (minAvailable !== undefined) {
        expectedPods = await this.#expectedScale(budget, pods)
        desiredHealthy = intOrPercent(minAvailable, expectedPods, 'up', 0)
      }
    } catch (error) {
      return this.#failed(budget, error instanceof Error ? error.message : String(error), now)
    }
    const allowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy)
    const condition = {
      type: 'DisruptionAllowed',
      status: allowed > 0 ? 'True' : 'False',
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
      observedGeneration: budget.metadata.generation ?? 0,
      lastTransitionTime: formatTime(now),
    } as const
    return {
      currentHealthy,
      desiredHealthy,
      expectedPods,
      disruptionsAllowed: allowed,
      ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
      observedGeneration: budget.metadata.generation ?? 0,
      conditions: withCondition(budget.status?.conditions, condition),
    }
  }

  /** Returns the status of a budget that cannot be computed. It allows no disruptions. */
  #failed(budget: PodDisruptionBudget, message: string, now: Milliseconds): NonNullable<PodDisruptionBudget['status']> {
    const condition = {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'SyncFailed',
      message,
      observedGeneration: budget.metadata.generation ?? 0,
      lastTransitionTime: formatTime(now),
    } as const
    return {
      ...budget.status,
      disruptionsAllowed: 0,
      observedGeneration: budget.metadata.generation ?? 0,
      conditions: withCondition(budget.status?.conditions, condition),
    }
  }

  /**
   * Returns the total of the desired replicas of the pods' controllers. Each controller counts once. Pods without a controller are ignored.
   */
  async #expectedScale(budget: PodDisruptionBudget, pods: readonly Pod[]): Promise<number> {
    const scales = new Map<string, number>()
    let unmanaged = false
    for (const pod of pods) {
      const owner = controllerOwner(pod)
      if (owner === undefined) unmanaged = true
      else if (!scales.has(owner.uid)) {
        const scale = await this.#scaleOf(owner, pod)
        scales.set(scale.uid, scale.replicas)
        scales.set(owner.uid, scale.uid === owner.uid ? scale.replicas : 0)
      }
    }
    if (unmanaged) {
      const message =
        'Pods selected by this PodDisruptionBudget were found to be unmanaged. As a result, the status of the PDB ' +
        'cannot be calculated correctly, which may result in undefined behavior. To account for these pods please ' +
        'set ".spec.minAvailable" field of the PDB to an integer value.'
      this.#context.events.publish({ object: budget, type: 'Warning', reason: 'UnmanagedPods', message })
    }
    return scales.values().reduce((sum, replicas) => sum + replicas, 0)
  }

  async #scaleOf(owner: OwnerReference, pod: Pod): Promise<{ readonly uid: string; readonly replicas: number }> {
    const { informers } = this.#context
    const key = `${pod.metadata.namespace ?? ''}/${owner.name}`
    switch (owner.kind) {
      case 'ReplicaSet': {
        const set = informers.of(kinds.ReplicaSet).get(key)
        const parent = set === undefined ? undefined : controllerOwner(set)
        if (parent?.kind === 'Deployment') {
          const deployment = informers.of(kinds.Deployment).get(`${pod.metadata.namespace ?? ''}/${parent.name}`)
          if (deployment?.metadata.uid === parent.uid) {
            return { uid: parent.uid, replicas: deployment.spec.replicas ?? 1 }
          }
        }
        if (set !== undefined) return { uid: owner.uid, replicas: set.spec.replicas ?? 1 }
        break
      }
      case 'StatefulSet': {
        const set = informers.of(kinds.StatefulSet).get(key)
        if (set !== undefined) return { uid: owner.uid, replicas: set.spec.replicas ?? 1 }
        break
      }
      case 'ReplicationController': {
        const controller = informers.of(kinds.ReplicationController).get(key)
        if (controller !== undefined) return { uid: owner.uid, replicas: controller.spec.replicas ?? 1 }
        break
      }
      default:
        throw new ProblemError(
          `${owner.kind}.${owner.apiVersion.split('/')[0] ?? ''} does not implement the scale subresource`,
        )
    }
    throw new ProblemError(`found no controllers for pod "${pod.metadata.name}"`)
  }
}
