import type { NodeClaim } from '@kerf/apis'
import { FakeAzure, type FakeVm, VM_TYPE, vmBody, vmNode } from '@kerf/provider-azure/testing'
import type { Clock, KubeClient, SeededRandom } from '@kerf/runtime'
import type { OfferingSelector } from '@kerf/sandbox'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import { AzureCalls, type CallWatcher } from './azure-calls.ts'
import type { AzureFault } from './azure-fault.ts'
import { plantForeignResources } from './foreign-resources.ts'
import { claimNameFromVm, makeProviderId } from './names.ts'
import { createPriceLookup } from './prices.ts'

export interface AzureAccountDeps extends CallWatcher {
  readonly clock: Clock
  readonly random: SeededRandom
  readonly client: KubeClient
  /** Called once for each VM that boots. Returns true if the VM never registers a Node. */
  readonly neverRegisters: () => boolean
  /** Stops the kubelet of a node whose VM is gone. */
  readonly silence: (nodeName: string) => void
  /** Called when a VM is deleted, but not by Kerf, and when Azure fails to create a VM. */
  readonly interrupted: (providerID: string) => void
  /** Marks offerings as unavailable until the returned function is called. */
  readonly beginShortage: () => () => void
}

const SECOND = 1_000

const stateOf = ({ properties }: FakeVm): string => properties.provisioningState ?? ''

/** A subscription with injected faults and one node resource group, which also contains resources of other owners. */
export class AzureAccount {
  readonly azure: FakeAzure
  readonly calls: AzureCalls
  readonly kubelets: InstanceKubelets
  /** Provider IDs of VMs of other owners. */
  readonly foreignInstances: ReadonlySet<string>
  readonly priceOf: (claim: NodeClaim) => number | undefined
  readonly #deps: AzureAccountDeps
  readonly #foreign: ReturnType<typeof plantForeignResources>
  /** The functions that end the active faults. */
  readonly #over = new Set<() => void>()

  constructor(deps: AzureAccountDeps) {
    const { clock, random, client, neverRegisters, silence } = deps
    this.#deps = deps
    this.azure = new FakeAzure(clock, { random: random.fork('ids') })
    this.calls = new AzureCalls(this.azure, deps)
    this.#foreign = plantForeignResources(this.azure)
    this.foreignInstances = this.#foreign.providerIds
    this.priceOf = createPriceLookup(this.azure)
    this.kubelets = new InstanceKubelets({
      ...{ client, clock, random: random.fork('kubelets'), neverRegisters, silence },
      nodeOf: (name) => this.#nodeOf(name),
    })
    const { vms } = this.azure
    const booted = new Set<string>()
    vms.onRunning = ({ name }) => {
      booted.add(name)
      this.kubelets.boot(name)
    }
    vms.onFailed = (name) => deps.interrupted(makeProviderId(name))
    vms.onGone = (name) => {
      if (booted.delete(name)) this.kubelets.end(name, 0)
    }
  }

  /** Completes long-running operations from this point on, even if no client polls them. */
  start(): void {
    this.azure.store.settle()
    this.#deps.clock.timer(SECOND, () => this.start())
  }

  /** Returns the VMs that Kerf created and that still exist. */
  billed(): readonly LiveInstance[] {
    return this.#own().map((vm) => this.#live(vm))
  }

  /** Returns the VMs that Kerf created, except those that somebody has begun to delete. */
  running(): readonly LiveInstance[] {
    return this.#own()
      .filter((vm) => stateOf(vm) !== 'Deleting')
      .map((vm) => this.#live(vm))
  }

  /** Returns the interfaces and disks that belong to neither a VM nor a NodeClaim. */
  leftovers(): readonly string[] {
    const names = new Set([
      ...this.#own().map(({ name }) => claimNameFromVm(name)),
      ...this.#deps.claims().map(({ metadata }) => metadata.name),
    ])
    return this.azure.store
      .all()
      .filter(
        ({ type, name }) => type !== VM_TYPE && !this.#foreign.loose.has(name) && !names.has(claimNameFromVm(name)),
      )
      .map(({ type, name }) => `${type} ${name}`)
  }

  /** Returns the resources of other owners that no longer exist. */
  takenFromOthers(): readonly string[] {
    const there = new Set(this.azure.store.all().map(({ name }) => name))
    return [...this.#foreign.vms, ...this.#foreign.loose]
      .filter((name) => !there.has(name))
      .map((name) => `${name} is gone`)
  }

  /** Makes the offerings unavailable. Returns a function that makes them available again. */
  stockOut(selector: OfferingSelector): () => void {
    const { vms } = this.azure
    vms.stockOuts.push(selector)
    return () => {
      vms.stockOuts = vms.stockOuts.filter((each) => each !== selector)
    }
  }

  /** Removes a running VM, chosen by `pick`. An eviction chooses among spot VMs only, and deletes the VM. */
  kill(pick: number, { isEviction = false } = {}): void {
    this.#end(
      picked(
        this.#own().filter((vm) => stateOf(vm) === 'Succeeded' && (!isEviction || vm.properties.priority === 'Spot')),
        pick,
      ),
    )
  }

  /** Begins a fault of Azure, which ends after its duration. */
  inject(fault: AzureFault): void {
    const { azure } = this
    const { beginShortage } = this.#deps
    switch (fault.kind) {
      case 'azure-call':
        this.calls.add(fault)
        return
      case 'vm-fails-later': {
        const failing = {
          pattern: fault.selector,
          failure: { code: 'ZonalAllocationFailed', message: 'Allocation failed.' },
        }
        azure.vms.laterFailures.push(failing)
        this.#lasts(fault.duration, beginShortage(), () => {
          azure.vms.laterFailures = azure.vms.laterFailures.filter((each) => each !== failing)
        })
        return
      }
      case 'tokens-revoked':
        azure.tokens.revoke()
        return
      case 'identity-gone':
        azure.tokens.hasIdentity = false
        azure.tokens.revoke()
        this.#lasts(fault.duration, beginShortage(), () => {
          azure.tokens.hasIdentity = true
        })
        return
      case 'requests-spent':
        azure.limits.drain(fault.limit, fault.duration)
        this.#lasts(fault.duration, beginShortage())
        return
      case 'subnet-full':
        azure.nics.addresses = 0
        this.#lasts(fault.duration, beginShortage(), () => {
          azure.nics.addresses = undefined
        })
        return
      case 'vm-deleted':
        // A NodeClaim may wait for this VM, so the loss counts as a short shortage.
        beginShortage()()
        this.#end(picked(this.#own(), fault.pick))
    }
  }

  /** Ends all faults. */
  recover(): void {
    for (const over of [...this.#over]) over()
    this.calls.clear()
    this.azure.vms.stockOuts = []
  }

  #end(vm: FakeVm | undefined): void {
    if (vm === undefined) return
    this.#deps.interrupted(makeProviderId(vm.name))
    this.azure.vms.end(vm.name)
  }

  #lasts(duration: number, ...ends: readonly (() => void)[]): void {
    const end = (): void => {
      if (this.#over.delete(end)) for (const each of ends) each()
    }
    this.#over.add(end)
    this.#deps.clock.timer(duration, end)
  }

  #own(): readonly FakeVm[] {
    return this.azure.vms
      .all()
      .map(vmBody)
      .filter(({ name }) => !this.#foreign.vms.has(name))
  }

  #live({ name }: FakeVm): LiveInstance {
    return { providerID: makeProviderId(name), claimUid: this.calls.ownerOf(name) }
  }

  #nodeOf(name: string) {
    const vm = this.#own().find((each) => each.name === name)
    if (vm === undefined || stateOf(vm) !== 'Succeeded') return undefined
    const { node, amounts, status } = vmNode(this.azure, vm)
    return { ...node, status: { ...node.status, ...status, ...amounts } }
  }
}

/** The version of Kubernetes that AKS runs. */
const VERSION = 'v1.35.1'

/** Returns a client whose API server reports the Kubernetes version of AKS. */
export const withVersion = (client: KubeClient): KubeClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === 'raw') return async () => ({ gitVersion: VERSION })
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
