import type { KubeObject } from '@kerf/apis'
import { isCronJob, isJob, jobSpec, objectNamespace, type ReplicatedWorkload, type Workload } from './workload.ts'

/** The number of replicas to use if a HorizontalPodAutoscaler allows several. */
export type ReplicaChoice = 'min' | 'max' | 'current'

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string }
    readonly minReplicas?: number
    readonly maxReplicas: number
  }
  readonly status?: { readonly desiredReplicas?: number }
}

/** The total number of pods that a workload needs, and the reason if it is 0. */
export type DesiredPods =
  | { readonly count: number; readonly none?: undefined; readonly range?: ReplicaRange }
  | { readonly count: 0; readonly none: 'has 0 replicas' | 'is suspended' | 'is finished' }

/** The replicas that a HorizontalPodAutoscaler allows. */
export interface ReplicaRange {
  readonly min: number
  readonly max: number
  readonly autoscaler: HorizontalPodAutoscaler
}

export const isAutoscaler = (object: KubeObject): object is HorizontalPodAutoscaler =>
  object.kind === 'HorizontalPodAutoscaler' &&
  object.apiVersion.startsWith('autoscaling/') &&
  (object as Partial<HorizontalPodAutoscaler>).spec?.scaleTargetRef !== undefined

const amount = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : otherwise

const isTrue = (conditions: unknown, type: string): boolean =>
  Array.isArray(conditions) && conditions.some((each) => each?.type === type && each?.status === 'True')

const ofReplicas = (
  workload: ReplicatedWorkload,
  choice: ReplicaChoice,
  autoscaler: HorizontalPodAutoscaler | undefined,
): DesiredPods => {
  const written = amount(workload.spec.replicas, 1)
  // Replicas of 0 disable a HorizontalPodAutoscaler.
  if (written === 0) return { count: 0, none: 'has 0 replicas' }
  if (autoscaler === undefined) return { count: written }
  const min = amount(autoscaler.spec.minReplicas, 1)
  const max = Math.max(min, amount(autoscaler.spec.maxReplicas, min))
  const range = { min, max, autoscaler }
  if (choice !== 'current') return { count: choice === 'min' ? min : max, range }
  const wanted = amount(autoscaler.status?.desiredReplicas, 0)
  return { count: Math.min(max, Math.max(min, wanted === 0 ? written : wanted)), range }
}

/**
 * Returns how many pods of a workload run at the same time: its replicas, the remaining parallelism of a Job, or the pods of one run of a
 * CronJob.
 */
export const desiredPods = (
  workload: Workload,
  choice: ReplicaChoice,
  autoscalers: readonly HorizontalPodAutoscaler[],
): DesiredPods => {
  if (!isJob(workload) && !isCronJob(workload)) {
    const autoscaler = autoscalers.find(
      (each) =>
        objectNamespace(each) === objectNamespace(workload) &&
        each.spec.scaleTargetRef.kind === workload.kind &&
        each.spec.scaleTargetRef.name === workload.metadata.name,
    )
    return ofReplicas(workload, choice, autoscaler)
  }
  const { parallelism, completions, suspend } = jobSpec(workload)
  if (suspend === true || workload.spec.suspend === true) return { count: 0, none: 'is suspended' }
  const status = isJob(workload) ? workload.status : undefined
  if (isTrue(status?.conditions, 'Complete') || isTrue(status?.conditions, 'Failed'))
    return { count: 0, none: 'is finished' }
  const succeeded = amount(status?.succeeded, 0)
  const atOnce = amount(parallelism, 1)
  if (completions === undefined || completions === null)
    return succeeded > 0 ? { count: 0, none: 'is finished' } : { count: atOnce }
  return { count: Math.max(0, Math.min(atOnce, amount(completions, 1) - succeeded)) }
}
