import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { deploymentStateOf, machineViewOf } from '../machines/deployment-state.ts'
import type { DeploymentState } from '../machines/machine-view.ts'
import type { ManagementCluster, NamespacedName } from '../management/management-cluster.ts'
import type { Machine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'

/** One deployment as it was read, and what this turn has written to it since. */
export class DeploymentRead {
  readonly deployment: MachineDeployment
  readonly claims: readonly NodeClaim[]
  #state: DeploymentState
  readonly #machines: Map<string, Machine>

  private constructor(
    state: DeploymentState,
    deployment: MachineDeployment,
    machines: readonly Machine[],
    claims: readonly NodeClaim[],
  ) {
    this.#state = state
    this.deployment = deployment
    this.claims = claims
    this.#machines = new Map(machines.map((machine) => [machine.name, machine]))
  }

  /**
   * Reads the deployment, its sets and Machines, and then every NodeClaim: a claim that is missing would make its Machine look
   * abandoned.
   *
   * @returns undefined where there is no such deployment.
   */
  static async of(
    name: NamespacedName,
    management: ManagementCluster,
    workload: KubeClient,
    signal: AbortSignal,
  ): Promise<DeploymentRead | undefined> {
    const fresh = await management.fresh(name, signal)
    if (fresh === undefined) return undefined
    const { items } = await workload.list(karpenterKinds.NodeClaim, { signal })
    return new DeploymentRead(deploymentStateOf(fresh, items), fresh.deployment, fresh.machines, items)
  }

  get state(): DeploymentState {
    return this.#state
  }

  machine(name: string): Machine | undefined {
    return this.#machines.get(name)
  }

  claim(uid: string): NodeClaim | undefined {
    return this.claims.find(({ metadata }) => metadata.uid === uid)
  }

  /** The Machine as a write of this turn left it. */
  wroteMachine(machine: Machine): void {
    this.#machines.set(machine.name, machine)
    const view = machineViewOf(machine)
    this.#state = {
      ...this.#state,
      machines: this.#state.machines.map((each) => (each.name === view.name ? view : each)),
    }
  }

  /** The NodeClaim names its Machine. */
  wroteClaim(uid: string, machine: string): void {
    const claims = this.#state.claims.map((claim) => (claim.uid === uid ? { ...claim, machine } : claim))
    this.#state = { ...this.#state, claims }
  }
}
