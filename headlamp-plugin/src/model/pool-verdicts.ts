import { type PodExplanation, type PoolFunnel, sentenceOf } from '@kerf/engine'
import type { ClusterObjects, InstanceTypesByPool } from './cluster-snapshot.ts'
import { conditionsOf, isTrue } from './conditions.ts'
import { at, isDeleting, nameOf } from './read.ts'

/** Why a NodePool launches nothing for any pod, so that the engine is not asked about it. */
export type LeftOut = 'deleting' | 'static' | 'not-ready' | 'no-types'

/** What one NodePool says to a pod. */
export interface PoolVerdict {
  readonly nodePool: string
  /** The first constraint that leaves nothing; absent when the pool could launch a node, or is left out. */
  readonly constraint?: string
  readonly miss?: string
  readonly leftOut?: LeftOut
  /** What the pool's own conditions say, where it is left out. */
  readonly detail?: string
}

const leftOutOf = (pool: unknown, instanceTypes: InstanceTypesByPool): Omit<PoolVerdict, 'nodePool'> => {
  if (isDeleting(pool)) return { leftOut: 'deleting' }
  if (at(pool, 'spec', 'replicas') !== undefined) return { leftOut: 'static' }
  if (!isTrue(pool, 'Ready')) {
    // The condition that is the cause says more than Ready, which only sums up.
    const failed = conditionsOf(pool).filter(({ status }) => status !== 'True')
    const cause = failed.find(({ type, message }) => type !== 'Ready' && message !== '') ?? failed[0]
    return {
      leftOut: 'not-ready',
      detail: cause === undefined ? '' : `${cause.type}: ${cause.message || cause.reason}`,
    }
  }
  return { leftOut: instanceTypes.get(nameOf(pool))?.length ? 'not-ready' : 'no-types' }
}

const ofFunnel = ({ nodePool, stages, reason }: PoolFunnel): PoolVerdict =>
  reason === undefined
    ? { nodePool }
    : { nodePool, constraint: stages.at(-1)?.constraint ?? '', miss: sentenceOf({ ...reason, subject: '' }) }

/** How near a pool comes: the constraints that it meets, then the offerings that are left before the one that it does not. */
const nearer = (a: PoolFunnel, b: PoolFunnel): number =>
  Number(a.reason !== undefined) - Number(b.reason !== undefined) ||
  b.stages.length - a.stages.length ||
  (b.stages.at(-2)?.offeringsLeft ?? 0) - (a.stages.at(-2)?.offeringsLeft ?? 0)

/** A verdict of every NodePool, also of those that launch nothing for any pod: the nearest miss first. */
export const poolVerdicts = (
  { funnels }: Pick<PodExplanation, 'funnels'>,
  { pools }: Pick<ClusterObjects, 'pools'>,
  instanceTypes: InstanceTypesByPool,
): readonly PoolVerdict[] => {
  const asked = new Set(funnels.map(({ nodePool }) => nodePool))
  return [
    ...[...funnels].sort(nearer).map(ofFunnel),
    ...pools
      .filter((pool) => nameOf(pool) !== '' && !asked.has(nameOf(pool)))
      .map((pool) => ({ nodePool: nameOf(pool), ...leftOutOf(pool, instanceTypes) })),
  ]
}
