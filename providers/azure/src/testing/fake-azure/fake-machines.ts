import { formatTime, type Milliseconds } from '@kerf/apis'
import type { Machine, MachineRequest } from '../../api/machine-shapes.ts'
import { ArmError, type ArmResponse } from './arm-response.ts'
import { type FakeOffer, LOCATION } from './fake-offer.ts'
import { type FakeVms, type OrderedFailure, VM_TYPE } from './fake-vms.ts'
import type { ResourceStore } from './resource-store.ts'

export const MACHINE_POOL = 'kerf'
/** AKS's own number of the cluster's VMs. */
const NUMBER = '12345678'
const PAGE = 50

type State = 'Creating' | 'Succeeded' | 'Failed' | 'Deleting'

interface StoredMachine {
  readonly name: string
  readonly request: MachineRequest
  readonly nodeImageVersion: string
  readonly state: State
  readonly createdAt: Milliseconds
  readonly version: number
  readonly failure?: OrderedFailure
  readonly driftAction?: string
}

/**
 * The machines of one AKS pool, in the mode Machines. AKS makes their VMs, and deletes them with what belongs to them. What Azure
 * has no room for AKS accepts, and says so in the machine: at once, or once it has tried.
 */
export class FakeMachines {
  readonly #store: ResourceStore
  readonly #offer: FakeOffer
  readonly #vms: FakeVms
  readonly #group: string
  readonly #machines = new Map<string, StoredMachine>()
  /** Names of pools that there are. */
  pools: ReadonlySet<string> = new Set([MACHINE_POOL])
  /** A machine is refused at once. */
  refusal: OrderedFailure | undefined

  constructor(parts: {
    readonly store: ResourceStore
    readonly offer: FakeOffer
    readonly vms: FakeVms
    readonly group: string
  }) {
    this.#store = parts.store
    this.#offer = parts.offer
    this.#vms = parts.vms
    this.#group = parts.group
  }

  vmIdOf(name: string): string {
    return `${this.#group}/Microsoft.Compute/virtualMachines/aks-${MACHINE_POOL}-${name}-${NUMBER}-vm`
  }

  all(): readonly Machine[] {
    this.#store.settle()
    return [...this.#machines.values()].map((machine) => this.#body(machine))
  }

  get(pool: string, name: string): Machine {
    this.#poolIsThere(pool)
    const found = this.#machines.get(name)
    if (found === undefined)
      throw new ArmError(404, 'NotFound', `Could not find the machine: ${name} in agent pool: ${pool}`)
    return this.#body(found)
  }

  page(pool: string, url: URL): ArmResponse {
    this.#poolIsThere(pool)
    const from = Number(url.searchParams.get('page') ?? 0)
    const next = new URL(url)
    next.searchParams.set('page', `${from + PAGE}`)
    const value = this.all()
    return {
      status: 200,
      body: { value: value.slice(from, from + PAGE), ...(from + PAGE < value.length ? { nextLink: next.href } : {}) },
    }
  }

  put(pool: string, name: string, request: MachineRequest, headers: Readonly<Record<string, string>>): ArmResponse {
    this.#poolIsThere(pool)
    if (!/^[a-z0-9A-Z][-_a-zA-Z0-9]{0,39}$/.test(name))
      throw new ArmError(400, 'InvalidParameter', `The machine name ${name} is invalid`)
    const before = this.#machines.get(name)
    const ifMatch = headers['if-match']
    if (ifMatch !== undefined && ifMatch !== `"${before?.version ?? 0}"`)
      throw new ArmError(412, 'PreconditionFailed', 'The condition of if-match is not met.')
    if (before !== undefined) return this.#again(before, request)
    if (this.refusal !== undefined) throw new ArmError(400, this.refusal.code, this.refusal.message)
    const nodeImageVersion = request.properties.nodeImageVersion ?? ''
    if (!this.#offer.hasImage(nodeImageVersion.split('-').at(-1) ?? ''))
      throw new ArmError(400, 'InvalidParameter', `The node image version ${nodeImageVersion} is not offered.`)
    const created = { name, request, nodeImageVersion, state: 'Creating', createdAt: this.#store.wallTime() } as const
    const failure = this.#vms.refusalOf(this.#vmOf(request))
    const machine: StoredMachine = { ...created, version: 1 }
    this.#machines.set(name, machine)
    const answer = { status: 201, body: this.#body(machine) }
    // Whoever asks again at once is told.
    if (failure === undefined) this.#begin(machine)
    else this.#set(machine, { state: 'Failed', failure })
    return answer
  }

  delete(pool: string, names: readonly string[]): void {
    this.#poolIsThere(pool)
    const there = names.filter((name) => this.#machines.has(name))
    if (there.length === 0)
      throw new ArmError(400, 'InvalidParameter', `Cannot find any valid machines to delete: ${names.join(', ')}`)
    for (const name of there) {
      const machine = this.#machines.get(name)
      if (machine === undefined || machine.state === 'Deleting') continue
      this.#set(machine, { state: 'Deleting' })
      this.#store.after(this.#vms.durations.deletion, () => this.end(name))
    }
  }

  /** It is gone at once, with its VM. */
  end(name: string): void {
    this.#machines.delete(name)
    const vm = this.vmIdOf(name).split('/').at(-1) ?? ''
    this.#store.remove(VM_TYPE, vm)
    this.#vms.onGone?.(vm)
  }

  /** Takes a machine in that somebody made earlier. */
  plant(name: string, request: MachineRequest, age: Milliseconds, nodeImageVersion: string): string {
    const createdAt = this.#store.wallTime() - age
    this.#machines.set(name, { name, request, nodeImageVersion, state: 'Succeeded', createdAt, version: 1 })
    this.#putVm(name, request)
    return this.vmIdOf(name)
  }

  /** What AKS says of a machine whose cluster was changed. */
  drift(name: string, driftAction: string): void {
    const machine = this.#machines.get(name)
    if (machine !== undefined) this.#set(machine, { driftAction })
  }

  #begin({ name, request }: StoredMachine): void {
    const { creation } = this.#vms.durations
    this.#putVm(name, request)
    this.#store.after(creation, () => {
      const machine = this.#machines.get(name)
      if (machine?.state !== 'Creating') return
      const failure = this.#vms.laterFailureOf(this.#vmOf(request))
      this.#set(machine, failure === undefined ? { state: 'Succeeded' } : { state: 'Failed', failure })
    })
  }

  #set(machine: StoredMachine, change: Partial<StoredMachine>): void {
    this.#machines.set(machine.name, { ...machine, ...change, version: machine.version + 1 })
  }

  /** A machine keeps what it was made with; its tags may change. */
  #again(before: StoredMachine, request: MachineRequest): ArmResponse {
    const sizeOf = ({ properties, zones }: MachineRequest): string =>
      JSON.stringify([properties.hardware?.vmSize, properties.priority, zones])
    if (sizeOf(before.request) !== sizeOf(request))
      throw new ArmError(409, 'PropertyChangeNotAllowed', `Changing the size of machine ${before.name} is not allowed.`)
    if (before.state === 'Deleting')
      throw new ArmError(409, 'OperationNotAllowed', `Machine ${before.name} is being deleted.`)
    this.#set(before, { request })
    this.#putVm(before.name, request)
    return { status: 200, body: this.get(MACHINE_POOL, before.name) }
  }

  /** The VM, which Resource Graph shows among those of Kerf. */
  #putVm(name: string, request: MachineRequest): void {
    const id = this.vmIdOf(name)
    const vm = id.split('/').at(-1) ?? ''
    const body = { ...this.#vmOf(request), id, name: vm, tags: request.properties.tags ?? {} }
    this.#store.put({ type: VM_TYPE, name: vm, id, body })
  }

  #vmOf({ zones, properties: { hardware, priority } }: MachineRequest) {
    return {
      location: LOCATION,
      ...(zones === undefined ? {} : { zones }),
      properties: {
        hardwareProfile: { vmSize: hardware?.vmSize ?? '' },
        priority: priority === 'Spot' ? ('Spot' as const) : ('Regular' as const),
      },
    }
  }

  #body({ name, request, nodeImageVersion, state, createdAt, version, failure, driftAction }: StoredMachine): Machine {
    const { priority, ...properties } = request.properties
    return {
      id: `${this.#group.replace(/resourceGroups\/[^/]+/, 'resourcegroups/demo')}/Microsoft.ContainerService/managedClusters/demo/agentPools/${MACHINE_POOL}/machines/${name}`,
      name,
      ...(request.zones === undefined ? {} : { zones: request.zones }),
      properties: {
        ...properties,
        // A regular one says nothing.
        ...(priority === 'Spot' ? { priority } : {}),
        nodeImageVersion,
        // A machine that failed before it had a VM has none.
        ...(state === 'Failed' && !this.#hasVm(name) ? {} : { resourceId: this.vmIdOf(name) }),
        provisioningState: state,
        eTag: `"${version}"`,
        status: {
          creationTimestamp: formatTime(createdAt),
          driftAction: driftAction ?? 'Synced',
          ...(failure === undefined
            ? {}
            : { provisioningError: { code: 'CreateVMFailed', message: 'the VM failed', details: [failure] } }),
        },
      },
    }
  }

  #hasVm(name: string): boolean {
    return this.#store.get(VM_TYPE, this.vmIdOf(name).split('/').at(-1) ?? '') !== undefined
  }

  #poolIsThere(pool: string): void {
    if (!this.pools.has(pool)) throw new ArmError(404, 'NotFound', `Could not find the agent pool: ${pool}`)
  }
}
