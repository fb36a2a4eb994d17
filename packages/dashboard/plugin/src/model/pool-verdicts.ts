import { nearness, type PodExplanation, type PoolFunnel, type Reason, reasonSentence } from '@kerf/engine'
import type { ClusterObjects, InstanceTypesByPool } from './cluster-snapshot.ts'
import { conditionRows, isTrue } from './conditions.ts'
import { constraintForCode } from './pending-groups.ts'
import { at, isDeleting, objectName } from './read.ts'

/** Why a NodePool launches no nodes for any pod, so that the engine does not consider it. */
export type LeftOut = 'deleting' | 'static' | 'not-ready' | 'no-types'

/** The reason why one NodePool cannot run a pod. */
export interface PoolVerdict {
  readonly nodePool: string
  /**
   * The first constraint that leaves no offerings. Absent if the pool could launch a node, or if the engine does not
   * consider the pool.
   */
  readonly constraint?: string
  readonly miss?: string
  readonly leftOut?: LeftOut
  /** The message of the pool's own conditions, if the engine does not consider the pool. */
  readonly detail?: string
}

/** Returns the sentence of a reason in the user's language. */
type Sentence = (reason: Reason) => string

/** Returns why the engine does not consider a pool, from the pool's own fields. */
const leftOutOf = (pool: unknown, instanceTypes: InstanceTypesByPool): Omit<PoolVerdict, 'nodePool'> | undefined => {
  if (isDeleting(pool)) return { leftOut: 'deleting' }
  if (at(pool, 'spec', 'replicas') !== undefined) return { leftOut: 'static' }
  if (!isTrue(pool, 'Ready')) {
    // Other failed conditions are more specific than Ready, which only summarizes them.
    const failed = conditionRows(pool).filter(({ status }) => status !== 'True')
    const cause = failed.find(({ type, message }) => type !== 'Ready' && message !== '') ?? failed[0]
    return {
      leftOut: 'not-ready',
      detail: cause === undefined ? '' : `${cause.type}: ${cause.message || cause.reason}`,
    }
  }
  return instanceTypes.get(objectName(pool))?.length ? undefined : { leftOut: 'no-types' }
}

/** Returns the verdict on a pool that has no funnel. It comes from the engine's reasons. */
const ofReason = (
  name: string,
  reasons: readonly Reason[],
  sentenceFor: Sentence,
): Omit<PoolVerdict, 'nodePool'> | undefined => {
  const reason = reasons.find(({ subject }) => subject === `nodepool/${name}`)
  if (reason === undefined) return undefined
  const { code, detail } = reason
  if (code === 'nodepool.catalogue-empty') return { leftOut: 'no-types', detail: String(detail['problem'] ?? '') }
  if (code === 'nodepool.not-ready') return { constraint: 'NodePool', miss: String(detail['problem'] ?? '') }
  return { constraint: code, miss: sentenceFor({ ...reason, subject: '' }) }
}

/** Codes of reasons that are about the pod itself, so that no NodePool could run it. */
const OF_THE_POD: ReadonlySet<string> = new Set<Reason['code']>(['pod.invalid', 'pod.device-claim', 'volume.invalid'])

/** Returns the reasons why no NodePool could run the pod, for example a volume claim that does not exist. */
export const podProblems = ({ reasons }: Pick<PodExplanation, 'reasons'>): readonly Reason[] =>
  reasons.filter(({ code }) => OF_THE_POD.has(code))

const ofFunnel = ({ nodePool, stages, reason }: PoolFunnel, sentenceFor: Sentence): PoolVerdict =>
  reason === undefined
    ? { nodePool }
    : { nodePool, constraint: stages.at(-1)?.constraint ?? '', miss: sentenceFor({ ...reason, subject: '' }) }

/**
 * Returns whether the pool rejects the pod because of a taint. A NodePool with a taint is meant for other pods, so it
 * comes after other pools that reject the pod at the same constraint.
 */
const isForOthers = ({ reason }: PoolFunnel): boolean =>
  reason !== undefined && constraintForCode(reason.code) === 'taint'

const nearer = (a: PoolFunnel, b: PoolFunnel): number =>
  (a.stages.length === b.stages.length ? Number(isForOthers(a)) - Number(isForOthers(b)) : 0) ||
  nearness(b) - nearness(a) ||
  0

/**
 * Returns a result for every NodePool, including those that launch no nodes for any pod. The pool that is closest to launching a node comes
 * first. Returns none if the pod itself is the problem, because no pool could run it.
 */
export const poolVerdicts = (
  explanation: Pick<PodExplanation, 'funnels' | 'reasons'>,
  { pools }: Pick<ClusterObjects, 'pools'>,
  instanceTypes: InstanceTypesByPool,
  sentenceFor: Sentence = reasonSentence,
): readonly PoolVerdict[] => {
  const { funnels, reasons } = explanation
  if (podProblems(explanation).length > 0) return []
  const asked = new Set(funnels.map(({ nodePool }) => nodePool))
  return [
    ...[...funnels].sort(nearer).map((funnel) => ofFunnel(funnel, sentenceFor)),
    ...pools.flatMap((pool): readonly PoolVerdict[] => {
      const nodePool = objectName(pool)
      if (nodePool === '' || asked.has(nodePool)) return []
      const found = leftOutOf(pool, instanceTypes) ?? ofReason(nodePool, reasons, sentenceFor)
      return found === undefined ? [] : [{ nodePool, ...found }]
    }),
  ]
}
