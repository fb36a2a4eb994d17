import type { NodeClaim } from '@kerf/apis'
import { FakeAzure, type FakeVm, nodeOf, VM_TYPE, vmBodyOf } from '@kerf/provider-azure/testing'
import type { Clock, KubeClient, SeededRandom } from '@kerf/runtime'
import type { OfferingSelector } from '@kerf/sandbox'
import type { AzureFault } from '../../runs/simulated-run.ts'
import { InstanceKubelets } from '../instance-kubelets.ts'
import type { LiveInstance } from '../live-instance.ts'
import { picked } from '../tolerant-calls.ts'
import { AzureCalls, type CallWatcher } from './azure-calls.ts'
import { plantForeignResources } from './foreign-resources.ts'
import { claimNameOf, providerIdOf } from './names.ts'
import { pricesOf } from './prices.ts'

export interface AzureParts extends CallWatcher {
  readonly clock: Clock
  readonly random: SeededRandom
  readonly client: KubeClient
  /** Asked once for each VM that boots. */
  readonly neverRegisters: () => boolean
  /** Silences the kubelet of a node whose VM is gone. */
  readonly silence: (nodeName: string) => void
  /** Somebody else than Kerf has ended a VM, or Azure could not make it after all. */
  readonly interrupted: (providerID: string) => void
  /** Something cannot be had until the returned function is called. */
  readonly beginShortage: () => () => void
}

const SECOND = 1_000

const stateOf = ({ properties }: FakeVm): string => properties.provisioningState ?? ''

/** A subscription with one node resource group, in which others have something too, and injected faults. */
export class AzureAccount {
  readonly azure: FakeAzure
  readonly calls: AzureCalls
  readonly kubelets: InstanceKubelets
  /** Provider IDs of VMs of others. */
  readonly foreignInstances: ReadonlySet<string>
  readonly priceOf: (claim: NodeClaim) => number | undefined
  readonly #parts: AzureParts
  readonly #foreign: ReturnType<typeof plantForeignResources>
  /** What ends the faults that are under way. */
  readonly #over = new Set<() => void>()

  constructor(parts: AzureParts) {
    const { clock, random, client, neverRegisters, silence } = parts
    this.#parts = parts
    this.azure = new FakeAzure(clock, { random: random.fork('ids') })
    this.calls = new AzureCalls(this.azure, parts)
    this.#foreign = plantForeignResources(this.azure)
    this.foreignInstances = this.#foreign.providerIds
    this.priceOf = pricesOf(this.azure)
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
    vms.onFailed = (name) => parts.interrupted(providerIdOf(name))
    vms.onGone = (name) => {
      if (booted.delete(name)) this.kubelets.end(name, 0)
    }
  }

  /** From here on what was begun in Azure comes to its end, asked for or not. */
  start(): void {
    this.azure.store.settle()
    this.#parts.clock.timer(SECOND, () => this.start())
  }

  /** VMs that Kerf asked for and that are still there. */
  billed(): readonly LiveInstance[] {
    return this.#own().map((vm) => this.#live(vm))
  }

  /** VMs that Kerf asked for and nobody has asked to end. */
  running(): readonly LiveInstance[] {
    return this.#own()
      .filter((vm) => stateOf(vm) !== 'Deleting')
      .map((vm) => this.#live(vm))
  }

  /** Interfaces and disks of neither a VM nor a claim. */
  leftovers(): readonly string[] {
    const names = new Set([
      ...this.#own().map(({ name }) => claimNameOf(name)),
      ...this.#parts.claims().map(({ metadata }) => metadata.name),
    ])
    return this.azure.store
      .all()
      .filter(({ type, name }) => type !== VM_TYPE && !this.#foreign.loose.has(name) && !names.has(claimNameOf(name)))
      .map(({ type, name }) => `${type} ${name}`)
  }

  /** What of the others' is gone. */
  takenFromOthers(): readonly string[] {
    const there = new Set(this.azure.store.all().map(({ name }) => name))
    return [...this.#foreign.vms, ...this.#foreign.loose]
      .filter((name) => !there.has(name))
      .map((name) => `${name} is gone`)
  }

  /** Azure has none of these. Returns what ends that. */
  stockOut(selector: OfferingSelector): () => void {
    const { vms } = this.azure
    vms.stockOuts.push(selector)
    return () => {
      vms.stockOuts = vms.stockOuts.filter((each) => each !== selector)
    }
  }

  /** A VM that runs is gone, as `pick` chooses. Of spot ones only when it is an eviction, which deletes them. */
  kill(pick: number, { isEviction = false } = {}): void {
    this.#end(
      picked(
        this.#own().filter((vm) => stateOf(vm) === 'Succeeded' && (!isEviction || vm.properties.priority === 'Spot')),
        pick,
      ),
    )
  }

  /** Begins a fault of Azure, which ends by itself. */
  inject(fault: AzureFault): void {
    const { azure } = this
    const { beginShortage } = this.#parts
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
        // A claim that waited for it has none to wait for any more.
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
    this.#parts.interrupted(providerIdOf(vm.name))
    this.azure.vms.end(vm.name)
  }

  #lasts(duration: number, ...ends: readonly (() => void)[]): void {
    const end = (): void => {
      if (this.#over.delete(end)) for (const each of ends) each()
    }
    this.#over.add(end)
    this.#parts.clock.timer(duration, end)
  }

  #own(): readonly FakeVm[] {
    return this.azure.vms
      .all()
      .map(vmBodyOf)
      .filter(({ name }) => !this.#foreign.vms.has(name))
  }

  #live({ name }: FakeVm): LiveInstance {
    return { providerID: providerIdOf(name), claimUid: this.calls.ownerOf(name) }
  }

  #nodeOf(name: string) {
    const vm = this.#own().find((each) => each.name === name)
    if (vm === undefined || stateOf(vm) !== 'Succeeded') return undefined
    const { node, amounts, status } = nodeOf(this.azure, vm)
    return { ...node, status: { ...node.status, ...status, ...amounts } }
  }
}

/** The version of Kubernetes that AKS runs. */
const VERSION = 'v1.35.1'

/** The client of a cluster whose API server says which version it is. */
export const withVersion = (client: KubeClient): KubeClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === 'raw') return async () => ({ gitVersion: VERSION })
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
