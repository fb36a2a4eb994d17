import { formatTime, type Milliseconds } from '@kerf/apis'
import type { Machine, MachineRequest } from '../../api/machine-shapes.ts'
import { AksError, ArmError, type ArmResponse } from './arm-response.ts'
import { type FakeOffer, LOCATION } from './fake-offer.ts'
import { type FakeVms, type OrderedFailure, VM_TYPE } from './fake-vms.ts'
import type { ResourceStore } from './resource-store.ts'

export const MACHINE_POOL = 'kerf'
/** The number that AKS assigned to the cluster's VMs. */
const NUMBER = '12345678'
const PAGE = 50
const UPDATE: Milliseconds = 2_000

/**
 * `provisioningState` is a string in the specification. These are the states that karpenter-provider-azure 352646f waits for and
 * acts on.
 */
type State = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'Deleting'

/** Returns the `LocalDNSState` of the specification for a mode. */
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
 * The machines of an AKS pool in the mode Machines. AKS creates their VMs, and deletes them with their resources. If Azure lacks capacity,
 * AKS accepts the machine and reports the failure in it, either immediately or after an attempt.
 * The fields are those of Machine.tsp and AgentPool.tsp. Read-only fields have the format of the example MachineCreate_Update of
 * 2025-10-02-preview (`operations.ts` names the files). These sources define no errors. Unless a comment states otherwise, the codes,
 * statuses and texts of errors are those of karpenter-provider-azure 352646f's fakes (pkg/fake/aksmachinesapi.go, aksagentpoolsapi.go).
 */
export class FakeMachines {
  readonly #store: ResourceStore
  readonly #offer: FakeOffer
  readonly #vms: FakeVms
  readonly #group: string
  readonly #machines = new Map<string, StoredMachine>()
  /** The names of existing pools. */
  pools: ReadonlySet<string> = new Set([MACHINE_POOL])
  /** If set, machines are refused immediately. */
  refusal: OrderedFailure | undefined

  constructor(deps: {
    readonly store: ResourceStore
    readonly offer: FakeOffer
    readonly vms: FakeVms
    readonly group: string
  }) {
    this.#store = deps.store
    this.#offer = deps.offer
    this.#vms = deps.vms
    this.#group = deps.group
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
    // The specification has two patterns for the name. The second one, which is used here, includes the first one.
    if (!/^[a-z0-9A-Z][-_a-zA-Z0-9]{0,39}$/.test(name))
      throw new AksError(400, 'InvalidParameter', `The machine name ${name} is invalid`)
    const before = this.#machines.get(name)
    const ifMatch = headers['if-match']
    // The specification contains the header and "the normal eTag convention". The status is that of RFC 9110, 13.1.1.
    if (ifMatch !== undefined && ifMatch !== `"${before?.version ?? 0}"`)
      throw new AksError(412, 'PreconditionFailed', 'The condition of if-match is not met.')
    if (before !== undefined) return this.#again(before, request)
    if (this.refusal !== undefined) throw new AksError(400, this.refusal.code, this.refusal.message)
    const nodeImageVersion = request.properties.nodeImageVersion ?? ''
    // This error is an assumption, because AKS documents none for a missing image.
    if (!this.#offer.hasImage(nodeImageVersion.split('-').at(-1) ?? ''))
      throw new AksError(400, 'InvalidParameter', `The node image version ${nodeImageVersion} is not offered.`)
    const created = { name, request, nodeImageVersion, state: 'Creating', createdAt: this.#store.wallTime() } as const
    const failure = this.#vms.refusalOf(this.#vmOf(request))
    const machine: StoredMachine = { ...created, version: 1 }
    this.#machines.set(name, machine)
    const answer = { status: 201, machine: this.#body(machine), takes: this.#vms.durations.creation } as const
    // The first response reports the state Creating, even if the creation fails. Only a repeated request returns the failure.
    if (failure === undefined) this.#begin(machine)
    else this.#set(machine, { state: 'Failed', failure })
    return answer
  }

  /** Returns the failure of a machine's creation, as its pending operation reports it. */
  failureOf(name: string): OrderedFailure | undefined {
    return this.#machines.get(name)?.failure
  }

  /** Returns how long the deletion takes. */
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

  /** Removes the machine immediately, with its VM. */
  end(name: string): void {
    this.#machines.delete(name)
    const vm = this.#vmNameOf(name)
    this.#store.remove(VM_TYPE, vm)
    this.#vms.onGone?.(vm)
  }

  /** Adds a machine as if an earlier run had created it. */
  plant(name: string, request: MachineRequest, age: Milliseconds, nodeImageVersion: string): string {
    const createdAt = this.#store.wallTime() - age
    this.#machines.set(name, { name, request, nodeImageVersion, state: 'Succeeded', createdAt, version: 1 })
    this.#putVm(name, request)
    return this.vmIdOf(name)
  }

  /** Sets the drift action that AKS reports after a change of the cluster. */
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

  /** Updates a machine. Only its tags may change, and it is `Updating` until AKS has written them. */
  #again(before: StoredMachine, request: MachineRequest): Accepted {
    // A machine without a priority is `Regular`, the default in the specification.
    const sizeOf = ({ properties, zones }: MachineRequest): string =>
      JSON.stringify([properties.hardware?.vmSize, properties.priority ?? 'Regular', zones])
    if (sizeOf(before.request) !== sizeOf(request))
      throw new AksError(400, 'OperationNotAllowed', `Changing the size of machine ${before.name} is not allowed.`)
    // Resource Manager returns this error while another operation is in progress. Upstream's fakes delete machines immediately.
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

  /** Stores the VM, which Resource Graph lists among those of Kerf. */
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
        // A response contains read-only fields next to writable ones.
        kubernetes: {
          ...kubernetes,
          ...{ currentOrchestratorVersion: kubernetes?.orchestratorVersion, nodeName: this.#vmNameOf(name) },
        },
        ...(localDNSProfile === undefined
          ? {}
          : { localDNSProfile: { ...localDNSProfile, ...{ state: localDnsState(localDNSProfile) } } }),
        // A regular machine has no priority, according to the comment in upstream's code that reads the field (aksmachineinstanceutils.go).
        ...(priority === 'Spot' ? { priority } : {}),
        nodeImageVersion,
        // A machine that failed before it had a VM has no resource ID.
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
