import { type PodExplanation, type PoolFunnel, reasonSentence } from '@kerf/engine'
import type { ClusterObjects, InstanceTypesByPool } from './cluster-snapshot.ts'
import { conditionRows, isTrue } from './conditions.ts'
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

const leftOutOf = (pool: unknown, instanceTypes: InstanceTypesByPool): Omit<PoolVerdict, 'nodePool'> => {
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
  return { leftOut: instanceTypes.get(objectName(pool))?.length ? 'not-ready' : 'no-types' }
}

const ofFunnel = ({ nodePool, stages, reason }: PoolFunnel): PoolVerdict =>
  reason === undefined
    ? { nodePool }
    : { nodePool, constraint: stages.at(-1)?.constraint ?? '', miss: reasonSentence({ ...reason, subject: '' }) }

/**
 * Compares how close pools are to a launch: by the number of constraints that are met, then by the offerings that
 * were left before the first constraint that failed.
 */
const nearer = (a: PoolFunnel, b: PoolFunnel): number =>
  Number(a.reason !== undefined) - Number(b.reason !== undefined) ||
  b.stages.length - a.stages.length ||
  (b.stages.at(-2)?.offeringsLeft ?? 0) - (a.stages.at(-2)?.offeringsLeft ?? 0)

/**
 * Returns a result for every NodePool, including those that launch no nodes for any pod. The pool that is closest to
 * launching a node comes first.
 */
export const poolVerdicts = (
  { funnels }: Pick<PodExplanation, 'funnels'>,
  { pools }: Pick<ClusterObjects, 'pools'>,
  instanceTypes: InstanceTypesByPool,
): readonly PoolVerdict[] => {
  const asked = new Set(funnels.map(({ nodePool }) => nodePool))
  return [
    ...[...funnels].sort(nearer).map(ofFunnel),
    ...pools
      .filter((pool) => objectName(pool) !== '' && !asked.has(objectName(pool)))
      .map((pool) => ({ nodePool: objectName(pool), ...leftOutOf(pool, instanceTypes) })),
  ]
}
