import { kinds, type Node } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock, Informer, InformerFactory } from '@kerf/runtime'
import { hostIn } from '../addresses/address-pool.ts'
import type { NetworkInterface } from '../api/proxmox-api.ts'
import { kindOfError } from '../failures/failure-kind.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import type { Instances } from './instances.ts'

const BRIDGES_FOR = 300_000

export interface UsedAddressesDeps {
  readonly inventory: Inventory
  readonly instances: Pick<Instances, 'addressesIn'>
  readonly informers: InformerFactory
  readonly clock: Clock
}

/** The addresses in use in a Proxmox cluster, which a new guest must not get (`providers/proxmox/docs/spec/proxmox.md#address-pools`). */
export class UsedAddresses {
  readonly #deps: UsedAddressesDeps
  readonly #nodes: Informer<Node>
  readonly #bridges: ReadCache<readonly NetworkInterface[]>

  constructor(deps: UsedAddressesDeps) {
    this.#deps = deps
    this.#nodes = deps.informers.of(kinds.Node)
    this.#bridges = new ReadCache(deps.clock, { ttl: BRIDGES_FOR })
  }

  /** Returns the addresses of guests and Nodes, and those of the interfaces and gateways of hypervisors. */
  async inRegion(region: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { inventory, instances } = this.#deps
    const { hypervisors } = await inventory.read(region, signal)
    const [ofGuests, ...ofHypervisors] = await Promise.all([
      instances.addressesIn(region, signal),
      ...hypervisors.filter(({ isOnline }) => isOnline).map(({ name }) => this.bridges(region, name, signal)),
    ])
    const ofNodes = [...this.#nodes.values()].flatMap(({ status }) =>
      (status?.addresses ?? []).map(({ address }) => address),
    )
    const texts = [
      ...[...ofGuests.values()].flat(),
      ...ofNodes,
      ...ofHypervisors.flat().flatMap(({ cidr = '', gateway = '' }) => [cidr, gateway]),
    ]
    return new Set(texts.flatMap((text) => hostIn(text) ?? []))
  }

  /**
   * Returns true if a guest with a lower ID has one of the addresses. This happens if two controllers choose an address at the same time.
   */
  async isTaken(
    guest: { readonly region: string; readonly vmid: number },
    addresses: Iterable<string>,
    signal: AbortSignal,
  ) {
    const own = new Set([...addresses].flatMap((address) => hostIn(address) ?? []))
    const ofGuests = await this.#deps.instances.addressesIn(guest.region, signal)
    return [...ofGuests].some(
      ([vmid, others]) => vmid < guest.vmid && others.some((address) => own.has(hostIn(address) ?? '')),
    )
  }

  /** Returns the bridges of a hypervisor, or an empty list if the hypervisor does not respond. */
  async bridges(region: string, node: string, signal: AbortSignal): Promise<readonly NetworkInterface[]> {
    try {
      const ask = (inner: AbortSignal) => this.#deps.inventory.api(region).bridges(node, inner)
      return await this.#bridges.read(`${region}/${node}`, ask, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (kindOfError(error) !== 'unreachable') throw error
      return []
    }
  }
}
