import { formatTime, type Milliseconds } from '@kerf/apis'
import type { Machine, MachineRequest } from '../../api/machine-shapes.ts'
import { AksError, ArmError, type ArmResponse } from './arm-response.ts'
import { type FakeOffer, LOCATION } from './fake-offer.ts'
import { type FakeVms, type OrderedFailure, VM_TYPE } from './fake-vms.ts'
import type { ResourceStore } from './resource-store.ts'

export const MACHINE_POOL = 'kerf'
/** AKS's own number of the cluster's VMs. */
const NUMBER = '12345678'
const PAGE = 50
const UPDATE: Milliseconds = 2_000

/** `provisioningState` is a text in the specification; these are what karpenter-provider-azure 352646f waits for and acts on. */
type State = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'Deleting'

/** `LocalDNSState` of the specification: what becomes of the mode. */
const localDnsState = ({ mode }: { readonly mode?: string | undefined }): 'Enabled' | 'Disabled' =>
  mode === 'Required' ? 'Enabled' : 'Disabled'

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

interface Accepted {
  readonly status: 200 | 201
  readonly machine: Machine
  readonly takes: Milliseconds
}

/**
 * The machines of one AKS pool, in the mode Machines. AKS makes their VMs, and deletes them with what belongs to them. What Azure
 * has no room for AKS accepts, and says so in the machine: at once, or once it has tried.
 *
 * Fields are those of Machine.tsp and AgentPool.tsp, and read-only ones have the form that the example MachineCreate_Update of
 * 2025-10-02-preview gives them (`operations.ts` names the files). Neither has refusals: their codes, statuses and texts are those of
 * karpenter-provider-azure 352646f's fakes (pkg/fake/aksmachinesapi.go, aksagentpoolsapi.go), and where one is not in them, the
 * comment beside it says so.
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
      throw new AksError(404, 'NotFound', `Could not find the machine: ${name} in agent pool: ${pool}`)
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

  put(pool: string, name: string, request: MachineRequest, headers: Readonly<Record<string, string>>): Accepted {
    this.#poolIsThere(pool)
    // The second form of the specification's pattern, which has the first in it.
    if (!/^[a-z0-9A-Z][-_a-zA-Z0-9]{0,39}$/.test(name))
      throw new AksError(400, 'InvalidParameter', `The machine name ${name} is invalid`)
    const before = this.#machines.get(name)
    const ifMatch = headers['if-match']
    // The specification has the header and "the normal eTag convention"; the status is that of RFC 9110, 13.1.1.
    if (ifMatch !== undefined && ifMatch !== `"${before?.version ?? 0}"`)
      throw new AksError(412, 'PreconditionFailed', 'The condition of if-match is not met.')
    if (before !== undefined) return this.#again(before, request)
    if (this.refusal !== undefined) throw new AksError(400, this.refusal.code, this.refusal.message)
    const nodeImageVersion = request.properties.nodeImageVersion ?? ''
    // Of nobody: what AKS says of an image that it does not have is not known.
    if (!this.#offer.hasImage(nodeImageVersion.split('-').at(-1) ?? ''))
      throw new AksError(400, 'InvalidParameter', `The node image version ${nodeImageVersion} is not offered.`)
    const created = { name, request, nodeImageVersion, state: 'Creating', createdAt: this.#store.wallTime() } as const
    const failure = this.#vms.refusalOf(this.#vmOf(request))
    const machine: StoredMachine = { ...created, version: 1 }
    this.#machines.set(name, machine)
    const answer = { status: 201, machine: this.#body(machine), takes: this.#vms.durations.creation } as const
    // Whoever asks again at once is told.
    if (failure === undefined) this.#begin(machine)
    else this.#set(machine, { state: 'Failed', failure })
    return answer
  }

  /** What the creation of a machine failed with, as the change of it is told. */
  failureOf(name: string): OrderedFailure | undefined {
    return this.#machines.get(name)?.failure
  }

  /** Answers how long it takes. */
  delete(pool: string, names: readonly string[]): Milliseconds {
    this.#poolIsThere(pool)
    const there = names.filter((name) => this.#machines.has(name))
    if (there.length === 0) {
      const valid = [...this.#machines.keys()].join(', ')
      throw new ArmError(
        400,
        'InvalidParameter',
        `Cannot find any valid machines to delete. Please check your input machine names. The valid machines to delete in agent pool '${pool}' are: ${valid}.`,
      )
    }
    for (const name of there) {
      const machine = this.#machines.get(name)
      if (machine === undefined || machine.state === 'Deleting') continue
      this.#set(machine, { state: 'Deleting' })
      this.#store.after(this.#vms.durations.deletion, () => this.end(name))
    }
    return this.#vms.durations.deletion
  }

  /** It is gone at once, with its VM. */
  end(name: string): void {
    this.#machines.delete(name)
    const vm = this.#vmNameOf(name)
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

  /** A machine keeps what it was made with; its tags may change, and until AKS has written them it is `Updating`. */
  #again(before: StoredMachine, request: MachineRequest): Accepted {
    // Without a priority it is `Regular`: the default in the specification.
    const sizeOf = ({ properties, zones }: MachineRequest): string =>
      JSON.stringify([properties.hardware?.vmSize, properties.priority ?? 'Regular', zones])
    if (sizeOf(before.request) !== sizeOf(request))
      throw new AksError(400, 'OperationNotAllowed', `Changing the size of machine ${before.name} is not allowed.`)
    // As Resource Manager answers for a resource that another operation holds; upstream's fakes end machines at once.
    if (before.state === 'Deleting')
      throw new AksError(409, 'OperationNotAllowed', `Machine ${before.name} is being deleted.`)
    const { name, state } = before
    this.#set(before, { request, ...(state === 'Succeeded' ? { state: 'Updating' } : {}) })
    this.#putVm(name, request)
    this.#store.after(UPDATE, () => {
      const machine = this.#machines.get(name)
      if (machine?.state === 'Updating') this.#set(machine, { state: 'Succeeded' })
    })
    return { status: 200, machine: this.get(MACHINE_POOL, name), takes: UPDATE }
  }

  /** The VM, which Resource Graph shows among those of Kerf. */
  #putVm(name: string, request: MachineRequest): void {
    const id = this.vmIdOf(name)
    const vm = this.#vmNameOf(name)
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
    const { priority, kubernetes, localDNSProfile, ...properties } = request.properties
    return {
      id: `${this.#group.replace(/resourceGroups\/[^/]+/, 'resourcegroups/demo')}/Microsoft.ContainerService/managedClusters/demo/agentPools/${MACHINE_POOL}/machines/${name}`,
      name,
      ...(request.zones === undefined ? {} : { zones: request.zones }),
      properties: {
        ...properties,
        // Read-only fields stand among those that are written.
        kubernetes: {
          ...kubernetes,
          ...{ currentOrchestratorVersion: kubernetes?.orchestratorVersion, nodeName: this.#vmNameOf(name) },
        },
        ...(localDNSProfile === undefined
          ? {}
          : { localDNSProfile: { ...localDNSProfile, ...{ state: localDnsState(localDNSProfile) } } }),
        // A regular one says nothing: upstream's comment on the priority that it reads (aksmachineinstanceutils.go).
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
    return this.#store.get(VM_TYPE, this.#vmNameOf(name)) !== undefined
  }

  #vmNameOf(name: string): string {
    return this.vmIdOf(name).split('/').at(-1) ?? ''
  }

  #poolIsThere(pool: string): void {
    if (!this.pools.has(pool)) throw new AksError(404, 'NotFound', `Could not find the agent pool: ${pool}`)
  }
}
