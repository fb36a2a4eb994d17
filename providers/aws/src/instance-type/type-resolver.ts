import { capacityTypes, labels } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { type DeclaredPrices, NotKnownYetError, providerErrors, singleValue } from '@kerf/provider-contract'
import { type InsufficientCapacity, nodeClassKey, type OverlayPrices, type PriceBook } from '@kerf/provider-kit'
import { type Clock, type Logger, TtlCache } from '@kerf/runtime'
import type { CapacityReservations } from '../discovery/capacity-reservations.ts'
import type { PlacementGroups } from '../discovery/placement-groups.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { awsLabels } from '../label-names.ts'
import { isKnownFamily, nodeClassAmiFamily } from '../node-class/ami-family.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { type NodeClassTraits, nodeClassTraits, type PlacementGroup } from '../node-class/node-class-traits.ts'
import { findIncompatibility } from '../offerings/compatibility.ts'
import { capacityScopes, classScope, quotaScope } from '../offerings/insufficient-capacity.ts'
import { awsOfferings, type Market } from '../offerings/offerings.ts'
import type { DiscoveredMemory } from './discovered-memory.ts'
import { awsInstanceType } from './instance-type.ts'
import type { RegionTypes } from './region-types.ts'
import type { TypeSettings } from './type-settings.ts'

const MOMENT = 5_000
const MINUTE = 60_000

export interface TypeResolverDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly regionTypes: RegionTypes
  readonly prices: PriceBook
  readonly overlayPrices: OverlayPrices
  /** The prices of the price book. They also make types available for which no other price is known. */
  readonly declared: DeclaredPrices
  readonly insufficient: InsufficientCapacity
  readonly reservations: CapacityReservations
  readonly groups: PlacementGroups
  readonly discoveredMemory: DiscoveredMemory
  readonly shiftedZones: () => ReadonlySet<string>
  readonly settings: TypeSettings
  /** The feature gate ReservedCapacity. */
  readonly reservedCapacity: boolean
}

/** The cached instance types of one node class: all types regardless of capacity shortages, and the types that were last returned. */
interface Resolved {
  /** A key that is equal if all inputs of the instance types are equal. */
  readonly key: string
  readonly traits: NodeClassTraits
  readonly market: Market
  readonly base: readonly InstanceType[]
  handedOut: readonly InstanceType[]
  /** The result of `classScope` for the node class generation from which the instance types were computed. */
  scope: string
  sequence: number
  reservations: number
}

interface Place {
  readonly capacityType: string
  readonly zone: string
  readonly partition: string | undefined
}

const places = new WeakMap<Offering['requirements'], Place>()

/** Returns the offering's capacity type, zone and partition. Types share their requirement objects, so each object is parsed only once. */
const offeringPlace = ({ requirements }: Offering): Place => {
  const known = places.get(requirements)
  if (known !== undefined) return known
  const place = {
    capacityType: singleValue(requirements, labels.capacityType) ?? '',
    zone: singleValue(requirements, labels.zone) ?? '',
    partition: singleValue(requirements, awsLabels.placementGroupPartition),
  }
  places.set(requirements, place)
  return place
}

/**
 * Resolves the instance types of node classes (`providers/aws/docs/spec/aws.md#instance-types`, `providers/aws/docs/spec/aws.md#offerings`). Unchanged types
 * are returned as the same objects, because the engine caches results by identity.
 */
export class TypeResolver {
  readonly #deps: TypeResolverDeps
  /**
   * The instance types by the name of the node class. Each entry takes tens of megabytes, so the cache keeps only the current entry of a
   * class.
   */
  readonly #resolved = new Map<string, Resolved>()
  /** For each node class (by name), the error that prevented counting its reservations. Kept for a short time. */
  readonly #refused: TtlCache<string, { readonly error: NotKnownYetError; readonly isPermission: boolean }>

  constructor(deps: TypeResolverDeps) {
    this.#deps = deps
    this.#refused = new TtlCache(deps.clock, { ttl: MOMENT })
  }

  /**
   * Returns all types. Offerings that lack capacity are unavailable.
   *
   * @throws Error while the types of the region, or the zones, placement group or free reservations of the node class are unknown.
   */
  async resolve(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const { regionTypes, groups, insufficient, reservations, declared } = this.#deps
    await regionTypes.ensure(signal)
    const group = await groups.need(nodeClass.spec.placementGroupSelector, signal)
    await this.#countReservations(nodeClass, signal)
    const resolved = this.#resolvedFor(nodeClass, group)
    const scope = classScope(nodeClassKey(nodeClass))
    const isSame = resolved.scope === scope && resolved.sequence === insufficient.sequence
    if (!isSame || resolved.reservations !== reservations.sequence) {
      resolved.scope = scope
      resolved.sequence = insufficient.sequence
      resolved.reservations = reservations.sequence
      resolved.handedOut = this.#current(resolved)
    }
    return declared.apply(resolved.handedOut)
  }

  /** Returns a predicate that is true if the node class can launch instances of a resolved instance type, provided there is capacity. */
  compatibleWith(nodeClass: EC2NodeClass): (type: InstanceType) => boolean {
    const group = this.#deps.groups.known(nodeClass.spec.placementGroupSelector)
    const { traits } = this.#resolvedFor(nodeClass, group)
    return ({ name }) => {
      const type = this.#deps.regionTypes.get(name)
      return type !== undefined && findIncompatibility(type, traits) === undefined
    }
  }

  /** Removes the cached types of a deleted node class. */
  forget(name: string): void {
    this.#resolved.delete(name)
  }

  /**
   * Reads the free capacity of the reservations in the status, because it is unknown after a start. It must not count as zero: the user
   * already pays for that capacity, and Kerf must not buy it a second time.
   */
  async #countReservations({ metadata, spec, status }: EC2NodeClass, signal: AbortSignal): Promise<void> {
    const { reservations, reservedCapacity, log } = this.#deps
    const selected = status?.capacityReservations ?? []
    if (!reservedCapacity || selected.every(({ id }) => reservations.isCounted(id))) return
    const EC2NodeClass = { name: metadata.name }
    const refused = this.#refused.get(EC2NodeClass.name)
    if (refused !== undefined) {
      if (refused.isPermission) return
      throw refused.error
    }
    try {
      await reservations.find(spec.capacityReservationSelectorTerms ?? [], signal)
    } catch (error) {
      signal.throwIfAborted()
      const { class: kind, code } = classifyAwsFailure(error)
      const isPermission = kind === 'unauthorized'
      const unknown = new NotKnownYetError(
        `EC2 did not return the remaining capacity of the capacity reservations of EC2NodeClass ${EC2NodeClass.name} (${code})`,
        { cause: error },
      )
      this.#refused.set(EC2NodeClass.name, { error: unknown, isPermission }, isPermission ? MINUTE : MOMENT)
      if (!isPermission) throw unknown
      // Without this permission, Kerf plans without reservations. Otherwise it could not plan at all.
      log.warn('not authorized to read the remaining capacity of capacity reservations, so they are not used', {
        EC2NodeClass,
        code,
      })
    }
  }

  #resolvedFor(nodeClass: EC2NodeClass, group: PlacementGroup | undefined): Resolved {
    const { name } = nodeClass.metadata
    this.#requireKnown(nodeClass)
    const traits = nodeClassTraits(nodeClass, group)
    const key = this.#keyOf(nodeClass, traits)
    const known = this.#resolved.get(name)
    if (known?.key === key) return known
    const market = this.#market(nodeClass)
    const base = this.#types(nodeClass, traits, market)
    const { sequence } = this.#deps.reservations
    const scope = classScope(nodeClassKey(nodeClass))
    const resolved: Resolved = {
      key,
      traits,
      market,
      base,
      handedOut: base,
      scope,
      sequence: 0,
      reservations: sequence,
    }
    this.#resolved.set(name, resolved)
    return resolved
  }

  /**
   * Checks that all inputs of the node class's instance types are known.
   * @throws KerfError while an input is unknown.
   */
  #requireKnown({ metadata: { name }, spec, status }: EC2NodeClass): void {
    const { regionTypes } = this.#deps
    const unusable = (problem: string) => providerErrors.NodeClassUnusable({ problem: `EC2NodeClass ${problem}` })
    if (regionTypes.types.length === 0)
      throw providerErrors.IncompleteAnswer({ problem: 'EC2 returned no instance types' })
    if (regionTypes.zones.length === 0)
      throw providerErrors.IncompleteAnswer({ problem: 'EC2 returned no zones with instance types' })
    if ((status?.subnets ?? []).length === 0) throw unusable(`${name} has no subnets yet`)
    const family = nodeClassAmiFamily(spec)
    if (!isKnownFamily(family)) throw unusable(`${name} has the unknown family ${family}`)
  }

  #keyOf({ spec, status }: EC2NodeClass, traits: NodeClassTraits): string {
    const { regionTypes, prices, overlayPrices, declared, discoveredMemory, shiftedZones } = this.#deps
    return JSON.stringify([
      { ...traits, zones: [...traits.zones].toSorted() },
      spec.kubelet,
      // The subnets are sorted here, because their order by free addresses does not affect the instance types.
      (status?.subnets ?? []).map(({ id, zone }) => `${id} ${zone}`).toSorted(),
      status?.amis?.map(({ id }) => id),
      [...shiftedZones()],
      regionTypes.sequence,
      prices.sequence,
      [...overlayPrices.current()],
      declared.version,
      discoveredMemory.sequence,
    ])
  }

  #market({ status }: EC2NodeClass): Market {
    const { regionTypes, prices, overlayPrices, declared, shiftedZones, reservations, reservedCapacity } = this.#deps
    const overlaid = overlayPrices.current()
    return {
      prices: {
        onDemand: (type) =>
          prices.onDemand(type) ?? overlaid.get(type) ?? declared.find(type, capacityTypes.onDemand)?.price,
        spot: (type, zone) =>
          prices.spot(type, zone) ?? overlaid.get(type) ?? declared.find(type, capacityTypes.spot, zone)?.price,
      },
      insufficient: { reasonFor: () => undefined },
      zones: regionTypes.zones,
      subnets: new Map(
        [...Map.groupBy(status?.subnets ?? [], ({ zone }) => zone)].map(([zone, list]) => [
          zone,
          list.map(({ id }) => id),
        ]),
      ),
      shiftedZones: shiftedZones(),
      reservationCapacity: (id) => reservations.left(id),
      reservedCapacity,
    }
  }

  #types(nodeClass: EC2NodeClass, traits: NodeClassTraits, market: Market): readonly InstanceType[] {
    const { regionTypes, discoveredMemory, settings } = this.#deps
    return regionTypes.types.map((type) => {
      const name = type.InstanceType ?? ''
      const memory = discoveredMemory.get(nodeClass, name)
      return awsInstanceType({
        type,
        facts: regionTypes.factsOf(name),
        traits,
        settings,
        market,
        offeredIn: regionTypes.offeredIn(name),
        ...(memory === undefined ? {} : { discoveredMemory: memory }),
      })
    })
  }

  /** Returns the instance types with their current availability. Unchanged types are the same objects. */
  #current({ traits, market, base, handedOut, scope }: Resolved): readonly InstanceType[] {
    const { insufficient, regionTypes } = this.#deps
    const reserved = new Set(traits.reservations.map(({ instanceType }) => instanceType))
    const isOut = (type: InstanceType, offering: Offering): boolean => {
      const { partition, ...place } = offeringPlace(offering)
      const coordinates = { ...place, instanceType: type.name }
      const scopes = [
        ...capacityScopes(traits.placementGroup, partition),
        quotaScope(type.name, place.capacityType),
        scope,
      ]
      const subnets = market.subnets.get(coordinates.zone) ?? []
      return insufficient.reasonFor(coordinates, { scopes, subnets }) !== undefined
    }
    const current = base.map((type, index) => {
      const ec2Type = regionTypes.get(type.name)
      const fresh =
        reserved.has(type.name) && ec2Type !== undefined
          ? awsOfferings(ec2Type, traits, market, regionTypes.offeredIn(type.name))
          : type.offerings
      const offerings = fresh.map((offering) =>
        offering.available && isOut(type, offering) ? { ...offering, available: false } : offering,
      )
      const before = handedOut[index]
      const same = (other: InstanceType): boolean =>
        other.offerings.length === offerings.length &&
        other.offerings.every(
          (each, at) =>
            each.available === offerings[at]?.available &&
            each.reservationCapacity === offerings[at]?.reservationCapacity,
        )
      if (same(type)) return type
      return before !== undefined && same(before) ? before : { ...type, offerings }
    })
    return current.every((type, index) => type === handedOut[index]) ? handedOut : current
  }
}
