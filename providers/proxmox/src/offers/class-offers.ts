import { type Milliseconds, toNumber, zero } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type DeclaredPrices, providerErrors } from '@kerf/provider-contract'
import { UnavailableOfferings } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { isGuestGone, kindOfError } from '../failures/failure-kind.ts'
import type { Instances } from '../guests/instances.ts'
import type { HostTopologies } from '../hypervisors/host-topologies.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import type { GuestType } from '../instance-types/guest-type.ts'
import { instanceTypes } from '../instance-types/instance-types.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { HypervisorSettingsLookup, NodePolicy } from '../settings/node-settings.ts'
import { parseZones, type SelectedZone } from '../templates/selected-zone.ts'
import type { TemplateCatalog } from '../templates/template-catalog.ts'
import { type Amount, type FreeAmount, findAllocation, freeCapacity } from './free-capacity.ts'
import { diskStorage, isoStorage, type Place, placeKey, storageProblem } from './place.ts'
import type { Reservations } from './reservations.ts'

/** How long an offering stays unavailable after Proxmox could not launch it. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000

/** The instance types of a class, and the hypervisors on which they can currently be launched, by key. */
export interface ClassOffer {
  readonly types: readonly InstanceType[]
  readonly places: ReadonlyMap<string, OfferedPlace>
}

export interface OfferedPlace extends Place {
  /** Returns the free capacity of the hypervisor, minus launches that started after this offer was computed. */
  readonly freeNow: () => FreeAmount | undefined
  /** The IDs of all guests of the Proxmox cluster. */
  readonly usedIds: ReadonlySet<number>
}

export interface ClassOffersDeps {
  readonly clock: Clock
  readonly inventory: Inventory
  readonly instances: Pick<Instances, 'inRegion' | 'pinsIn'>
  readonly catalog: TemplateCatalog
  readonly reservations: Reservations
  readonly types: readonly GuestType[]
  /** The lowest ID of Kerf's guests. */
  readonly firstId: number
  readonly hypervisors: HypervisorSettingsLookup
  readonly policy: NodePolicy
  readonly topologies: HostTopologies
  /** The prices that the user declares in the price book. */
  readonly declared: DeclaredPrices
}

/** A hypervisor, and its free capacity. */
interface PlaceState {
  readonly place: OfferedPlace
  readonly free: FreeAmount | undefined
  readonly hasStorage: boolean
}

export const guestAmount = ({ capacity }: Pick<GuestType, 'capacity'>): Amount => ({
  cpus: toNumber(capacity['cpu'] ?? zero),
  memory: toNumber(capacity['memory'] ?? zero),
})

/** Resolves the instance types of node classes (`providers/proxmox/docs/spec/proxmox.md#instance-types`). */
export class ClassOffers {
  readonly #deps: ClassOffersDeps
  /** The unavailable offerings by region, because hypervisors of different Proxmox clusters may have the same name. */
  readonly #unavailable = new Map<string, UnavailableOfferings>()
  /** The last types of each class. `key` contains the values from which they were computed. */
  readonly #last = new Map<string, { readonly key: string; readonly types: readonly InstanceType[] }>()

  constructor(deps: ClassOffersDeps) {
    this.#deps = deps
  }

  /** Makes an offering unavailable for some minutes. */
  mark(
    type: GuestType | InstanceType,
    capacityType: string,
    { region, zone }: Pick<Place, 'region' | 'zone'>,
    reason: string,
  ): void {
    this.#unavailableIn(region).mark({ instanceType: type.name, zone, capacityType }, reason)
  }

  /**
   * Returns the types of a class. Returns the same list until something changes.
   *
   * @throws KerfError `NodeClassUnusable` if the class has no zones; the error of Proxmox if no Proxmox cluster of the class responds
   */
  async resolve(nodeClass: ProxmoxNodeClass, signal: AbortSignal): Promise<ClassOffer> {
    const zones = parseZones(nodeClass.status?.selectedZones)
    const { name } = nodeClass.metadata
    if (zones.length === 0)
      throw providerErrors.NodeClassUnusable({ problem: `ProxmoxNodeClass ${name} has no zones yet` })
    const found = await this.#found(nodeClass, zones, signal)
    const { types } = this.#deps
    const isAvailable = (type: GuestType, place: Pick<Place, 'region' | 'zone'>): boolean =>
      this.#isAvailable(type, place, found)
    const bits = types.map((type) => zones.map((zone) => (isAvailable(type, zone) ? '1' : '0')).join('')).join('')
    const { maxPods } = nodeClass.spec?.kubeletConfiguration ?? {}
    const key = JSON.stringify([zones, bits, maxPods])
    const last = this.#last.get(name)
    const current = last?.key === key ? last : { key, types: instanceTypes(types, nodeClass, { zones, isAvailable }) }
    this.#last.set(name, current)
    return {
      types: this.#deps.declared.apply(current.types),
      places: new Map([...found].map(([each, { place }]) => [each, place])),
    }
  }

  #isAvailable(
    type: GuestType,
    place: Pick<Place, 'region' | 'zone'>,
    found: ReadonlyMap<string, PlaceState>,
  ): boolean {
    const here = found.get(placeKey(place))
    const offering = { instanceType: type.name, zone: place.zone, capacityType: type.capacityType }
    return (
      here?.hasStorage === true &&
      findAllocation(here.free, guestAmount(type)) !== undefined &&
      this.#unavailableIn(place.region).reasonFor(offering) === undefined
    )
  }

  /** Returns the free capacity of each zone. Omits zones of Proxmox clusters that do not respond. */
  async #found(
    nodeClass: ProxmoxNodeClass,
    zones: readonly SelectedZone[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, PlaceState>> {
    const regions = [...new Set(zones.map(({ region }) => region))]
    const answers = await Promise.allSettled(regions.map((region) => this.#inRegion(nodeClass, region, zones, signal)))
    signal.throwIfAborted()
    const [failure] = answers.filter((answer) => answer.status === 'rejected')
    if (failure !== undefined && answers.every(({ status }) => status === 'rejected')) throw failure.reason
    return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
  }

  async #inRegion(
    nodeClass: ProxmoxNodeClass,
    region: string,
    zones: readonly SelectedZone[],
    signal: AbortSignal,
  ): Promise<readonly (readonly [string, PlaceState])[]> {
    const { inventory, instances, reservations, firstId, hypervisors, policy } = this.#deps
    const state = await inventory.read(region, signal)
    const own = await instances.inRegion(region, state, signal)
    const pins = await instances.pinsIn(region, state, signal)
    const topologies = await this.#deps.topologies.inRegion(region, state, signal)
    const settings = (node: string) => hypervisors(region, node)
    const known = { instances: own, firstId, settings, policy, pins, topologies }
    const freeNow = () => freeCapacity(state, { ...known, reservations: reservations.inRegion(region) })
    const free = freeNow()
    const usedIds = new Set(state.guests.map(({ vmid }) => vmid))
    const states = await Promise.all(
      zones
        .filter((zone) => zone.region === region)
        .map(async ({ zone, template: vmid }): Promise<readonly (readonly [string, PlaceState])[]> => {
          const template = await this.#template(region, { node: zone, vmid }, signal)
          if (template === undefined) return []
          const load = state.hypervisors.find(({ name }) => name === zone)?.load ?? 0
          const storage = diskStorage(nodeClass, template)
          const place = { region, zone, template, load, storage, isoStorage: isoStorage(state, zone) }
          const hasStorage = storageProblem(state, place) === undefined
          const offered = { ...place, usedIds, freeNow: () => freeNow().get(zone) }
          return [[placeKey(place), { place: offered, free: free.get(zone), hasStorage }]]
        }),
    )
    return states.flat()
  }

  /** Returns undefined if the template is gone, or if its hypervisor does not respond. */
  async #template(region: string, ref: { readonly node: string; readonly vmid: number }, signal: AbortSignal) {
    try {
      const facts = await this.#deps.catalog.read(region, ref, signal)
      return typeof facts === 'string' ? undefined : facts
    } catch (error) {
      signal.throwIfAborted()
      if (isGuestGone(error) || kindOfError(error) === 'unreachable') return undefined
      throw error
    }
  }

  #unavailableIn(region: string): UnavailableOfferings {
    const known = this.#unavailable.get(region) ?? new UnavailableOfferings(this.#deps.clock, { ttl: UNAVAILABLE_FOR })
    this.#unavailable.set(region, known)
    return known
  }
}
