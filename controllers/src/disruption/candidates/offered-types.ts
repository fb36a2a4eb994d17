import { isEqualJson, karpenterKinds, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { silentLogger } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { isolationOf } from '../../isolation/isolation.ts'
import { isManagedPool } from '../../node-claims/ownership.ts'
import { poolOptions } from '../../provisioning/launchable-pools.ts'

/** A pool with the instance types it is offered, by name. */
export interface PoolTypes {
  readonly pool: NodePool
  readonly list: readonly InstanceType[]
  readonly byName: ReadonlyMap<string, InstanceType>
}

/** What our pools are offered, by the name of the pool. */
export type OfferedTypes = ReadonlyMap<string, PoolTypes>

/** By name, for each list once: a provider hands out the same list until something of it changes. */
const named = new WeakMap<readonly InstanceType[], ReadonlyMap<string, InstanceType>>()

const byName = (list: readonly InstanceType[]): ReadonlyMap<string, InstanceType> => {
  const known = named.get(list)
  if (known !== undefined) return known
  const made = new Map(list.map((type) => [type.name, type]))
  named.set(list, made)
  return made
}

/** Every pool of ours that has instance types, also one that cannot launch just now. */
export const offeredTypes = async (
  deps: Pick<Deps, 'informers' | 'provider' | 'clock' | 'log' | 'metrics'>,
  signal: AbortSignal,
): Promise<OfferedTypes> => {
  const isolation = isolationOf(deps)
  const isOurs = (pool: NodePool): boolean => isManagedPool(deps.provider, pool) && pool.metadata.name !== ''
  const pools = [...deps.informers.of(karpenterKinds.NodePool).values()].filter((pool) =>
    isolation.guard('NodePool', 'disruption', pool, () => isOurs(pool), false),
  )
  // The provisioner has reported already what is wrong with a pool.
  const options = await poolOptions({ provider: deps.provider, log: silentLogger }, pools, signal)
  return new Map(
    options.map(({ nodePool, instanceTypes }) => [
      nodePool.metadata.name,
      { pool: nodePool, list: instanceTypes, byName: byName(instanceTypes) },
    ]),
  )
}

const isSameTypes = (a: OfferedTypes, b: OfferedTypes, isSamePool: (a: NodePool, b: NodePool) => boolean): boolean => {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const [name, { pool, list }] of a) {
    const other = b.get(name)
    if (other === undefined || !isSamePool(other.pool, pool)) return false
    if (!isEqualJson(other.list, list)) return false
  }
  return true
}

/**
 * The same types with the same prices and availability. Types are never changed after they were handed out, so the same objects
 * are equal; but a provider may hand out new ones that say the same.
 */
export const isSameInstanceTypes = (a: OfferedTypes, b: OfferedTypes): boolean =>
  isSameTypes(a, b, (one, other) => one.metadata.generation === other.metadata.generation)

/** The same also in everything that pools say besides their spec. */
export const isSameOffer = (a: OfferedTypes, b: OfferedTypes): boolean =>
  isSameTypes(a, b, (one, other) => one === other)

/** The type of that name, if the pool is offered it. */
export const typeNamed = (types: OfferedTypes, pool: string, name: string): InstanceType | undefined =>
  types.get(pool)?.byName.get(name)
