import { controllerOwner, matchesLabelSelector, type Pod, type PodDisruptionBudget } from '@kerf/apis'
import type { AutoscalerOptions } from './options.ts'

/** Why a pod blocks the removal of its node, in Cluster Autoscaler's words. */
type BlockReason =
  | 'ControllerNotFound'
  | 'NotReplicated'
  | 'LocalStorageRequested'
  | 'NotSafeToEvictAnnotation'
  | 'UnmovableKubeSystemPod'
  | 'NotEnoughPdb'

const SAFE = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
const SAFE_VOLUMES = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes'
const MIRROR = 'kubernetes.io/config.mirror'
const KNOWN_OWNERS = new Set(['ReplicationController', 'Job', 'ReplicaSet', 'StatefulSet'])

export const isDaemonPod = (pod: Pod): boolean => controllerOwner(pod)?.kind === 'DaemonSet'
export const isMirrorPod = ({ metadata }: Pod): boolean => metadata.annotations?.[MIRROR] !== undefined

const localVolumes = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const { name, emptyDir, hostPath } = volume as {
      readonly name: string
      readonly emptyDir?: { readonly medium?: string }
      readonly hostPath?: unknown
    }
    return (emptyDir !== undefined && emptyDir.medium !== 'Memory') || hostPath !== undefined ? [name] : []
  })

/** Tracks how many disruptions each PodDisruptionBudget still allows while Cluster Autoscaler plans a scale-down. */
export class BudgetAllowance {
  readonly #left = new Map<PodDisruptionBudget, number>()

  constructor(budgets: readonly PodDisruptionBudget[]) {
    for (const budget of budgets) this.#left.set(budget, budget.status?.disruptionsAllowed ?? 0)
  }

  covers(pod: Pod): boolean {
    return this.#of(pod).length > 0
  }

  allows(pod: Pod): boolean {
    return this.#of(pod).every((budget) => (this.#left.get(budget) ?? 0) > 0)
  }

  use(pod: Pod): void {
    for (const budget of this.#of(pod)) this.#left.set(budget, (this.#left.get(budget) ?? 0) - 1)
  }

  #of(pod: Pod): readonly PodDisruptionBudget[] {
    return [...this.#left.keys()].filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.metadata.namespace && matchesLabelSelector(spec.selector, pod.metadata.labels),
    )
  }
}

type Verdict = 'stays out' | 'moves' | 'waits' | BlockReason

/** Returns the verdict of the first rule that applies (`docs/spec/coexistence.md#drain-rules`). */
const podVerdict = (pod: Pod, budgets: BudgetAllowance, options: AutoscalerOptions): Verdict => {
  if (isMirrorPod(pod)) return 'stays out'
  if (isDaemonPod(pod)) return 'stays out'
  const safe = pod.metadata.annotations?.[SAFE]
  if (safe === 'true') return 'moves'
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return 'stays out'
  if (safe === 'on-completion') return 'waits'
  const owner = controllerOwner(pod)
  if (owner === undefined || !KNOWN_OWNERS.has(owner.kind)) return 'NotReplicated'
  if (options.skipSystemPods && pod.metadata.namespace === 'kube-system' && !budgets.covers(pod))
    return 'UnmovableKubeSystemPod'
  if (safe === 'false') return 'NotSafeToEvictAnnotation'
  const lifted = new Set((pod.metadata.annotations?.[SAFE_VOLUMES] ?? '').split(','))
  if (options.skipLocalStorage && localVolumes(pod).some((name) => !lifted.has(name))) return 'LocalStorageRequested'
  if (!budgets.allows(pod)) return 'NotEnoughPdb'
  return 'moves'
}

export interface NodePods {
  readonly moving: readonly Pod[]
  readonly blocked?: { readonly pod: Pod; readonly reason: BlockReason }
  /** Whether the node has pods that must run to completion first. */
  readonly hasWaiting: boolean
}

/** Returns which pods must move before Cluster Autoscaler can remove a node, and which pod blocks the removal, if there is one. */
export const podsToMove = (pods: readonly Pod[], budgets: BudgetAllowance, options: AutoscalerOptions): NodePods => {
  const moving: Pod[] = []
  let hasWaiting = false
  for (const pod of pods) {
    const verdict = podVerdict(pod, budgets, options)
    if (verdict === 'moves') moving.push(pod)
    else if (verdict === 'waits') hasWaiting = true
    else if (verdict !== 'stays out') return { moving, hasWaiting, blocked: { pod, reason: verdict } }
  }
  return { moving, hasWaiting }
}
