import {
  annotations,
  findCondition,
  HASH_VERSION,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodePool,
  nodePoolHash,
} from '@kerf/apis'
import { type Controller, done, isNotFound, mapLimit } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { readOnlySource } from '../read-only-source.ts'
import { poolSource } from './pool-sources.ts'

const POOL_INDEX = 'nodepool'
const PARALLEL = 20
const claimPools = (claim: NodeClaim): readonly string[] => {
  const pool = claim.metadata.labels?.[labels.nodePool]
  return pool === undefined ? [] : [pool]
}

const objectVersion = (object: NodePool | NodeClaim): string | undefined =>
  object.metadata.annotations?.[annotations.nodePoolHashVersion]

/**
 * Writes the hash of each pool to the pool (`docs/spec/lifecycle.md#nodepool-controllers`). If the hash version has changed, also updates
 * the hashes of the pool's claims, because otherwise all of them would drift at once. Claims that have already drifted keep their hash.
 */
export const nodePoolHashing = (deps: Deps): Controller => {
  const { informers, provider, client } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  const claims = informers.of(karpenterKinds.NodeClaim)
  claims.index(POOL_INDEX, claimPools)

  const stamp = async (claim: NodeClaim, hash: string, signal: AbortSignal): Promise<void> => {
    if (objectVersion(claim) === HASH_VERSION) return
    const hasDrifted = findCondition(claim, 'Drifted') !== undefined
    const stamps = {
      [annotations.nodePoolHashVersion]: HASH_VERSION,
      ...(hasDrifted ? {} : { [annotations.nodePoolHash]: hash }),
    }
    const ref = { name: claim.metadata.name }
    try {
      await client.patch(
        karpenterKinds.NodeClaim,
        ref,
        { type: 'merge', body: { metadata: { annotations: stamps } } },
        { signal },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  return {
    name: 'nodepool.hash',
    reconciles: karpenterKinds.NodePool,
    sources: [poolSource(informers), readOnlySource(informers, karpenterKinds.NodeClaim)],
    concurrency: concurrency(deps.settings, 10, 1_000),
    reconcile: async (name, signal) => {
      const pool = pools.get(name)
      if (pool === undefined || !isManagedPool(provider, pool)) return done()
      const hash = nodePoolHash(pool)
      const isCurrent = objectVersion(pool) === HASH_VERSION
      if (!isCurrent)
        await mapLimit(claims.by(POOL_INDEX, name), PARALLEL, (claim) => stamp(claim, hash, signal), signal)
      if (isCurrent && pool.metadata.annotations?.[annotations.nodePoolHash] === hash) return done()
      const stamps = { [annotations.nodePoolHash]: hash, [annotations.nodePoolHashVersion]: HASH_VERSION }
      await client.patch(
        karpenterKinds.NodePool,
        { name },
        { type: 'merge', body: { metadata: { annotations: stamps } } },
        { signal },
      )
      return done()
    },
  }
}
