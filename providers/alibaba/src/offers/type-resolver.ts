import type { InstanceType } from '@kerf/engine'
import type { DeclaredPrices } from '@kerf/provider-contract'
import type { Prices, UnavailableOfferings } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { alibabaErrors } from '../alibaba-errors.ts'
import type { ClusterFacts } from '../discovery/cluster-facts.ts'
import { classTraits } from '../instance-types/class-traits.ts'
import { instanceTypes } from '../instance-types/instance-types.ts'
import type { ClusterNetwork } from '../instance-types/pod-count.ts'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'
import type { DiskRefusals } from './disk-refusals.ts'
import { isInStock, type Offered, type OfferedTypes } from './offered-types.ts'

export interface TypeResolverOptions {
  readonly region: string
  readonly vmMemoryOverheadPercent: number
  readonly offered: OfferedTypes
  readonly cluster: ClusterFacts
  readonly prices: Prices & { readonly sequence: number }
  readonly unavailable: UnavailableOfferings
  readonly disks: DiskRefusals
  /** The prices that the user declares in the price book. */
  readonly declared: DeclaredPrices
}

interface Cached {
  readonly offered: Offered
  readonly key: string
  readonly types: readonly InstanceType[]
}

/** Returns the instance types of node classes. Returns the same list until one of its inputs changes. */
export class TypeResolver {
  readonly #options: TypeResolverOptions
  readonly #cached = new Map<string, Cached>()

  constructor(options: TypeResolverOptions) {
    this.#options = options
  }

  /**
   * Returns the instance types for nodes of a node class. Offerings that recently could not be launched, in general or with the disks of
   * the class, are unavailable.
   * @throws KerfError `NothingKnown` if the API has not responded yet, no price is known, or the class has no vSwitches
   */
  async resolve(nodeClass: ECSNodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const { unavailable, disks, declared } = this.#options
    return declared.apply(disks.applyTo(nodeClass, unavailable.applyTo(await this.#known(nodeClass, signal))))
  }

  async #known(nodeClass: ECSNodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const { region, prices, vmMemoryOverheadPercent } = this.#options
    const { name } = nodeClass.metadata
    const zones = [...new Set(nodeClass.status?.vSwitches?.map(({ zoneID }) => zoneID))].toSorted()
    if (zones.length === 0)
      throw alibabaErrors.NothingKnown({ what: 'instance types', problem: `ECSNodeClass ${name} has no vSwitches yet` })
    const [offered, network] = await this.#readOrNothing(signal)
    const traits = classTraits(nodeClass)
    const key = JSON.stringify([zones, network, traits, prices.sequence])
    const known = this.#cached.get(name)
    if (known !== undefined && known.offered === offered && known.key === key) return known.types
    const types = instanceTypes(
      offered.types,
      traits,
      {
        region,
        zones,
        onDemandPrice: (type) => prices.onDemand(type),
        spotPrice: (type, zone) => prices.spot(type, zone),
        isAvailable: (type, zone, capacityType) => isInStock(offered, type.name, zone, capacityType),
      },
      { network, vmMemoryOverheadPercent },
    )
    // Kerf may not have read the first prices yet. InsufficientCapacityError would be wrong in that case, because Kerf would delete the
    // NodeClaim.
    if (types.length === 0)
      throw alibabaErrors.NothingKnown({ what: 'prices', problem: `no instance type of ${region} has a price yet` })
    this.#cached.set(name, { offered, key, types })
    return types
  }

  /**
   * Returns the data that the instance types of all node classes are computed from: the offered types and the cluster's network. Calls the
   * API only if the cached data is too old.
   * @throws the errors of the API
   */
  read(signal: AbortSignal): Promise<readonly [Offered, ClusterNetwork]> {
    const { offered, cluster } = this.#options
    return Promise.all([offered.read(signal), cluster.network(signal)])
  }

  async #readOrNothing(signal: AbortSignal): Promise<readonly [Offered, ClusterNetwork]> {
    try {
      return await this.read(signal)
    } catch (error) {
      signal.throwIfAborted()
      throw alibabaErrors.NothingKnown({ what: 'instance types', problem: textOfThrown(error) }, { cause: error })
    }
  }
}
