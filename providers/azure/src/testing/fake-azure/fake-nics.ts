import type { Milliseconds } from '@kerf/apis'
import type { NetworkInterface } from '../../api/network-shapes.ts'
import { ArmError, notFound } from './arm-response.ts'
import type { FakeOffer } from './fake-offer.ts'
import type { ResourceStore, StoredResource } from './resource-store.ts'

const NIC_TYPE = 'microsoft.network/networkinterfaces'
/** How long Azure reserves an interface, according to its error message. */
const RESERVED_FOR: Milliseconds = 180_000
const DELETION: Milliseconds = 1_000

export interface FakeNic extends NetworkInterface {
  readonly properties: NonNullable<NetworkInterface['properties']>
}

/** The network interfaces of the node resource group. */
export class FakeNics {
  readonly #store: ResourceStore
  readonly #offer: FakeOffer
  readonly #group: string
  readonly #idOf: (name: string) => string
  readonly #creation: Milliseconds
  readonly #reserved = new Map<string, { readonly vm: string; readonly until: Milliseconds }>()
  /** The number of free addresses in the subnets. Undefined means no limit. */
  addresses: number | undefined
  /** The IDs of existing backend pools. */
  pools: ReadonlySet<string> = new Set()

  constructor(
    store: ResourceStore,
    offer: FakeOffer,
    group: string,
    idOf: (name: string) => string,
    creation: Milliseconds,
  ) {
    this.#store = store
    this.#offer = offer
    this.#group = group
    this.#idOf = idOf
    this.#creation = creation
  }

  all(): readonly StoredResource[] {
    return this.#store.of(NIC_TYPE)
  }

  /** Returns the IDs of the configurations with an address in a subnet. */
  configurationsIn(subnet: string): readonly string[] {
    return this.all().flatMap((nic) =>
      (bodyOf(nic).properties.ipConfigurations ?? [])
        .filter(({ properties }) => properties.subnet.id?.toLowerCase() === subnet.toLowerCase())
        .map(({ name }) => `${this.#idOf(nic.name)}/ipConfigurations/${name}`),
    )
  }

  get(name: string): StoredResource {
    const found = this.#store.get(NIC_TYPE, name)
    if (found === undefined) throw notFound('Microsoft.Network/networkInterfaces', name, this.#group)
    return found
  }

  /** Creates the interface, or updates its writable fields. Returns how long that takes. */
  put(
    name: string,
    body: FakeNic,
  ): { readonly resource: StoredResource; readonly isNew: boolean; readonly takes: Milliseconds } {
    const before = this.#store.get(NIC_TYPE, name)
    const { ipConfigurations = [] } = body.properties
    for (const { properties } of ipConfigurations) {
      this.#subnetIsThere(properties.subnet.id ?? '')
      for (const { id = '' } of properties.loadBalancerBackendAddressPools ?? [])
        if (!this.pools.has(id))
          throw new ArmError(
            400,
            'InvalidResourceReference',
            `Resource ${id} referenced by resource ${this.#idOf(name)} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
          )
    }
    const needed = ipConfigurations.length
    const held = before === undefined ? 0 : (bodyOf(before).properties.ipConfigurations ?? []).length
    if (this.addresses !== undefined) {
      if (needed - held > this.addresses)
        throw new ArmError(
          400,
          'SubnetIsFull',
          `Subnet nodes with address prefix 10.0.0.0/28 does not have enough capacity for ${needed} IP addresses.`,
        )
      this.addresses -= needed - held
    }
    const { virtualMachine } = before === undefined ? {} : bodyOf(before).properties
    const resource: StoredResource = {
      type: NIC_TYPE,
      name,
      id: this.#idOf(name),
      body: {
        ...body,
        name,
        id: this.#idOf(name),
        type: 'Microsoft.Network/networkInterfaces',
        properties: {
          ...body.properties,
          provisioningState: this.#creation === 0 ? 'Succeeded' : 'Updating',
          ...(virtualMachine === undefined ? {} : { virtualMachine }),
        },
      },
    }
    this.#store.put(resource)
    this.#store.after(this.#creation, () =>
      this.#change(name, (properties) => ({ ...properties, provisioningState: 'Succeeded' })),
    )
    return { resource, isNew: before === undefined, takes: this.#creation }
  }

  updateTags(name: string, tags: NetworkInterface['tags']): StoredResource {
    const found = this.get(name)
    const changed = { ...found, body: { ...found.body, tags } }
    this.#store.put(changed)
    return changed
  }

  /**
   * Starts the deletion. Returns how long it takes.
   *
   * @throws ArmError while a VM uses it, and for 180 seconds after the failure of the VM for which it was created.
   */
  delete(name: string): Milliseconds {
    const { virtualMachine } = bodyOf(this.get(name)).properties
    if (virtualMachine !== undefined)
      throw new ArmError(
        400,
        'NicInUse',
        `Network Interface ${this.#idOf(name)} is used by existing resource ${virtualMachine.id}. In order to delete the network interface, it must be dissociated from the resource.`,
      )
    this.#isFree(name, undefined)
    this.#change(name, (properties) => ({ ...properties, provisioningState: 'Deleting' }))
    this.#store.after(DELETION, () => this.remove(name))
    return DELETION
  }

  /** Attaches the interface to a VM. */
  attach(name: string, vm: string): void {
    const { virtualMachine } = bodyOf(this.get(name)).properties
    if (virtualMachine !== undefined && virtualMachine.id !== vm)
      throw new ArmError(
        409,
        'NicInUse',
        `Network Interface ${this.#idOf(name)} is used by existing resource ${virtualMachine.id}.`,
      )
    this.#isFree(name, vm)
    this.#change(name, (properties) => ({ ...properties, virtualMachine: { id: vm } }))
  }

  /** Detaches the interface from its deleted VM. */
  detach(name: string): void {
    if (this.#store.get(NIC_TYPE, name) === undefined) return
    this.#change(name, ({ virtualMachine: _gone, ...rest }) => rest)
  }

  /** Reserves the interface because its VM has failed. */
  reserve(name: string, vm: string): void {
    this.#reserved.set(name.toLowerCase(), { vm, until: this.#store.now + RESERVED_FOR })
  }

  remove(name: string): void {
    const found = this.#store.get(NIC_TYPE, name)
    if (found === undefined) return
    if (this.addresses !== undefined) this.addresses += (bodyOf(found).properties.ipConfigurations ?? []).length
    this.#store.remove(NIC_TYPE, name)
  }

  #isFree(name: string, vm: string | undefined): void {
    const reserved = this.#reserved.get(name.toLowerCase())
    if (reserved === undefined || reserved.until <= this.#store.now || reserved.vm === vm) return
    throw new ArmError(
      400,
      'NicReservedForAnotherVm',
      `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: ${reserved.vm}`,
    )
  }

  #subnetIsThere(id: string): void {
    if ([...this.#offer.subnets].some((known) => known.toLowerCase() === id.toLowerCase())) return
    throw new ArmError(
      400,
      'InvalidResourceReference',
      `Resource ${id} referenced by a network interface was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
    )
  }

  #change(name: string, change: (properties: FakeNic['properties']) => FakeNic['properties']): void {
    const found = this.#store.get(NIC_TYPE, name)
    if (found === undefined) return
    this.#store.put({ ...found, body: { ...found.body, properties: change(bodyOf(found).properties) } })
  }
}

/** The store contains only bodies that were checked against the schema. */
const bodyOf = ({ body }: StoredResource): FakeNic => body as unknown as FakeNic
