import { type PodExplanation, type PoolFunnel, reasonSentence } from '@kerf/engine'
import type { ClusterObjects, InstanceTypesByPool } from './cluster-snapshot.ts'
import { conditionsOf, isTrue } from './conditions.ts'
import { at, isDeleting, nameOf } from './read.ts'

/** Why a NodePool launches nothing for any pod, so that the engine does not evaluate it. */
export type LeftOut = 'deleting' | 'static' | 'not-ready' | 'no-types'

/** The result of one NodePool for a pod. */
export interface PoolVerdict {
  readonly nodePool: string
  /** The first constraint without remaining offerings. Absent if the pool could launch a node or is left out. */
  readonly constraint?: string
  readonly miss?: string
  readonly leftOut?: LeftOut
  /** The message of the pool's own conditions, if it is left out. */
  readonly detail?: string
}

const leftOutOf = (pool: unknown, instanceTypes: InstanceTypesByPool): Omit<PoolVerdict, 'nodePool'> => {
  if (isDeleting(pool)) return { leftOut: 'deleting' }
  if (at(pool, 'spec', 'replicas') !== undefined) return { leftOut: 'static' }
  if (!isTrue(pool, 'Ready')) {
    // The failed condition is more specific than Ready, which only summarizes.
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
    : { nodePool, constraint: stages.at(-1)?.constraint ?? '', miss: reasonSentence({ ...reason, subject: '' }) }

/** Compares how close pools come: by the number of constraints met, then by the offerings left before the first failed one. */
const nearer = (a: PoolFunnel, b: PoolFunnel): number =>
  Number(a.reason !== undefined) - Number(b.reason !== undefined) ||
  b.stages.length - a.stages.length ||
  (b.stages.at(-2)?.offeringsLeft ?? 0) - (a.stages.at(-2)?.offeringsLeft ?? 0)

/** Returns a result for every NodePool, including those that launch nothing for any pod. The nearest miss comes first. */
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
