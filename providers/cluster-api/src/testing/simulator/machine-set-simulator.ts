import type { Milliseconds, NewObject } from '@kerf/apis'
import type { Clock, KubeClient, Logger, Random } from '@kerf/runtime'
import type { ClusterApiVersion } from '../../objects/api-version.ts'
import type { Machine } from '../../objects/machine.ts'
import type { MachineDeploymentOnWire } from '../../objects/wire.ts'
import { type SimulatedKinds, simulatedKinds } from './definitions.ts'
import { type MachineDelays, MachineLife, type Provisioning } from './machine-life.ts'
import { MachineNodes } from './machine-nodes.ts'
import { type DeploymentOptions, deploymentObject } from './management-objects.ts'
import { SimulatedDeployments } from './simulated-deployments.ts'
import { SimulatedHealthChecks } from './simulated-health-checks.ts'
import { SimulatedSets } from './simulated-sets.ts'
import { readPlayedState, revisionFields } from './simulated-state.ts'

export interface MachineSetSimulatorOptions {
  readonly clock: Clock
  readonly random: Random
  /** A client of the management cluster with administrator permissions. `installClusterApi` must have run. */
  readonly management: KubeClient
  /** A client with administrator permissions of the cluster that the Nodes join. It may be the management cluster. */
  readonly workload: KubeClient
  readonly version?: ClusterApiVersion
  readonly delays?: Partial<MachineDelays>
  /** False if simulated kubelets make Nodes ready. The default is true. */
  readonly reportsReady?: boolean
  readonly providerIdPrefix?: string
  /** Called once per machine. Returns true if the machine boots without joining the cluster. The default depends on `neverRegister`. */
  readonly neverRegisters?: () => boolean
  /** Called when the machine no longer exists. */
  readonly ended?: (machine: Machine) => void
  readonly log: Logger
}

/** The delays have the same proportions as on real infrastructure, but are shorter, so that tests are fast. */
const DELAYS: MachineDelays = { bootstrap: 1_000, infrastructure: 3_000, boot: 2_000, termination: 3_000 }
/** With its default rate limit, Cluster API processes an object once per second. */
const PERIOD: Milliseconds = 1_000

/**
 * Simulates Cluster API's controllers on the API server of a sandbox in virtual time: MachineDeployment, MachineSet, Machine and
 * MachineHealthCheck, with a fictional infrastructure. Names, owners, labels, phases and conditions are those of real objects (samples/).
 * The rules are those of Cluster API 1.14.2. Comments name its source files. The controllers of all kinds run once per second, one after
 * the other, so that others can act between any two steps.
 */
export class MachineSetSimulator {
  readonly kinds: SimulatedKinds
  /** Names of MachineDeployments for which the infrastructure has no capacity. */
  readonly refused = new Set<string>()
  /** How many of the next machines boot without joining the cluster. */
  neverRegister = 0
  readonly #options: MachineSetSimulatorOptions
  readonly #silent = new Set<string>()
  readonly #decided = new Set<string>()
  readonly #nodes: MachineNodes
  readonly #deployments: SimulatedDeployments
  readonly #sets: SimulatedSets
  readonly #healthChecks: SimulatedHealthChecks
  readonly #life: MachineLife
  readonly #looks = [() => this.#lookAtDeployments(), () => this.#lookAtSets(), () => this.#lookAtMachines()]

  constructor(options: MachineSetSimulatorOptions) {
    const { management, random, version = 'v1beta2', reportsReady = true } = options
    this.#options = options
    this.kinds = simulatedKinds(version)
    this.#nodes = new MachineNodes({ client: options.workload, reportsReady })
    this.#deployments = new SimulatedDeployments(management, this.kinds, random)
    this.#sets = new SimulatedSets(management, this.kinds, random)
    this.#healthChecks = new SimulatedHealthChecks(management, this.kinds)
    this.#life = new MachineLife({
      client: management,
      kinds: this.kinds,
      nodes: this.#nodes,
      delays: { ...DELAYS, ...options.delays },
      providerIdPrefix: options.providerIdPrefix ?? 'in-memory://',
      provisioning: (machine) => this.#provisioning(machine),
      ended: (machine) => options.ended?.(machine),
    })
  }

  /** Runs until the signal is aborted. */
  start(stop: AbortSignal): void {
    for (const [index, look] of this.#looks.entries()) this.#every(look, (index * PERIOD) / this.#looks.length, stop)
  }

  /** Runs each controller once. */
  async look(): Promise<void> {
    for (const look of this.#looks) await look()
  }

  /** Simulates that the infrastructure lost the machine without notice: its Node never registers, or stops responding. */
  lose(machine: Machine): void {
    this.#decided.add(machine.uid)
    this.#silent.add(machine.uid)
  }

  /** Creates a MachineDeployment. */
  addDeployment(name: string, options: DeploymentOptions = {}): Promise<MachineDeploymentOnWire> {
    const object: NewObject<MachineDeploymentOnWire> = deploymentObject(this.kinds, name, options)
    return this.#options.management.create(this.kinds.MachineDeployment, object)
  }

  #every(look: () => Promise<void>, after: Milliseconds, stop: AbortSignal): void {
    const { clock, log } = this.#options
    clock.timer(after, () => {
      if (stop.aborted) return
      this.#every(look, PERIOD, stop)
      // A real controller also logs its failure and tries again.
      void look().catch((error: unknown) => log.warn('the simulation of Cluster API failed', { error: String(error) }))
    })
  }

  async #lookAtDeployments(): Promise<void> {
    const state = await this.#read()
    for (const each of state.deployments) await this.#deployments.look(each, state)
  }

  async #lookAtSets(): Promise<void> {
    const state = await this.#read()
    for (const each of state.sets) await this.#sets.look(each, state, this.#options.clock.now())
  }

  async #lookAtMachines(): Promise<void> {
    const { clock } = this.#options
    const state = await this.#read()
    const nodes = await this.#nodes.all()
    await this.#healthChecks.look(state, nodes, clock.now())
    for (const each of state.machines) {
      const { machine, object } = each
      const owner = state.sets.find(({ set }) => set.namespace === machine.namespace && set.name === machine.setName)
      if (state.isPaused(object, machine.clusterName)) continue
      const above = state.deployments.find(
        ({ deployment }) => deployment.namespace === machine.namespace && deployment.name === machine.deploymentName,
      )
      const upToDate =
        owner === undefined || above === undefined
          ? undefined
          : revisionFields(owner.object.spec?.template) === revisionFields(above.object.spec?.template)
      await this.#life.look(each, owner?.set, nodes, upToDate, clock.now())
    }
  }

  #read() {
    return readPlayedState(this.#options.management, this.kinds)
  }

  #provisioning({ uid, deploymentName = '' }: Machine): Provisioning {
    if (this.refused.has(deploymentName)) return 'refused'
    if (!this.#decided.has(uid)) {
      this.#decided.add(uid)
      if (this.#neverRegisters()) this.#silent.add(uid)
    }
    return this.#silent.has(uid) ? 'never-registers' : 'made'
  }

  #neverRegisters(): boolean {
    const { neverRegisters } = this.#options
    if (neverRegisters !== undefined) return neverRegisters()
    if (this.neverRegister === 0) return false
    this.neverRegister--
    return true
  }
}
