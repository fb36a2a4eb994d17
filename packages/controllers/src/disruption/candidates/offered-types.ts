import { isEqualJson, karpenterKinds, type NodePool } from '@kerf/apis'
import { type InstanceType, typeOfNode } from '@kerf/engine'
import { silentLogger } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { poolOptions } from '../../provisioning/launchable-pools.ts'
import { processIsolation } from '../../state/isolation/isolation.ts'

/** A pool with its instance types, as a list and by name. */
export interface PoolTypes {
  readonly pool: NodePool
  readonly list: readonly InstanceType[]
  readonly byName: ReadonlyMap<string, InstanceType>
}

/** The instance types of each pool that Kerf manages, by pool name. */
export type OfferedTypes = ReadonlyMap<string, PoolTypes>

/** The instance types by name, computed once per list. A provider returns the same array object as long as its contents do not change. */
const named = new WeakMap<readonly InstanceType[], ReadonlyMap<string, InstanceType>>()

const byName = (list: readonly InstanceType[]): ReadonlyMap<string, InstanceType> => {
  const known = named.get(list)
  if (known !== undefined) return known
  const made = new Map(list.map((type) => [type.name, type]))
  named.set(list, made)
  return made
}

/** Returns every managed pool that has instance types, even if it cannot launch nodes at the moment. */
export const offeredTypes = async (
  deps: Pick<Deps, 'informers' | 'provider' | 'clock' | 'log' | 'metrics'>,
  signal: AbortSignal,
): Promise<OfferedTypes> => {
  const isolation = processIsolation(deps)
  const isOurs = (pool: NodePool): boolean => isManagedPool(deps.provider, pool) && pool.metadata.name !== ''
  const pools = [...deps.informers.of(karpenterKinds.NodePool).values()].filter((pool) =>
    isolation.guard('NodePool', 'disruption', pool, () => isOurs(pool), false),
  )
  // The logger is silent, because the provisioner has already logged the errors of pools.
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
 * Returns whether `a` and `b` have the same pools (compared by generation), and the same instance types with equal prices and availability.
 * Instance types are immutable. Therefore only the contents of different objects are compared.
 */
export const isSameInstanceTypes = (a: OfferedTypes, b: OfferedTypes): boolean =>
  isSameTypes(a, b, (one, other) => one.metadata.generation === other.metadata.generation)

/** Returns whether `a` and `b` have equal instance types and equal NodePools. */
export const isSameOffer = (a: OfferedTypes, b: OfferedTypes): boolean =>
  isSameTypes(a, b, (one, other) => one === other)

/** Returns the pool's instance type with this name, or undefined if the pool does not offer it. */
export const typeNamed = (types: OfferedTypes, pool: string, name: string): InstanceType | undefined =>
  types.get(pool)?.byName.get(name)

const NO_TYPES: ReadonlyMap<string, InstanceType> = new Map()

/** Returns the instance type of a node of the pool with these labels, or undefined if the pool does not offer it. */
export const offeredType = (
  types: OfferedTypes,
  pool: string,
  nodeLabels: Readonly<Record<string, string>>,
): InstanceType | undefined => typeOfNode(types.get(pool)?.byName ?? NO_TYPES, nodeLabels)
