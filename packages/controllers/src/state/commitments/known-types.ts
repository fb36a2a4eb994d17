import { karpenterKinds, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { mapLimit } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { ifReadable } from '../isolation/if-readable.ts'
import type { TypesByName } from './commitment-use.ts'

const PARALLEL = 10

/** The instance types of all NodePools by name. The map is the same object until the types of a NodePool change. */
export class KnownTypes {
  readonly #deps: Pick<Deps, 'informers' | 'provider'>
  #lists: ReadonlyMap<string, readonly InstanceType[]> = new Map()
  #byName: TypesByName = new Map()

  constructor(deps: Pick<Deps, 'informers' | 'provider'>) {
    this.#deps = deps
  }

  /** The types at the time of the last `load`. If NodePools differ in a type, the first NodePool's type is used. */
  get byName(): TypesByName {
    return this.#byName
  }

  /** Reads the types of every NodePool. If the types of any NodePool cannot be read, keeps the previous result. */
  async load(signal: AbortSignal): Promise<void> {
    const { informers, provider } = this.#deps
    const pools = [...informers.of(karpenterKinds.NodePool).values()].filter(
      (pool) => ifReadable(() => isManagedPool(provider, pool)) === true,
    )
    const read = async (pool: NodePool): Promise<readonly [string, readonly InstanceType[]]> => {
      const { name } = pool.metadata
      try {
        return [name, await provider.instanceTypes(pool, signal)]
      } catch {
        signal.throwIfAborted()
        return [name, this.#lists.get(name) ?? []]
      }
    }
    const lists = new Map(await mapLimit(pools, PARALLEL, read, signal))
    const isSame = lists.size === this.#lists.size && [...lists].every(([name, list]) => this.#lists.get(name) === list)
    if (isSame) return
    this.#lists = lists
    const byName = new Map<string, InstanceType>()
    for (const list of lists.values()) for (const type of list) if (!byName.has(type.name)) byName.set(type.name, type)
    this.#byName = byName
  }
}
