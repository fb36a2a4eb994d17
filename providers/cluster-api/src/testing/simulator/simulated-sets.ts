import { type Condition, groupVersion, type Milliseconds, type NewObject } from '@kerf/apis'
import type { KubeClient, Random } from '@kerf/runtime'
import { clusterApiAnnotations, clusterApiLabels } from '../../names.ts'
import type { ClusterApiVersion } from '../../objects/api-version.ts'
import type { Machine } from '../../objects/machine.ts'
import type { MachineOnWire } from '../../objects/wire.ts'
import type { SimulatedKinds } from './definitions.ts'
import { machinesToDelete } from './deletion-order.ts'
import { MACHINE_FINALIZER } from './machine-life.ts'
import { ignoringMissing } from './machine-nodes.ts'
import { DISABLE_MACHINE_CREATE } from './simulated-deployments.ts'
import type { SimulatedMachine, SimulatedSet, SimulatedState } from './simulated-state.ts'

/** Simulates the MachineSet controller, one round at a time (`machineset_controller.go` of 1.14.2). */
export class SimulatedSets {
  readonly #client: KubeClient
  readonly #kinds: SimulatedKinds
  readonly #random: Random

  constructor(client: KubeClient, kinds: SimulatedKinds, random: Random) {
    this.#client = client
    this.#kinds = kinds
    this.#random = random
  }

  async look(played: SimulatedSet, state: SimulatedState, now: Milliseconds): Promise<void> {
    const { set, object } = played
    if (state.isPaused(object, set.clusterName)) return
    const machines = state.machinesOf(set)
    if (set.isDeleting) return await this.#end(played, machines)
    await this.#report(played, machines)
    await this.#syncLabels(played, machines)
    if (isNewest(played, state)) await this.#remediate(machines)
    // Machines that are being deleted count until they are gone.
    const missing = set.replicas - machines.length
    if (missing > 0 && set.annotations[DISABLE_MACHINE_CREATE] !== 'true') {
      for (let made = 0; made < missing; made++) await this.#make(played)
    }
    const order = object.spec?.deletion?.order ?? 'Random'
    for (const machine of machinesToDelete(
      machines.map((each) => each.machine),
      -missing,
      order,
      now,
    )) {
      await this.#delete(machine)
    }
  }

  async #make({ set, object }: SimulatedSet): Promise<void> {
    const template = object.spec?.template
    const name = `${set.name}-${this.#random.text(5)}`
    const spec = template?.spec
    const kind = this.#kinds.Machine
    const machine = {
      apiVersion: groupVersion(kind),
      kind: kind.kind,
      metadata: {
        namespace: set.namespace,
        name,
        finalizers: [MACHINE_FINALIZER],
        labels: { ...template?.metadata?.labels, [clusterApiLabels.setName]: set.name },
        annotations: template?.metadata?.annotations ?? {},
        ownerReferences: [
          {
            apiVersion: groupVersion(this.#kinds.MachineSet),
            kind: 'MachineSet',
            name: set.name,
            uid: set.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        ...spec,
        bootstrap: { configRef: { ...spec?.bootstrap?.configRef, kind: 'KubeadmConfig', name } },
        infrastructureRef: { ...spec?.infrastructureRef, kind: 'DevMachine', name },
      },
    }
    await this.#client.create(kind, machine as NewObject<MachineOnWire>)
  }

  /** Copies labels of the template to Machines in place. Labels that others set are kept. */
  async #syncLabels({ object }: SimulatedSet, machines: readonly SimulatedMachine[]): Promise<void> {
    const labels = object.spec?.template?.metadata?.labels ?? {}
    for (const { machine } of machines) {
      const isSame = Object.entries(labels).every(([key, value]) => machine.labels[key] === value)
      if (!isSame && !machine.isDeleting) await this.#patch(machine, { metadata: { labels } })
    }
  }

  /** Remediates only Machines of the newest revision. */
  async #remediate(machines: readonly SimulatedMachine[]): Promise<void> {
    for (const { machine } of machines) {
      if (machine.isDeleting || !isFalse(machine, 'HealthCheckSucceeded')) continue
      if (isFalse(machine, 'OwnerRemediated')) await this.#delete(machine)
    }
  }

  async #report({ set, object }: SimulatedSet, machines: readonly SimulatedMachine[]): Promise<void> {
    const replicas = machines.length
    const availableReplicas = machines.filter(({ machine }) => isAvailable(machine)).length
    if (object.status?.replicas === replicas && object.status.availableReplicas === availableReplicas) return
    const { namespace, name } = set
    const body = { status: { replicas, availableReplicas } }
    const options = { subresource: 'status' }
    await ignoringMissing(
      this.#client.patch(this.#kinds.MachineSet, { namespace, name }, { type: 'merge', body }, options),
    )
  }

  async #end({ set }: SimulatedSet, machines: readonly SimulatedMachine[]): Promise<void> {
    for (const { machine } of machines) await this.#delete(machine)
    if (machines.length > 0) return
    const { namespace, name } = set
    const body = { metadata: { finalizers: null } }
    await ignoringMissing(this.#client.patch(this.#kinds.MachineSet, { namespace, name }, { type: 'merge', body }))
  }

  async #delete({ namespace, name, isDeleting }: Machine): Promise<void> {
    if (!isDeleting) await ignoringMissing(this.#client.delete(this.#kinds.Machine, { namespace, name }))
  }

  async #patch({ namespace, name }: Machine, body: object): Promise<void> {
    await ignoringMissing(this.#client.patch(this.#kinds.Machine, { namespace, name }, { type: 'merge', body }))
  }
}

const isNewest = ({ set }: SimulatedSet, { deployments }: SimulatedState): boolean => {
  const owner = deployments.find(
    ({ deployment }) => deployment.namespace === set.namespace && deployment.name === set.deploymentName,
  )
  if (owner === undefined) return true
  const { revision } = clusterApiAnnotations
  return owner.deployment.annotations[revision] === set.annotations[revision]
}

const machineStatus = ({ conditions }: Machine, type: string): Condition['status'] | undefined =>
  conditions.find((condition) => condition.type === type)?.status

const isFalse = (machine: Machine, type: string): boolean => machineStatus(machine, type) === 'False'

const isAvailable = (machine: Machine): boolean =>
  !machine.isDeleting && machineStatus(machine, 'NodeHealthy') === 'True'

/** Returns the version of the kinds, which determines where objects have their conditions. */
export const simulatedVersion = (kinds: SimulatedKinds): ClusterApiVersion =>
  kinds.Machine.version === 'v1beta1' ? 'v1beta1' : 'v1beta2'
