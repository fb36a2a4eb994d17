import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { areCompatible, type DeclaredPrices, NotKnownYetError } from '@kerf/provider-contract'
import type { UnavailableOfferings } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import type { ClusterFacts } from '../discovery/cluster-facts.ts'
import { imageForType } from '../images/image-choice.ts'
import { canAttachDisks } from '../instance-type/class-filters.ts'
import { type ClassTraits, classTraits } from '../instance-type/class-traits.ts'
import { instanceTypesForClass } from '../instance-type/instance-types.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'
import type { GcpPrices } from '../prices/gcp-prices.ts'
import type { TypeFacts } from '../type-facts.ts'
import type { FullRanges } from './full-ranges.ts'
import type { Offered, OfferedTypes } from './offered-types.ts'

export interface TypeResolverOptions {
  readonly region: string
  /** The fraction of the memory that the hypervisor uses. */
  readonly memoryOverhead: number
  readonly offered: Pick<OfferedTypes, 'read'>
  readonly cluster: Pick<ClusterFacts, 'nodeZones'>
  readonly prices: Pick<GcpPrices, 'onDemand' | 'spot' | 'sequence' | 'ready'>
  readonly unavailable: UnavailableOfferings
  readonly fullRanges: FullRanges
  /** The prices that the user declares in the price book. */
  readonly declared: DeclaredPrices
}

interface Cached {
  readonly offered: Offered
  readonly key: string
  readonly types: readonly InstanceType[]
}

/**
 * Returns the instance types of node classes. A type is included if it can boot one of the images of the class. Returns the same list until
 * one of its inputs changes.
 */
export class TypeResolver {
  readonly #options: TypeResolverOptions
  readonly #cached = new Map<string, Cached>()
  #offered: Offered = new Map()

  constructor(options: TypeResolverOptions) {
    this.#options = options
  }

  /** Returns the facts of an instance type from the last call of `resolve`. */
  facts(type: string): TypeFacts | undefined {
    return this.#offered.get(type)?.facts
  }

  /** Returns the facts of all instance types from the last call of `resolve`. */
  allFacts(): readonly TypeFacts[] {
    return [...this.#offered.values()].map(({ facts }) => facts)
  }

  /**
   * Reads the types of the region and the zones of the cluster.
   *
   * @throws GcpApiError
   */
  async read(signal: AbortSignal): Promise<readonly [Offered, readonly string[]]> {
    const { offered, cluster } = this.#options
    return await Promise.all([offered.read(signal), cluster.nodeZones(signal)])
  }

  /**
   * Returns the names of the instance types that meet the requirements but cannot attach the disks of the node class. Returns an empty list
   * if at least one type meets both.
   */
  async withoutDisks(
    nodeClass: GCENodeClass,
    requirements: readonly RequirementSpec[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const isMeant = (type: InstanceType): boolean => areCompatible(requirements, type.requirements)
    if ((await this.resolve(nodeClass, signal)).some(isMeant)) return []
    const [offered, zones] = await this.read(signal)
    const traits = { ...classTraits(nodeClass), diskTypes: [], hasLocalSsds: false }
    return this.#typesFor(traits, offered, zones)
      .filter(isMeant)
      .filter(({ name }) => {
        const facts = this.facts(name)
        return facts !== undefined && !canAttachDisks(facts, classTraits(nodeClass))
      })
      .map(({ name }) => name)
  }

  /**  @throws NotKnownYetError until Google Cloud has responded once */
  async resolve(nodeClass: GCENodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const { unavailable, fullRanges, prices, declared } = this.#options
    const [offered, zones] = await this.#read(signal)
    await prices.ready(signal)
    this.#offered = offered
    const { name } = nodeClass.metadata
    const traits = classTraits(nodeClass)
    const images = nodeClass.status?.images ?? []
    const key = JSON.stringify([zones, traits, images, prices.sequence])
    const known = this.#cached.get(name)
    if (known !== undefined && known.offered === offered && known.key === key)
      return declared.apply(fullRanges.applyTo(unavailable.applyTo(known.types), nodeClass))
    const all = this.#typesFor(traits, offered, zones)
    // A node class without images is not ready, but callers may still request its instance types. In that case, the method returns all
    // types.
    const types = images.length === 0 ? all : all.filter((type) => imageForType(images, type) !== undefined)
    this.#cached.set(name, { offered, key, types })
    return declared.apply(fullRanges.applyTo(unavailable.applyTo(types), nodeClass))
  }

  #typesFor(traits: ClassTraits, offered: Offered, zones: readonly string[]): readonly InstanceType[] {
    const { region, prices, memoryOverhead } = this.#options
    return instanceTypesForClass(
      [...offered.values()].map(({ facts }) => facts),
      traits,
      {
        region,
        zones: (type) => (offered.get(type)?.zones ?? []).filter((zone) => zones.includes(zone)),
        price: (type, zone, capacityType) => {
          const facts = offered.get(type)?.facts
          return capacityType === 'spot' ? prices.spot(type, zone, facts) : prices.onDemand(type, facts)
        },
        isAvailable: () => true,
      },
      memoryOverhead,
    )
  }

  async #read(signal: AbortSignal): Promise<readonly [Offered, readonly string[]]> {
    try {
      return await this.read(signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new NotKnownYetError(`the instance types of the region are not known yet: ${textOfThrown(error)}`, {
        cause: error,
      })
    }
  }
}
