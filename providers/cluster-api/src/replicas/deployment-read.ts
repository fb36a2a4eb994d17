import { karpenterKinds, type Milliseconds, type NodeClaim } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { toDeploymentState, toMachineView } from '../machines/deployment-state.ts'
import type { ClaimView, DeploymentState, MachineView } from '../machines/machine-view.ts'
import type { FreshDeployment, ManagementCluster, NamespacedName } from '../management/management-cluster.ts'
import type { Machine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'

/** A MachineDeployment as it was read, updated with the writes of the current pass. */
export class DeploymentRead {
  readonly deployment: MachineDeployment
  readonly #now: Milliseconds
  #state: DeploymentState
  readonly #claims: ReadonlyMap<string, NodeClaim>
  readonly #machines: Map<string, Machine>
  /**
   * The Machines written since the state was last built. They are collected, so that a pass with a thousand bindings builds only
   * one new state.
   */
  readonly #wroteMachines = new Map<string, MachineView>()
  readonly #wroteClaims = new Map<string, ClaimView>()
  readonly #claimViews: Map<string, ClaimView>

  constructor(fresh: FreshDeployment, claims: readonly NodeClaim[], now: Milliseconds) {
    this.#now = now
    this.#state = toDeploymentState(fresh, claims, now)
    this.deployment = fresh.deployment
    this.#claims = new Map(claims.map((claim) => [claim.metadata.uid ?? '', claim]))
    this.#machines = new Map(fresh.machines.map((machine) => [machine.name, machine]))
    this.#claimViews = new Map(this.#state.claims.map((claim) => [claim.uid, claim]))
  }

  /**
   * Reads the MachineDeployment, its sets and Machines, and then every NodeClaim. If a claim were missing, its Machine would look
   * abandoned.
   *
   * @returns undefined if the deployment does not exist.
   */
  static async of(
    name: NamespacedName,
    management: ManagementCluster,
    workload: KubeClient,
    now: Milliseconds,
    signal: AbortSignal,
  ): Promise<DeploymentRead | undefined> {
    const fresh = await management.fresh(name, signal)
    if (fresh === undefined) return undefined
    const { items } = await workload.list(karpenterKinds.NodeClaim, { signal })
    return new DeploymentRead(fresh, items, now)
  }

  get state(): DeploymentState {
    const [machines, claims] = [this.#wroteMachines, this.#wroteClaims]
    if (machines.size > 0) {
      const now = this.#state.machines.map((each) => machines.get(each.name) ?? each)
      this.#state = { ...this.#state, machines: now }
      machines.clear()
    }
    if (claims.size > 0) {
      this.#state = { ...this.#state, claims: this.#state.claims.map((each) => claims.get(each.uid) ?? each) }
      claims.clear()
    }
    return this.#state
  }

  machine(name: string): Machine | undefined {
    return this.#machines.get(name)
  }

  claim(uid: string): NodeClaim | undefined {
    return this.#claims.get(uid)
  }

  /** Returns the view of a NodeClaim for decisions. */
  claimView(uid: string): ClaimView | undefined {
    return this.#claimViews.get(uid)
  }

  /** Records a Machine that this pass wrote. Returns its view for decisions. */
  wroteMachine(machine: Machine): MachineView {
    const view = toMachineView(machine, this.#now)
    this.#machines.set(machine.name, machine)
    this.#wroteMachines.set(machine.name, view)
    return view
  }

  /** Records that the NodeClaim's annotation refers to its Machine. */
  wroteClaim(uid: string, machine: string): void {
    const before = this.#claimViews.get(uid)
    if (before === undefined) return
    const claim = { ...before, machine }
    this.#claimViews.set(uid, claim)
    this.#wroteClaims.set(uid, claim)
  }
}
