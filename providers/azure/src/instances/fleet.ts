import type { AzureInstance } from './azure-instance.ts'
import { nameInAksPool, vmNameOf } from './instance-names.ts'
import type { Instances } from './instances.ts'
import type { MachineInstance } from './machine-instance.ts'
import { machineNameOf } from './machine-names.ts'
import type { Machines } from './machines.ts'

export const isMachine = (instance: AzureInstance): instance is MachineInstance => 'machine' in instance

/**
 * Everything that is a node of this cluster, by the name of its VM: VMs that Kerf makes, and machines of an AKS pool where the
 * settings name one. So a cluster may go from one to the other in either direction.
 */
export class Fleet {
  readonly #vms: Instances
  readonly machines: Machines | undefined

  constructor(vms: Instances, machines: Machines | undefined) {
    this.#vms = vms
    this.machines = machines
  }

  /** @throws NodeClaimNotFoundError for one that is not there, AzureApiError for a call that failed. */
  get(id: string, signal: AbortSignal): Promise<AzureInstance> {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? this.#vms.get(id, signal) : machines.get(name, signal)
  }

  /** One of ours. @throws as `get`, and Error for one of another cluster. */
  own(id: string, signal: AbortSignal): Promise<AzureInstance> {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? this.#vms.own(id, signal) : machines.own(name, signal)
  }

  /** One of ours as it was at most a minute ago; nothing for a VM. @throws as `Machines.recent`. */
  async recentMachine(id: string, signal: AbortSignal): Promise<MachineInstance | undefined> {
    const [machines, name] = this.#machineOf(id)
    return machines?.recent(name, signal)
  }

  /** All of both kinds; where one of the lists fails, the call does. */
  async list(signal: AbortSignal): Promise<readonly AzureInstance[]> {
    const [vms, machines] = await Promise.all([this.#vms.list(signal), this.machines?.list(signal) ?? []])
    return [...vms, ...machines]
  }

  /** Orders the end of one of ours. @throws NodeClaimNotFoundError once it is gone. */
  terminate(id: string, signal: AbortSignal): Promise<void> {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? this.#vms.terminate(id, signal) : machines.terminate(name, signal)
  }

  /** Whether the VM is a machine's. */
  isMachine(id: string): boolean {
    return this.#machineOf(id)[0] !== undefined
  }

  /** Whether the VM is called as that of the claim would be. */
  isNamedFor(id: string, claimName: string): boolean {
    const [machines, name] = this.#machineOf(id)
    return machines === undefined ? id === vmNameOf(claimName) : name === nameInAksPool(claimName)
  }

  #machineOf(id: string): readonly [undefined, ''] | readonly [Machines, string] {
    if (this.machines === undefined) return [undefined, '']
    const name = machineNameOf(this.machines.scope.pool, id)
    return name === undefined ? [undefined, ''] : [this.machines, name]
  }
}
