import type { Milliseconds, NewObject } from '@kerf/apis'
import type { Clock, KubeClient, Logger, Random } from '@kerf/runtime'
import type { ClusterApiVersion } from '../../objects/api-version.ts'
import type { Machine } from '../../objects/machine.ts'
import type { MachineDeploymentOnWire } from '../../objects/wire.ts'
import { type PlayedKinds, playedKinds } from './definitions.ts'
import { type MachineDelays, MachineLife, type Provisioning } from './machine-life.ts'
import { MachineNodes } from './machine-nodes.ts'
import { type DeploymentOptions, deploymentObject } from './management-objects.ts'
import { PlayedDeployments } from './played-deployments.ts'
import { PlayedHealthChecks } from './played-health-checks.ts'
import { PlayedSets } from './played-sets.ts'
import { readPlayedState, revisionFields } from './played-state.ts'

export interface MachineSetPlayerOptions {
  readonly clock: Clock
  readonly random: Random
  /** An administrator's client of the management cluster. `installClusterApi` has made the kinds known there. */
  readonly management: KubeClient
  /** An administrator's client of the cluster that the Nodes join; it may be the same one. */
  readonly workload: KubeClient
  readonly version?: ClusterApiVersion
  readonly delays?: Partial<MachineDelays>
  /** False where simulated kubelets make Nodes ready themselves. Default true. */
  readonly reportsReady?: boolean
  readonly providerIdPrefix?: string
  /** Asked once for each machine: whether it boots without ever joining the cluster. Default: `neverRegister`. */
  readonly neverRegisters?: () => boolean
  /** The infrastructure has no such machine any more. */
  readonly ended?: (machine: Machine) => void
  readonly log: Logger
}

/** Shorter than on any real infrastructure, so that tests are short too, and in the same proportion. */
const DELAYS: MachineDelays = { bootstrap: 1_000, infrastructure: 3_000, boot: 2_000, termination: 3_000 }
/** With the rate limit of its default configuration, Cluster API looks at an object once a second. */
const PERIOD: Milliseconds = 1_000

/**
 * Cluster API's controllers over the API server of a sandbox, in virtual time: MachineDeployment, MachineSet, Machine and
 * MachineHealthCheck, with an infrastructure that makes machines of nothing. Names, owners, labels, phases and conditions are
 * those of real objects (samples/), the rules those of Cluster API 1.14.2, named where they are applied. Each kind's controller
 * looks once a second, one kind after the other, so that others can act between any two of its steps.
 */
export class MachineSetPlayer {
  readonly kinds: PlayedKinds
  /** MachineDeployments for which the infrastructure makes nothing, as if it had no capacity. By name. */
  readonly refused = new Set<string>()
  /** How many of the next machines boot without ever joining the cluster. */
  neverRegister = 0
  readonly #options: MachineSetPlayerOptions
  readonly #silent = new Set<string>()
  readonly #decided = new Set<string>()
  readonly #nodes: MachineNodes
  readonly #deployments: PlayedDeployments
  readonly #sets: PlayedSets
  readonly #healthChecks: PlayedHealthChecks
  readonly #life: MachineLife
  readonly #looks = [() => this.#lookAtDeployments(), () => this.#lookAtSets(), () => this.#lookAtMachines()]

  constructor(options: MachineSetPlayerOptions) {
    const { management, random, version = 'v1beta2', reportsReady = true } = options
    this.#options = options
    this.kinds = playedKinds(version)
    this.#nodes = new MachineNodes({ client: options.workload, reportsReady })
    this.#deployments = new PlayedDeployments(management, this.kinds, random)
    this.#sets = new PlayedSets(management, this.kinds, random)
    this.#healthChecks = new PlayedHealthChecks(management, this.kinds)
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

  /** Plays until the signal is aborted. */
  start(stop: AbortSignal): void {
    for (const [index, look] of this.#looks.entries()) this.#every(look, (index * PERIOD) / this.#looks.length, stop)
  }

  /** Plays one look of each controller. */
  async look(): Promise<void> {
    for (const look of this.#looks) await look()
  }

  /** The infrastructure has lost the machine, and says nothing: its Node never comes, or nothing is heard from it any more. */
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
      // A real controller logs its failure and tries again, too.
      void look().catch((error: unknown) => log.warn('the player of Cluster API failed', { error: String(error) }))
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
