import type { Condition, Milliseconds, Node } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { Machine } from '../../objects/machine.ts'
import type { MachineSet } from '../../objects/machine-set.ts'
import type { StatusOnWire } from '../../objects/wire.ts'
import type { SimulatedKinds } from './definitions.ts'
import { ignoringMissing, type MachineNodes } from './machine-nodes.ts'
import { conditionsInStatus, type SimulatedCondition } from './simulated-conditions.ts'
import type { SimulatedMachine } from './simulated-state.ts'

export const MACHINE_FINALIZER = 'machine.cluster.x-k8s.io'

export interface MachineDelays {
  /** The time from the creation to the phase Provisioning, in which the bootstrap data exists. */
  readonly bootstrap: Milliseconds
  /** The time from the bootstrap data to the providerID. It takes minutes on real infrastructure. */
  readonly infrastructure: Milliseconds
  /** The time from the providerID to the Node. The Machine refers to the Node one round later. */
  readonly boot: Milliseconds
  /** The time from the end of the drain until the machine no longer exists. */
  readonly termination: Milliseconds
}

/** The infrastructure's reaction to a new Machine. */
export type Provisioning = 'made' | 'refused' | 'never-registers'

export interface MachineLifeOptions {
  readonly client: KubeClient
  readonly kinds: SimulatedKinds
  readonly nodes: MachineNodes
  readonly delays: MachineDelays
  readonly providerIdPrefix: string
  /**
   * Called when it is time to create the machine of a Machine. `refused` leaves the Machine in Provisioning, as if the infrastructure had
   * no capacity.
   */
  readonly provisioning: (machine: Machine) => Provisioning
  /** Called when the machine no longer exists. Its Node is deleted next, and then the Machine. */
  readonly ended: (machine: Machine) => void
}

interface Course {
  readonly since: Milliseconds
  provisionedAt?: Milliseconds
  hasNode?: boolean
  drainedAt?: Milliseconds
}

type StatusChange = StatusOnWire & { readonly phase?: string; readonly nodeRef?: object }

/**
 * Simulates the lifecycle of Machines, one round at a time: phases, providerID, Node and deletion, as observed on real
 * controllers of Cluster API 1.14.2 (samples, and `machine_controller_status.go` for the phases). A failed Machine stays in
 * Provisioning, because no controller of that release sets the phase Failed.
 */
export class MachineLife {
  readonly #options: MachineLifeOptions
  /**
   * The simulated state of each machine, by the Machine's uid. Real controllers read it from infrastructure objects, which are not
   * simulated.
   */
  readonly #courses = new Map<string, Course>()

  constructor(options: MachineLifeOptions) {
    this.#options = options
  }

  /** Runs one round for a Machine. `upToDate` is undefined if the Machine's set is unknown. */
  async look(
    { machine, object }: SimulatedMachine,
    set: MachineSet | undefined,
    nodes: ReadonlyMap<string, Node>,
    upToDate: boolean | undefined,
    now: Milliseconds,
  ): Promise<void> {
    if (machine.isDeleting && object.metadata.finalizers?.includes(MACHINE_FINALIZER) !== true) return
    const course = this.#courses.get(machine.uid) ?? { since: now }
    this.#courses.set(machine.uid, course)
    if (machine.isDeleting) return await this.#end(machine, object.metadata.finalizers ?? [], course, nodes, now)
    // In releases that have the phase Failed, it is final.
    if (set === undefined || machine.phase === 'Failed') return
    const { delays, provisioning, providerIdPrefix } = this.#options
    if (machine.phase === undefined) return await this.#write(machine, { phase: 'Pending' }, upToDate, now)
    if (machine.providerId === undefined) {
      if (now < course.since + delays.bootstrap) return
      const due = course.since + delays.bootstrap + delays.infrastructure
      if (now < due || provisioning(machine) === 'refused')
        return await this.#write(machine, { phase: 'Provisioning' }, upToDate, now)
      await this.#patch(machine, { spec: { providerID: `${providerIdPrefix}${machine.name}` } })
      course.provisionedAt = now
      return await this.#write(machine, { phase: 'Provisioned' }, upToDate, now, [
        { type: 'InfrastructureReady', status: 'True', reason: 'Ready' },
      ])
    }
    const node = nodes.get(machine.name)
    if (node === undefined && course.hasNode !== true && machine.nodeName === undefined) {
      const due = now >= (course.provisionedAt ?? now) + delays.boot
      if (!due || provisioning(machine) === 'never-registers') return
      course.hasNode = true
      return await this.#options.nodes.register(machine, set, now)
    }
    await this.#follow(machine, node, upToDate, now)
  }

  /** Continues a Machine that has or had a Node. */
  async #follow(
    machine: Machine,
    node: Node | undefined,
    upToDate: boolean | undefined,
    now: Milliseconds,
  ): Promise<void> {
    const { kinds, nodes } = this.#options
    if (node === undefined) {
      const gone: SimulatedCondition = { type: 'NodeHealthy', status: 'False', reason: 'NodeDeleted' }
      return await this.#write(machine, {}, upToDate, now, [gone])
    }
    await nodes.sync(machine, node)
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status
    const healthy: SimulatedCondition = {
      type: 'NodeHealthy',
      status: ready === 'True' || ready === 'False' ? ready : 'Unknown',
      reason: ready === 'True' ? 'NodeHealthy' : 'NodeNotHealthy',
    }
    const name = machine.name
    const nodeRef = kinds.Machine.version === 'v1beta1' ? { apiVersion: 'v1', kind: 'Node', name } : { name }
    await this.#write(machine, { phase: 'Running', nodeRef }, upToDate, now, [healthy])
  }

  /** Cordons and drains the Node, then ends the machine, the Node, and finally the Machine. */
  async #end(
    machine: Machine,
    finalizers: readonly string[],
    course: Course,
    nodes: ReadonlyMap<string, Node>,
    now: Milliseconds,
  ): Promise<void> {
    await this.#write(machine, { phase: 'Deleting' }, undefined, now)
    const node = nodes.get(machine.name)
    if (course.drainedAt === undefined) {
      if (node !== undefined && !(await this.#options.nodes.drain(node, now))) return
      course.drainedAt = now
    }
    if (now < course.drainedAt + this.#options.delays.termination) return
    this.#options.ended(machine)
    await this.#options.nodes.delete(machine.name)
    this.#courses.delete(machine.uid)
    const left = finalizers.filter((finalizer) => finalizer !== MACHINE_FINALIZER)
    await this.#patch(machine, { metadata: { finalizers: left } })
  }

  async #write(
    machine: Machine,
    change: StatusChange,
    upToDate: boolean | undefined,
    now: Milliseconds,
    conditions: readonly SimulatedCondition[] = [],
  ): Promise<void> {
    const all = upToDate === undefined ? conditions : [...conditions, upToDateCondition(upToDate)]
    const changed = all.filter((condition) => !isSaid(machine.conditions, condition))
    const isSamePhase = change.phase === undefined || change.phase === machine.phase
    if (isSamePhase && changed.length === 0 && (change.nodeRef === undefined || machine.nodeName !== undefined)) return
    const version = this.#options.kinds.Machine.version === 'v1beta1' ? 'v1beta1' : 'v1beta2'
    const status = {
      ...change,
      ...(changed.length === 0 ? {} : conditionsInStatus(version, machine.conditions, changed, now)),
    }
    await this.#patch(machine, { status }, 'status')
  }

  async #patch({ namespace, name }: Machine, body: object, subresource?: string): Promise<void> {
    const { client, kinds } = this.#options
    const options = subresource === undefined ? {} : { subresource }
    await ignoringMissing(client.patch(kinds.Machine, { namespace, name }, { type: 'merge', body }, options))
  }
}

const isSaid = (conditions: readonly Condition[], { type, status, reason }: SimulatedCondition): boolean =>
  conditions.some((each) => each.type === type && each.status === status && each.reason === reason)

const upToDateCondition = (upToDate: boolean): SimulatedCondition =>
  upToDate
    ? { type: 'UpToDate', status: 'True', reason: 'UpToDate' }
    : { type: 'UpToDate', status: 'False', reason: 'NotUpToDate', message: '* DevMachine is not up-to-date' }
