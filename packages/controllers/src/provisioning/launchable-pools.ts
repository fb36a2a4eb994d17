import { isConditionTrue, karpenterKinds, type NodePool, READY } from '@kerf/apis'
import type { PoolOption } from '@kerf/engine'
import { isNotKnownYet, UnevaluatedNodePoolError } from '@kerf/provider-contract'
import { mapLimit } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { readOperations } from '../modes/pool-operation.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { processIsolation } from '../state/isolation/isolation.ts'

const PARALLEL = 10
/** The maximum number of pools in a message. */
const SHOWN = 3

/**
 * Sorts pools by descending weight and then by descending name, which is the order in which they are tried
 * (`docs/spec/scheduling.md#reading-pools`).
 */
const byRank = (a: NodePool, b: NodePool): number => {
  const weight = (b.spec.weight ?? 0) - (a.spec.weight ?? 0)
  if (weight !== 0) return weight
  return a.metadata.name < b.metadata.name ? 1 : -1
}

export const isStatic = (pool: NodePool): boolean => pool.spec.replicas !== undefined

/**
 * Returns the pools that may launch nodes for pods. Kerf must manage the pool, and the pool must be Ready. Static, cordoned and deleted
 * pools are excluded.
 */
export const launchablePools = (
  deps: Pick<Deps, 'informers' | 'provider' | 'log' | 'clock' | 'metrics'>,
): readonly NodePool[] => {
  const isolation = processIsolation(deps)
  const mayLaunch = (pool: NodePool): boolean => {
    if (!isManagedPool(deps.provider, pool) || isStatic(pool) || pool.metadata.deletionTimestamp !== undefined)
      return false
    if (readOperations(pool).cordon !== undefined) return false
    if (!isConditionTrue(pool, READY)) {
      deps.log.error('ignoring nodepool, not ready', { NodePool: { name: pool.metadata.name } })
      return false
    }
    // The comparison throws if the weight or the name is invalid, so the guard excludes the pool before the sort.
    return byRank(pool, pool) !== undefined
  }
  return [...deps.informers.of(karpenterKinds.NodePool).values()]
    .filter(
      (pool) =>
        !isolation.isSetAside('provisioning', pool) &&
        isolation.guard('NodePool', 'provisioning', pool, () => mayLaunch(pool), false),
    )
    .sort(byRank)
}

/** Returns a sentence about why a pool launches no nodes for pods, or undefined if it can launch nodes. */
const launchObstacle = (deps: Pick<Deps, 'provider'>, pool: NodePool): string | undefined => {
  const name = `nodepool ${pool.metadata.name}`
  if (!isManagedPool(deps.provider, pool)) {
    const { kind, group } = pool.spec.template.spec.nodeClassRef
    return `${name} refers to a ${kind}.${group}, which provider ${deps.provider.name} does not serve`
  }
  if (pool.metadata.deletionTimestamp !== undefined) return `${name} is being deleted`
  if (isStatic(pool)) return `${name} is static`
  const { cordon } = readOperations(pool)
  if (cordon !== undefined) return `${name} is cordoned by ${cordon.owner}`
  if (isConditionTrue(pool, READY)) return undefined
  const causes = (pool.status?.conditions ?? []).filter(({ type, status }) => type !== READY && status === 'False')
  const reported = causes.map(({ type, message }) => `${type}=False (${message ?? ''})`).join(', ')
  return `${name} is not ready: ${reported === '' ? 'its conditions are not known yet' : reported}`
}

/** Returns a message for pending pods with the reason why each pool cannot launch nodes. */
export const withoutPools = (deps: Pick<Deps, 'informers' | 'provider' | 'log' | 'clock' | 'metrics'>): string => {
  const isolation = processIsolation(deps)
  const obstacles = [...deps.informers.of(karpenterKinds.NodePool).values()]
    .flatMap((pool) => {
      const read = () => [{ pool, obstacle: launchObstacle(deps, pool), rank: byRank(pool, pool) }]
      return isolation.guard('NodePool', 'provisioning', pool, read, [])
    })
    .sort((a, b) => byRank(a.pool, b.pool))
    .map(({ obstacle }) => obstacle)
    .filter((obstacle) => obstacle !== undefined)
  return ['no dynamic nodepools found', ...obstacles.slice(0, SHOWN)].join('; ')
}

/**
 * Returns the pools with the instance types that the provider offers for them. Omits a pool if the provider fails for it or offers nothing.
 */
export const poolOptions = async (
  deps: Pick<Deps, 'provider' | 'log'>,
  pools: readonly NodePool[],
  signal: AbortSignal,
): Promise<readonly PoolOption[]> => {
  const options = await mapLimit(
    pools,
    PARALLEL,
    async (nodePool): Promise<PoolOption | undefined> => {
      const fields = { NodePool: { name: nodePool.metadata.name } }
      try {
        const instanceTypes = await deps.provider.instanceTypes(nodePool, signal)
        if (instanceTypes.length > 0) return { nodePool, instanceTypes }
        deps.log.info('skipping, no resolved instance types found', fields)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof UnevaluatedNodePoolError) deps.log.debug('skipping, overlays not evaluated yet', fields)
        else if (isNotKnownYet(error)) deps.log.info('skipping, instance types not known yet', { ...fields, error })
        else deps.log.error('skipping, unable to resolve instance types', { ...fields, error })
      }
      return undefined
    },
    signal,
  )
  return options.filter((option) => option !== undefined)
}
