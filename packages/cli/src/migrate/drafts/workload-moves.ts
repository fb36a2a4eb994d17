import {
  type KubeObject,
  kinds,
  type LabelVocabulary,
  matchesLabelSelector,
  type NodePool,
  type PodDisruptionBudget,
  type PodSpec,
} from '@kerf/apis'
import type { FieldConversion, Question } from '@kerf/provider-contract'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { SAFE_TO_EVICT, SCALE_UP_DELAY } from '../../doctor/cluster-autoscaler-annotations.ts'
import { missingLabels } from '../../doctor/missing-labels.ts'
import type { ObjectsByKind } from '../../doctor/objects-by-kind.ts'
import { Serving, type TypesOf } from '../../doctor/serving.ts'
import { nameOfWorkload, type Workload } from '../../doctor/workload.ts'
import { isCronJob, workloadSelector } from '../../workloads/workload.ts'
import { type MovedPlaces, movedPlaces, type PlaceContext, withPlaces } from './moved-places.ts'
import { plannedRollout, type Rollout } from './rollout.ts'
import { SIDE_TAINT, SIDE_TOLERATION } from './side.ts'

const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt'
/**
 * How long Cluster Autoscaler ignores moved pods. If Kerf adds no node in this time, Kerf is probably down, and Cluster Autoscaler takes
 * over.
 */
const DELAY = '10m'

/** How one workload moves to the NodePools. */
export interface WorkloadMove {
  readonly workload: Workload
  /** The workload object that the plan and the patches refer to. */
  readonly object: KubeObject
  /** JSON merge patch for the object. */
  readonly patch: Readonly<Record<string, unknown>>
  readonly rollout: Rollout
  /** Names of the NodePools that can run the workload. */
  readonly pools: readonly string[]
  /** The workload's share of the total cost of the workloads that move (0 to 1). */
  readonly share: number
  /** Whether the workload is a Deployment without PersistentVolumeClaims, so that only its pods have to move. */
  readonly isStateless: boolean
}

export interface WorkloadMoves {
  readonly moves: readonly WorkloadMove[]
  /** PodDisruptionBudgets to create because the workload has none. */
  readonly budgets: readonly KubeObject[]
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

type Template = { readonly metadata?: KubeObject['metadata'] | undefined; readonly spec: PodSpec }

/**
 * Returns the annotations for the moved pods: the scale-up delay, and Karpenter's do-not-disrupt annotation for pods that Cluster
 * Autoscaler must not evict.
 */
const annotationsFor = ({ metadata }: Template): Readonly<Record<string, string>> => {
  const safe = metadata?.annotations?.[SAFE_TO_EVICT]
  const protects = safe === 'false' || safe === 'on-completion'
  return {
    [SCALE_UP_DELAY]: DELAY,
    ...(protects && metadata?.annotations?.[DO_NOT_DISRUPT] === undefined ? { [DO_NOT_DISRUPT]: 'true' } : {}),
  }
}

const requiredTerms = (spec: PodSpec) =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []

const podLabels = ({ pod }: Workload) => pod.metadata.labels

const isStateless = ({ kind, pod }: Workload): boolean =>
  kind === 'Deployment' && !(pod.spec.volumes ?? []).some((volume) => 'persistentVolumeClaim' in volume)

/** Namespaces whose workloads stay on the node group that is kept (`docs/spec/coexistence.md#where-the-controller-runs`). */
const SYSTEM = new Set(['kube-system', 'kube-public', 'kube-node-lease'])

interface MoveContext extends PlaceContext {
  readonly pools: readonly NodePool[]
  readonly typesOf: TypesOf
  readonly vocabulary: LabelVocabulary
  /** Returns the kept node group whose labels the pod selects. */
  readonly keptFor: (spec: PodSpec) => string | undefined
  readonly objects: ObjectsByKind
  /**
   * Returns the hourly cost of the workload's pods on the cheapest of the pools, in USD. A pod that requests half of a node's CPU and a
   * tenth of its memory counts as half a node.
   */
  readonly movingCost: (workload: Workload, pools: readonly string[]) => number
}

const movePatch = (
  workload: Workload,
  annotations: Readonly<Record<string, string>>,
  { nodeSelector, affinity }: MovedPlaces,
  { during }: Rollout,
): Readonly<Record<string, unknown>> => {
  const tolerations = [
    ...(workload.pod.spec.tolerations ?? []).filter(({ key }) => key !== SIDE_TAINT.key),
    SIDE_TOLERATION,
  ]
  const template = {
    template: {
      metadata: { annotations },
      spec: { nodeSelector, ...(affinity === undefined ? {} : { affinity }), tolerations },
    },
  }
  if (workload.object !== undefined && isCronJob(workload.object)) return { spec: { jobTemplate: { spec: template } } }
  return { spec: { ...during, ...template } }
}

/** Returns why a workload is not moved. Returns undefined if it can be moved. */
const whyNotMoved = ({
  kind,
  namespace,
  object,
}: Workload): { readonly because: string; readonly asks?: boolean } | undefined => {
  if (SYSTEM.has(namespace)) return { because: 'it belongs to the cluster itself: it stays on the fixed group' }
  if (kind === 'Job')
    return {
      because:
        'the template of a Job cannot be changed: the Job ends where it runs, and the next Job moves with its CronJob or manifest',
    }
  if (kind === 'Pod')
    return {
      because: 'nothing would create the pod again: delete it, and create it with the toleration and the selector',
      asks: true,
    }
  if (object === undefined) return { because: `the ${kind} itself is not among the objects, only its pods`, asks: true }
  return undefined
}

const budgetFor = (workload: Workload): KubeObject | undefined => {
  const selector = workload.object === undefined ? undefined : workloadSelector(workload.object)
  if (selector === undefined || workload.replicas < 2) return undefined
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `${workload.name}-migration`, namespace: workload.namespace },
    spec: { selector, maxUnavailable: 1 },
  }
  return budget
}

/** Returns the kept group if the pods select only kept groups. In that case, the pods stay on its nodes. */
const onlyKeptGroup = (spec: PodSpec, { groupNamed, poolByGroup }: MoveContext): string | undefined => {
  const keptOnly = (names: readonly (readonly [string, string])[]): string | undefined => {
    const groups = names.flatMap(([key, value]) => groupNamed(key, value) ?? [])
    return groups.length > 0 && groups.every((group) => !poolByGroup.has(group)) ? groups[0] : undefined
  }
  for (const entry of Object.entries(spec.nodeSelector ?? {})) {
    const group = keptOnly([entry])
    if (group !== undefined) return group
  }
  const perTerm = requiredTerms(spec).map(({ matchExpressions = [] }) =>
    matchExpressions
      .filter(({ operator }) => operator === 'In')
      .map(({ key, values = [] }) => keptOnly(values.map((value) => [key, value] as const)))
      .find((group) => group !== undefined),
  )
  return perTerm.length > 0 && perTerm.every((group) => group !== undefined) ? perTerm[0] : undefined
}

/** Returns how the workloads of the cluster move to the NodePools, and which workloads cannot move. */
export const workloadMoves = (workloads: readonly Workload[], context: MoveContext): WorkloadMoves => {
  const conversions: FieldConversion[] = []
  const questions: Question[] = []
  const moves: Omit<WorkloadMove, 'pools' | 'share'>[] = []
  const budgets: KubeObject[] = []
  const known = context.objects.of(kinds.PodDisruptionBudget)
  for (const workload of workloads) {
    const name = nameOfWorkload(workload)
    const why = whyNotMoved(workload)
    if (why !== undefined) {
      conversions.push(fieldConversion(name, 'workload', { because: why.because }))
      if (why.asks === true) questions.push({ object: name, message: why.because })
      continue
    }
    const { object } = workload
    if (object === undefined) continue
    const stays = onlyKeptGroup(workload.pod.spec, context)
    if (stays !== undefined) {
      conversions.push(
        fieldConversion(name, 'workload', {
          because: `it selects the node group ${stays}, which is kept: it stays there`,
        }),
      )
      continue
    }
    const isCovered = known.some(
      ({ metadata, spec }) =>
        (metadata.namespace ?? 'default') === workload.namespace &&
        matchesLabelSelector(spec.selector, podLabels(workload)),
    )
    const budget = isCovered ? undefined : budgetFor(workload)
    if (budget !== undefined) budgets.push(budget)
    const places = movedPlaces(name, workload.pod.spec, context)
    const rollout = plannedRollout(workload, context.objects)
    conversions.push(...places.conversions, ...rollout.conversions)
    const safe = workload.pod.metadata.annotations?.[SAFE_TO_EVICT]
    if (safe !== undefined)
      conversions.push(
        fieldConversion(
          name,
          `annotation ${SAFE_TO_EVICT}=${safe}`,
          safe === 'true'
            ? { because: 'Karpenter protects nothing without an annotation, so nothing has to be changed' }
            : {
                to: `annotation ${DO_NOT_DISRUPT}`,
                ...(safe === 'on-completion'
                  ? { because: 'it also keeps a node whose pod would have ended soon' }
                  : {}),
              },
        ),
      )
    moves.push({
      workload,
      object,
      patch: movePatch(workload, annotationsFor(workload.pod), places, rollout),
      rollout,
      isStateless: isStateless(workload),
    })
  }
  const moved = moves.map(({ workload }): Workload => {
    const { pod } = workload
    const spec = withPlaces(pod.spec, movedPlaces('', pod.spec, context))
    return {
      ...workload,
      pod: { ...pod, spec: { ...spec, tolerations: [...(spec.tolerations ?? []), SIDE_TOLERATION] } },
    }
  })
  const serving = new Serving(moved, context.pools, [], context.typesOf, context.vocabulary)
  const served = moves.map((move) => ({ ...move, pools: serving.poolsFor(move.workload) }))
  for (const [index, { workload, pools }] of served.entries())
    if (pools.length === 0) {
      const name = nameOfWorkload(workload)
      const kept = context.keptFor(workload.pod.spec)
      if (kept !== undefined) {
        conversions.push(
          fieldConversion(name, 'workload', {
            because: `only the node group ${kept}, which is kept, satisfies its constraints: it stays there`,
          }),
        )
        continue
      }
      conversions.push(
        fieldConversion(name, 'workload', { because: 'no NodePool could run its pods: it stays on its node group' }),
      )
      const missing = missingLabels(moved[index] ?? workload, context)
      questions.push({
        object: name,
        message:
          missing.length === 0
            ? 'no NodePool could run its pods: kerf explain pod says why, after its node group is clear'
            : `no NodePool could run its pods, because none has a node with ${missing.join(' or with ')}: change the constraints of the workload, or keep its node group with --keep`,
      })
    }
  const able = served.filter(({ pools }) => pools.length > 0)
  const costs = able.map(({ workload, pools }) => context.movingCost(workload, pools))
  const total = costs.reduce((sum, cost) => sum + cost, 0)
  return {
    moves: able.map((move, index) => ({ ...move, share: total === 0 ? 0 : (costs[index] ?? 0) / total })),
    budgets,
    conversions,
    questions,
  }
}
