import type { AzureInstance } from './azure-instance.ts'
import { claimVmName, nameInAksPool } from './instance-names.ts'
import type { Instances } from './instances.ts'
import type { MachineInstance } from './machine-instance.ts'
import { parseMachineName } from './machine-names.ts'
import type { Machines } from './machines.ts'

export const isMachine = (instance: AzureInstance): instance is MachineInstance => 'machine' in instance

/**
 * All nodes of this cluster by VM name: VMs that Kerf creates, and the machines of an AKS pool if the settings name one. Because
 * both are included, a cluster can switch between the two kinds in either direction.
 */
export class Fleet {
  readonly #vms: Instances
  readonly machines: Machines | undefined

  constructor(vms: Instances, machines: Machines | undefined) {
    this.#vms = vms
    this.machines = machines
  }

  /** Returns an instance. @throws NodeClaimNotFoundError if it does not exist, AzureApiError for a failed call. */
  get(id: string, signal: AbortSignal): Promise<AzureInstance> {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? this.#vms.get(id, signal) : machines.get(name, signal)
  }

  /** Returns an instance of this cluster. @throws like `get`, and Error if it belongs to another cluster. */
  own(id: string, signal: AbortSignal): Promise<AzureInstance> {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? this.#vms.own(id, signal) : machines.own(name, signal)
  }

  /**
   * Returns a machine of this cluster in a state that is at most a minute old, or undefined if the instance is a VM. @throws like
   * `Machines.recent`.
   */
  async recentMachine(id: string, signal: AbortSignal): Promise<MachineInstance | undefined> {
    const [machines, name] = this.#machineOf(id)
    return machines?.recent(name, signal)
  }

  /** Lists VMs and machines. If one of the lists fails, the call fails. */
  async list(signal: AbortSignal): Promise<readonly AzureInstance[]> {
    const [vms, machines] = await Promise.all([this.#vms.list(signal), this.machines?.list(signal) ?? []])
    return [...vms, ...machines]
  }

  /** Terminates an instance of this cluster. @throws NodeClaimNotFoundError once it is gone. */
  terminate(id: string, signal: AbortSignal): Promise<void> {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? this.#vms.terminate(id, signal) : machines.terminate(name, signal)
  }

  /** Returns true if the VM belongs to a machine. */
  isMachine(id: string): boolean {
    return this.#machineOf(id)[0] !== undefined
  }

  /** Returns true if the VM has the name that Kerf derives from the NodeClaim. */
  isNamedFor(id: string, claimName: string): boolean {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? id === claimVmName(claimName) : name === nameInAksPool(claimName)
  }

  #machineOf(id: string): readonly [undefined, ''] | readonly [Machines, string] {
    if (this.machines === undefined) return [undefined, '']
    const name = parseMachineName(this.machines.scope.pool, id)
    return name === undefined ? [undefined, ''] : [this.machines, name]
  }
}
