import {
  type KubeObject,
  kinds,
  type LabelVocabulary,
  matchesLabelSelector,
  type NodePool,
  type PodDisruptionBudget,
  type PodSpec,
  setOwnValue,
} from '@kerf/apis'
import { SAFE_TO_EVICT, SCALE_UP_DELAY } from '../../doctor/cluster-autoscaler-annotations.ts'
import type { ObjectsByKind } from '../../doctor/objects-by-kind.ts'
import { Serving, type TypesOf } from '../../doctor/serving.ts'
import { nameOfWorkload, type Workload } from '../../doctor/workload.ts'
import { isCronJob, selectorOf } from '../../workloads/workload.ts'
import { type Fate, fateOf } from '../groups/fate.ts'
import type { Question } from '../groups/source-group.ts'
import { GROUP_LABEL, SIDE_LABEL, SIDE_TAINT, SIDE_TOLERATION } from './side.ts'

const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt'
/** Long enough that Cluster Autoscaler is only the net below; 10 min without an answer of Kerf mean that it is down. */
const DELAY = '10m'

/** How one workload moves to the pools. */
export interface WorkloadMove {
  readonly workload: Workload
  /** The workload itself, so that the plan and the patches name the same object. */
  readonly object: KubeObject
  /** A JSON merge patch of it. */
  readonly patch: Readonly<Record<string, unknown>>
  /** NodePools that can run it, by name. */
  readonly pools: readonly string[]
  /** Its share of what all workloads that move cost, 0 to 1. */
  readonly share: number
  /** Whether nothing but pods has to move: no volumes, no order, no name. */
  readonly isStateless: boolean
}

export interface WorkloadMoves {
  readonly moves: readonly WorkloadMove[]
  /** PodDisruptionBudgets that are missing. */
  readonly budgets: readonly KubeObject[]
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

/** Which group a value of a group's label means. */
export type GroupOfLabel = (key: string, value: string) => string | undefined

type Template = { readonly metadata?: KubeObject['metadata'] | undefined; readonly spec: PodSpec }

/** Annotations that the moved pods get: Cluster Autoscaler's protection in Karpenter's words, and the delay. */
const annotationsFor = ({ metadata }: Template): Readonly<Record<string, string>> => {
  const safe = metadata?.annotations?.[SAFE_TO_EVICT]
  const protects = safe === 'false' || safe === 'on-completion'
  return {
    [SCALE_UP_DELAY]: DELAY,
    ...(protects && metadata?.annotations?.[DO_NOT_DISRUPT] === undefined ? { [DO_NOT_DISRUPT]: 'true' } : {}),
  }
}

/** The node selector of the moved pods as a merge patch: group labels go, the side comes. */
const selectorFor = (
  spec: PodSpec,
  groupOf: GroupOfLabel,
  poolOf: ReadonlyMap<string, string>,
): Readonly<Record<string, string | null>> => {
  const changed: Record<string, string | null> = { [SIDE_LABEL.key]: SIDE_LABEL.value }
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    const group = groupOf(key, value)
    if (group === undefined) continue
    setOwnValue(changed, key, null)
    changed[GROUP_LABEL] = poolOf.get(group) ?? group
  }
  return changed
}

const applySelector = (spec: PodSpec, patch: Readonly<Record<string, string | null>>): Record<string, string> => {
  const result: Record<string, string> = { ...spec.nodeSelector }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else setOwnValue(result, key, value)
  }
  return result
}

const termsOf = (spec: PodSpec) =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []

const podLabelsOf = ({ pod }: Workload) => pod.metadata.labels

const isStateless = ({ kind, pod }: Workload): boolean =>
  kind === 'Deployment' && !(pod.spec.volumes ?? []).some((volume) => 'persistentVolumeClaim' in volume)

/** Namespaces whose workloads stay on the fixed group (`docs/spec/coexistence.md#where-the-controller-runs`). */
const SYSTEM = new Set(['kube-system', 'kube-public', 'kube-node-lease'])

interface MoveContext {
  readonly pools: readonly NodePool[]
  readonly typesOf: TypesOf
  readonly vocabulary: LabelVocabulary
  readonly groupOf: GroupOfLabel
  /** NodePools by the group they take the place of. */
  readonly poolOf: ReadonlyMap<string, string>
  /** The node group that stays and has what the pod selects. */
  readonly keptFor: (spec: PodSpec) => string | undefined
  readonly objects: ObjectsByKind
  /** What its pods cost an hour on the cheapest of the pools, as nodes are filled by what they ask for. */
  readonly costOf: (workload: Workload, pools: readonly string[]) => number
}

const patchOf = (
  workload: Workload,
  annotations: Readonly<Record<string, string>>,
  nodeSelector: Readonly<Record<string, string | null>>,
): Readonly<Record<string, unknown>> => {
  const tolerations = [
    ...(workload.pod.spec.tolerations ?? []).filter(({ key }) => key !== SIDE_TAINT.key),
    SIDE_TOLERATION,
  ]
  const template = { template: { metadata: { annotations }, spec: { nodeSelector, tolerations } } }
  if (workload.object !== undefined && isCronJob(workload.object)) return { spec: { jobTemplate: { spec: template } } }
  // A rollout is no eviction: PodDisruptionBudgets do not guard it, so no pod may be missing while it runs.
  const strategy =
    workload.kind === 'Deployment'
      ? { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } } }
      : {}
  return { spec: { ...strategy, ...template } }
}

/** Why a workload is not moved; undefined for one that can be. */
const whyNotMoved = ({
  kind,
  namespace,
  object,
}: Workload): { readonly because: string; readonly asks?: boolean } | undefined => {
  if (SYSTEM.has(namespace)) return { because: 'it belongs to the cluster itself: it stays on the fixed group' }
  if (kind === 'Job')
    return {
      because:
        'the template of a Job cannot be changed: it ends where it runs, and the next one moves with its CronJob or manifest',
    }
  if (kind === 'Pod')
    return {
      because: 'nothing would make the pod again: delete it and create it with the toleration and the selector',
      asks: true,
    }
  if (object === undefined) return { because: `the ${kind} itself is not among the objects, only its pods`, asks: true }
  return undefined
}

const budgetFor = (workload: Workload): KubeObject | undefined => {
  const selector = workload.object === undefined ? undefined : selectorOf(workload.object)
  if (selector === undefined || workload.replicas < 2) return undefined
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `${workload.name}-migration`, namespace: workload.namespace },
    spec: { selector, maxUnavailable: 1 },
  }
  return budget
}

/** How the workloads of the cluster move to the pools, and who cannot. */
export const workloadMoves = (workloads: readonly Workload[], context: MoveContext): WorkloadMoves => {
  const fates: Fate[] = []
  const questions: Question[] = []
  const moves: Omit<WorkloadMove, 'pools' | 'share'>[] = []
  const budgets: KubeObject[] = []
  const known = context.objects.of(kinds.PodDisruptionBudget)
  for (const workload of workloads) {
    const name = nameOfWorkload(workload)
    const why = whyNotMoved(workload)
    if (why !== undefined) {
      fates.push(fateOf(name, 'workload', { because: why.because }))
      if (why.asks === true) questions.push({ object: name, message: why.because })
      continue
    }
    const { object } = workload
    if (object === undefined) continue
    const isAsked = ([key, value]: readonly [string, string]): boolean => {
      const group = context.groupOf(key, value)
      return group !== undefined && !context.poolOf.has(group)
    }
    const asked = Object.entries(workload.pod.spec.nodeSelector ?? {}).find(isAsked)
    if (asked !== undefined) {
      fates.push(
        fateOf(name, 'workload', { because: `it selects the node group ${asked[1]}, which is kept: it stays there` }),
      )
      continue
    }
    const isCovered = known.some(
      ({ metadata, spec }) =>
        (metadata.namespace ?? 'default') === workload.namespace &&
        matchesLabelSelector(spec.selector, podLabelsOf(workload)),
    )
    const budget = isCovered ? undefined : budgetFor(workload)
    if (budget !== undefined) budgets.push(budget)
    for (const term of termsOf(workload.pod.spec))
      for (const { key, values = [] } of term.matchExpressions ?? [])
        if (values.some((value) => context.groupOf(key, value) !== undefined))
          questions.push({
            object: name,
            message: `its node affinity asks for the label ${key}, which only nodes of groups have: write karpenter.sh/nodepool or ${GROUP_LABEL} instead`,
          })
    const annotations = annotationsFor(workload.pod)
    const nodeSelector = selectorFor(workload.pod.spec, context.groupOf, context.poolOf)
    for (const [key, value] of Object.entries(nodeSelector))
      if (value === null)
        fates.push(
          fateOf(name, `nodeSelector ${key}`, {
            to: `nodeSelector ${GROUP_LABEL}`,
            because: 'only nodes of the group have that label',
          }),
        )
    const safe = workload.pod.metadata.annotations?.[SAFE_TO_EVICT]
    if (safe !== undefined)
      fates.push(
        fateOf(
          name,
          `annotation ${SAFE_TO_EVICT}=${safe}`,
          safe === 'true'
            ? { because: 'Karpenter protects nothing without an annotation, so nothing has to be lifted' }
            : {
                to: `annotation ${DO_NOT_DISRUPT}`,
                ...(safe === 'on-completion'
                  ? { because: 'it also holds a node whose pod would have ended soon' }
                  : {}),
              },
        ),
      )
    moves.push({
      workload,
      object,
      patch: patchOf(workload, annotations, nodeSelector),
      isStateless: isStateless(workload),
    })
  }
  const moved = moves.map(({ workload }): Workload => {
    const { pod } = workload
    const spec = {
      ...pod.spec,
      nodeSelector: applySelector(pod.spec, selectorFor(pod.spec, context.groupOf, context.poolOf)),
      tolerations: [...(pod.spec.tolerations ?? []), SIDE_TOLERATION],
    }
    return { ...workload, pod: { ...pod, spec } }
  })
  const serving = new Serving(moved, context.pools, [], context.typesOf, context.vocabulary)
  const served = moves.map((move) => ({ ...move, pools: serving.poolsFor(move.workload) }))
  for (const { workload, pools } of served)
    if (pools.length === 0) {
      const name = nameOfWorkload(workload)
      const kept = context.keptFor(workload.pod.spec)
      if (kept !== undefined) {
        fates.push(
          fateOf(name, 'workload', {
            because: `only the node group ${kept}, which is kept, has what it asks for: it stays there`,
          }),
        )
        continue
      }
      fates.push(fateOf(name, 'workload', { because: 'no NodePool could run its pods: it stays on its node group' }))
      questions.push({
        object: name,
        message: 'no NodePool could run its pods: kerf explain pod says why, after its node group is clear',
      })
    }
  const able = served.filter(({ pools }) => pools.length > 0)
  const costs = able.map(({ workload, pools }) => context.costOf(workload, pools))
  const total = costs.reduce((sum, cost) => sum + cost, 0)
  return {
    moves: able.map((move, index) => ({ ...move, share: total === 0 ? 0 : (costs[index] ?? 0) / total })),
    budgets,
    fates,
    questions,
  }
}
