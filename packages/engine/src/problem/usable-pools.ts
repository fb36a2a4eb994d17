import { tryParseQuantity } from '@kerf/apis'
import { detailTexts } from '../reasons/detail-texts.ts'
import type { Reason } from '../reasons/reason.ts'
import type { ClusterSnapshot, PoolOption } from '../snapshot.ts'

/** A pool that must not launch nodes, and the reason. */
export interface UnusablePool {
  readonly name: string
  readonly reason: Reason
}

const poolName = ({ nodePool }: PoolOption): string => nodePool.metadata.name
const poolWeight = ({ nodePool }: PoolOption): number => nodePool.spec.weight ?? 0

/**
 * Returns the reason why a pool must not launch nodes; `undefined` if it may. Ignores static pools, which keep their number of nodes
 * regardless of pods.
 */
const poolRefusal = ({ nodePool }: PoolOption): string | undefined => {
  const { metadata, spec, status } = nodePool
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (metadata.deletionTimestamp !== undefined) return detailTexts.deleting
  if (ready !== undefined && ready.status !== 'True') return ready.message || detailTexts.notReady
  if (spec?.template?.spec === undefined) return detailTexts.noTemplate
  for (const [resource, limit] of Object.entries(spec.limits ?? {})) {
    // If a limit cannot be read, the pool must not be treated as if it had no limit.
    if (tryParseQuantity(limit) === undefined) return detailTexts.badLimit(resource)
  }
  return undefined
}

/** Returns the pools that may launch nodes, in the order in which they are tried, and the pools that must not. */
export const usablePools = ({
  pools,
}: ClusterSnapshot): { readonly usable: readonly PoolOption[]; readonly unusable: readonly UnusablePool[] } => {
  const usable: PoolOption[] = []
  const unusable: UnusablePool[] = []
  for (const option of pools) {
    const refusal = poolRefusal(option)
    const name = poolName(option)
    const { sleepsUntil } = option
    if (sleepsUntil !== undefined) {
      const reason: Reason = { code: 'nodepool.asleep', subject: `nodepool/${name}`, detail: { until: sleepsUntil } }
      unusable.push({ name, reason })
    } else if (refusal !== undefined) {
      const reason: Reason = { code: 'nodepool.not-ready', subject: `nodepool/${name}`, detail: { problem: refusal } }
      unusable.push({ name, reason })
    } else if (option.nodePool.spec.replicas === undefined) usable.push(option)
  }
  // Sorts by weight in descending order, and pools of equal weight by name in descending order, as in Karpenter.
  usable.sort((a, b) => poolWeight(b) - poolWeight(a) || (poolName(a) < poolName(b) ? 1 : -1))
  return { usable, unusable }
}
