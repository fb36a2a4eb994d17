import { capacityTypes, formatTime, type Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'
import type { Vm } from '../../api/compute-shapes.ts'
import { REGIONAL, zoneLabel } from '../../instance-type/zones.ts'
import { ArmError, notFound } from './arm-response.ts'
import type { FakeNics } from './fake-nics.ts'
import { type FakeOffer, LOCATION } from './fake-offer.ts'
import type { ResourceStore, StoredResource } from './resource-store.ts'

export const VM_TYPE = 'microsoft.compute/virtualmachines'
const DISK_TYPE = 'microsoft.compute/disks'

export interface FakeVm extends Vm {
  readonly id: string
  readonly name: string
  readonly properties: NonNullable<Vm['properties']>
}

/** A failure of Azure that a test injects. */
export interface OrderedFailure {
  readonly code: string
  readonly message: string
}

export interface Durations {
  /** How long the creation of a network interface takes. Most interfaces exist as soon as the answer is sent. */
  readonly nic: Milliseconds
  readonly creation: Milliseconds
  readonly deletion: Milliseconds
}

/** The store contains only bodies that were checked against the schema. */
export const vmBody = ({ body }: StoredResource): FakeVm => body as unknown as FakeVm

const lastOf = (id: string | undefined): string => (id ?? '').split('/').at(-1) ?? ''

/** Returns Azure's error for a size without capacity, depending on the request (`providers/azure/docs/spec/azure.md#error-classification`). */
const outOfStock = (zone: string | undefined): OrderedFailure =>
  zone === undefined
    ? {
        code: 'OverconstrainedAllocationRequest',
        message:
          'Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some constraints and try again.',
      }
    : {
        code: 'OverconstrainedZonalAllocationRequest',
        message:
          'Allocation failed. VM(s) with the following constraints cannot be allocated in the selected zone, because the condition is too restrictive.',
      }

/** The VMs of the node resource group and their disks. */
export class FakeVms {
  readonly #store: ResourceStore
  readonly #offer: FakeOffer
  readonly #nics: FakeNics
  readonly #group: string
  readonly #idOf: (type: string, name: string) => string
  readonly #newId: () => string
  readonly #failures = new Map<string, OrderedFailure>()
  readonly durations: Durations
  /** Offerings that Azure refuses immediately. */
  stockOuts: OfferingPattern[] = []
  /** Offerings in which Azure accepts a VM and later fails to create it. */
  laterFailures: { readonly pattern: OfferingPattern; readonly failure: OrderedFailure }[] = []
  /** Called when a VM runs, when its creation fails later, and when it is gone. */
  onRunning: ((vm: FakeVm) => void) | undefined
  onFailed: ((name: string) => void) | undefined
  onGone: ((name: string) => void) | undefined

  constructor(deps: {
    readonly store: ResourceStore
    readonly offer: FakeOffer
    readonly nics: FakeNics
    readonly group: string
    readonly idOf: (type: string, name: string) => string
    readonly durations: Durations
    readonly newId: () => string
  }) {
    this.#store = deps.store
    this.#offer = deps.offer
    this.#nics = deps.nics
    this.#group = deps.group
    this.#idOf = deps.idOf
    this.durations = deps.durations
    this.#newId = deps.newId
  }

  all(): readonly StoredResource[] {
    return this.#store.of(VM_TYPE)
  }

  get(name: string): StoredResource {
    const found = this.#store.get(VM_TYPE, name)
    if (found === undefined) throw notFound('Microsoft.Compute/virtualMachines', name, this.#group)
    return found
  }

  /** Returns the failure of a VM that was accepted but could not be created. */
  failureOf(name: string): OrderedFailure | undefined {
    return this.#failures.get(name.toLowerCase())
  }

  /** Returns the cores in use, as the usages API counts them. */
  used(): ReadonlyMap<string, number> {
    const used = new Map<string, number>()
    const add = (key: string, cores: number): void => void used.set(key, (used.get(key) ?? 0) + cores)
    for (const resource of this.all()) {
      const { properties } = vmBody(resource)
      const { family, cores } = this.#sizeOf(properties.hardwareProfile?.vmSize ?? '')
      if (properties.priority === 'Spot') add('lowPriorityCores', cores)
      else {
        add(family, cores)
        add('cores', cores)
      }
    }
    return used
  }

  put(
    name: string,
    body: Vm,
    { hasImageToken }: { readonly hasImageToken: boolean },
  ): { readonly resource: StoredResource; readonly isNew: boolean; readonly takes: Milliseconds } {
    const before = this.#store.get(VM_TYPE, name)
    if (before !== undefined) return { resource: this.#again(before, body), isNew: false, takes: 0 }
    this.#imageIsThere(body, hasImageToken)
    const { properties = {} } = body
    const nics = (properties.networkProfile?.networkInterfaces ?? []).map(({ id }) => lastOf(id))
    const [nic] = nics
    if (nic === undefined || nics.length !== 1)
      throw new ArmError(400, 'InvalidParameter', 'Virtual machine must have at least one network interface.')
    this.#refuse(body)
    const id = this.#idOf('virtualMachines', name)
    this.#nics.attach(nic, id)
    this.#failures.delete(name.toLowerCase())
    const { osProfile, ...rest } = properties
    // Azure never returns the custom data.
    const { customData: _secret, ...os } = osProfile ?? {}
    const resource: StoredResource = {
      type: VM_TYPE,
      name,
      id,
      body: {
        ...body,
        name,
        id,
        type: 'Microsoft.Compute/virtualMachines',
        properties: {
          ...rest,
          osProfile: os,
          provisioningState: 'Creating',
          timeCreated: formatTime(this.#store.wallTime()),
          vmId: this.#newId(),
        },
      },
    }
    this.#store.put(resource)
    const { creation } = this.durations
    if (properties.storageProfile?.osDisk?.diffDiskSettings === undefined)
      this.#store.after(Math.min(1_000, creation), () => this.#putDisk(name))
    this.#store.after(creation, () => this.#created(name, nic, body))
    return { resource, isNew: true, takes: creation }
  }

  /** Adds a VM as if an earlier run had created it. */
  plant(name: string, vm: Omit<Vm, 'location'>, age: Milliseconds): string {
    const id = this.#idOf('virtualMachines', name)
    const at = this.#store.now - age
    const body = {
      ...{ location: LOCATION, name, id, type: 'Microsoft.Compute/virtualMachines' },
      ...vm,
      properties: {
        ...vm.properties,
        provisioningState: 'Succeeded',
        timeCreated: formatTime(this.#store.wallTime(at)),
      },
    }
    this.#store.backdate({ type: VM_TYPE, name, id, body }, Math.min(at, this.#store.now - 120_000))
    return id
  }

  update(name: string, { tags, identity }: Pick<Vm, 'tags' | 'identity'>): StoredResource {
    const found = this.get(name)
    const before = vmBody(found).identity
    const merged =
      identity === undefined
        ? before
        : {
            ...identity,
            userAssignedIdentities: { ...before?.userAssignedIdentities, ...identity.userAssignedIdentities },
          }
    const body = {
      ...found.body,
      ...(tags === undefined ? {} : { tags }),
      ...(merged === undefined ? {} : { identity: merged }),
    }
    this.#store.put({ ...found, body })
    return this.get(name)
  }

  /** Starts the deletion. Lists contain the VM until the deletion is done. Returns how long it takes. */
  delete(name: string): Milliseconds {
    const { properties } = vmBody(this.get(name))
    const { deletion } = this.durations
    if (properties.provisioningState !== 'Deleting') {
      const hasFailed = properties.provisioningState === 'Failed'
      this.#setState(name, 'Deleting')
      this.#store.after(deletion, () => this.end(name, { leavesNic: hasFailed }))
    }
    return deletion
  }

  /** Removes the VM immediately, with the resources that are deleted with it. The interface of a failed VM stays. */
  end(name: string, { leavesNic = false }: { readonly leavesNic?: boolean } = {}): void {
    const found = this.#store.get(VM_TYPE, name)
    if (found === undefined) return
    const { properties } = vmBody(found)
    this.#store.remove(VM_TYPE, name)
    for (const { id, properties: own } of properties.networkProfile?.networkInterfaces ?? []) {
      this.#nics.detach(lastOf(id))
      if (own?.deleteOption === 'Delete' && !leavesNic) this.#nics.remove(lastOf(id))
    }
    const disk = properties.storageProfile?.osDisk
    if (disk?.deleteOption === 'Delete') this.#store.remove(DISK_TYPE, disk.name ?? name)
    this.onGone?.(name)
  }

  removeDisk(name: string): void {
    const disk = this.#store.get(DISK_TYPE, name)
    if (disk === undefined) throw notFound('Microsoft.Compute/disks', name, this.#group)
    const { managedBy } = disk.body
    if (typeof managedBy === 'string' && this.#store.get(VM_TYPE, lastOf(managedBy)) !== undefined)
      throw new ArmError(409, 'OperationNotAllowed', `Disk ${name} is attached to VM ${managedBy}.`)
    this.#store.remove(DISK_TYPE, name)
  }

  #putDisk(name: string): void {
    const vm = this.#store.get(VM_TYPE, name)
    if (vm === undefined) return
    const { storageProfile } = vmBody(vm).properties
    const disk = storageProfile?.osDisk?.name ?? name
    const id = this.#idOf('disks', disk)
    const body = {
      id,
      name: disk,
      location: LOCATION,
      tags: vmBody(vm).tags,
      managedBy: vm.id,
      properties: { diskState: 'Attached' },
    }
    this.#store.put({ type: DISK_TYPE, name: disk, id, body })
  }

  #created(name: string, nic: string, body: Vm): void {
    const vm = this.#store.get(VM_TYPE, name)
    if (vm === undefined || vmBody(vm).properties.provisioningState !== 'Creating') {
      this.#failures.set(name.toLowerCase(), {
        code: 'OperationPreempted',
        message: 'Operation execution has been preempted by a more recent operation.',
      })
      return
    }
    const failure = this.laterFailureOf(body)
    if (failure === undefined) {
      this.#setState(name, 'Succeeded')
      this.onRunning?.(vmBody(this.get(name)))
      return
    }
    this.#failures.set(name.toLowerCase(), failure)
    this.#nics.reserve(nic, vm.id)
    this.#setState(name, 'Failed')
    this.onFailed?.(name)
  }

  #setState(name: string, provisioningState: string): void {
    const found = this.get(name)
    this.#store.put({
      ...found,
      body: { ...found.body, properties: { ...vmBody(found).properties, provisioningState } },
    })
  }

  /** Updates an existing VM. Only its current values are allowed. */
  #again(before: StoredResource, body: Vm): StoredResource {
    const now = vmBody(before)
    const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)
    const changed = [
      ...(differs(now.zones, body.zones) ? ['zones'] : []),
      ...(differs(now.properties.priority, body.properties?.priority) ? ['priority'] : []),
      ...(differs(now.properties.hardwareProfile, body.properties?.hardwareProfile) ? ['hardwareProfile.vmSize'] : []),
    ]
    const [first] = changed
    if (first !== undefined)
      throw new ArmError(409, 'PropertyChangeNotAllowed', `Changing property '${first}' is not allowed.`)
    return before
  }

  /**
   * Returns the reason why Azure would now refuse to create this VM, in the form in which AKS reports it. Undefined if Azure would accept
   * it.
   */
  refusalOf(body: Vm): OrderedFailure | undefined {
    try {
      this.#refuse(body)
      return undefined
    } catch (error) {
      if (error instanceof ArmError) return { code: error.code, message: error.message }
      throw error
    }
  }

  /** Returns the failure that will occur while Azure creates this VM. */
  laterFailureOf(body: Vm): OrderedFailure | undefined {
    return this.laterFailures.find(({ pattern }) => isMeantBy(pattern, this.#offeringOf(body)))?.failure
  }

  #refuse(body: Vm): void {
    const offering = this.#offeringOf(body)
    const size = offering.instanceType
    if (!this.#offer.skus.some(({ name }) => name === size))
      throw new ArmError(400, 'InvalidParameter', `The value ${size} provided for the VM size is not valid.`)
    if (this.stockOuts.some((pattern) => isMeantBy(pattern, offering))) {
      const { code, message } = outOfStock(body.zones?.[0])
      throw new ArmError(409, code, message)
    }
    const isSpot = offering.capacityType === capacityTypes.spot
    const { family, cores } = this.#sizeOf(size)
    for (const key of isSpot ? ['lowPriorityCores'] : [family, 'cores']) {
      const [limit, usage] = [this.#offer.quotas.get(key), this.used().get(key) ?? 0]
      if (limit === undefined || usage + cores <= limit) continue
      const names = new Map([
        ['lowPriorityCores', 'LowPriorityCores'],
        ['cores', 'Total Regional Cores'],
      ])
      throw new ArmError(
        409,
        'OperationNotAllowed',
        `Operation could not be completed as it results in exceeding approved ${names.get(key) ?? `${key} Cores`} quota. Additional details - Deployment Model: Resource Manager, Location: ${LOCATION}, Current Limit: ${limit}, Current Usage: ${usage}, Additional Required: ${cores}, (Minimum) New Limit Required: ${usage + cores}.`,
      )
    }
  }

  #offeringOf({ zones, properties }: Vm) {
    const [zone] = zones ?? []
    return {
      instanceType: properties?.hardwareProfile?.vmSize ?? '',
      zone: zone === undefined ? REGIONAL : zoneLabel(LOCATION, zone),
      capacityType: properties?.priority === 'Spot' ? capacityTypes.spot : capacityTypes.onDemand,
    }
  }

  #sizeOf(size: string): { readonly family: string; readonly cores: number } {
    const sku = this.#offer.skus.find(({ name }) => name === size)
    const cores = sku?.capabilities?.find(({ name }) => name === 'vCPUs')?.value ?? '0'
    return { family: sku?.family ?? '', cores: Number(cores) }
  }

  #imageIsThere({ properties }: Vm, hasImageToken: boolean): void {
    const { id, communityGalleryImageId } = properties?.storageProfile?.imageReference ?? {}
    const image = communityGalleryImageId ?? id ?? ''
    if (!this.#offer.hasImage(lastOf(image)))
      throw new ArmError(
        404,
        'GalleryImageNotFound',
        `The gallery image ${image} is not available in ${LOCATION} region.`,
      )
    if (id !== undefined && !hasImageToken)
      throw new ArmError(
        403,
        'LinkedAuthorizationFailed',
        `The client has permission to perform action 'Microsoft.Compute/galleries/images/versions/read' on scope ${id}, however the current tenant is not authorized to access linked subscription.`,
      )
  }
}
