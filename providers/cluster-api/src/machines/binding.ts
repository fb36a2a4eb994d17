import { freeMachines, machineHolders } from './holders.ts'
import type { ClaimView, DeploymentState, MachineView } from './machine-view.ts'
import { replicasOfOthers } from './replicas-of-others.ts'

/** The next step of `create` for one NodeClaim. */
export type BindingStep =
  /**
   * The Machine already has the NodeClaim's UID, because an earlier create was interrupted between its two writes. Kerf must write the
   * claim's annotation.
   */
  | { readonly kind: 'adopt'; readonly machine: MachineView }
  /** Kerf must write label and UID on the Machine in one patch with its resourceVersion, then write the NodeClaim's annotation. */
  | { readonly kind: 'bind'; readonly machine: MachineView }
  /** Both writes are done. The providerID may still be missing. */
  | { readonly kind: 'bound'; readonly machine: MachineView }
  /** No Machine is available yet. Update the replicas and check again later. */
  | { readonly kind: 'wait' }
  /** The NodeClaim's Machine is gone or being deleted. The core deletes the claim, and the claim that replaces it gets another Machine. */
  | { readonly kind: 'lost'; readonly machine: string }

/**
 * Decides which Machines NodeClaims take, for many claims from one state. A claim that already has a Machine keeps it. Kerf finds this
 * Machine by the UID on it, or else by the claim's own annotation, so a create that crashed continues where it stopped. A claim without a
 * Machine takes the newest Machine that is neither held nor reserved for others. Kerf chooses the newest because the Machines of others are
 * older.
 */
export class BindingSteps {
  /** Machines by the UID of the NodeClaim that holds them. */
  readonly #held = new Map<string, MachineView>()
  readonly #free: Iterator<MachineView>

  constructor(state: DeploymentState) {
    const holders = machineHolders(state)
    for (const machine of state.machines) {
      const holder = holders.get(machine.name)
      if (holder?.kind === 'claim' && !this.#held.has(holder.claim.uid)) this.#held.set(holder.claim.uid, machine)
    }
    this.#free = takeableMachines(state)
      .filter((machine) => !machine.failed)
      .values()
  }

  /**
   * Returns the next step for a NodeClaim. If the step assigns a Machine to the claim, later calls do not offer this Machine to other
   * claims, even if the write fails.
   */
  next(claim: ClaimView): BindingStep {
    const held = this.#held.get(claim.uid)
    if (held !== undefined) return resumed(held, claim)
    if (claim.machine !== undefined) return { kind: 'lost', machine: claim.machine }
    const { value } = this.#free.next()
    return value === undefined ? { kind: 'wait' } : { kind: 'bind', machine: value }
  }

  /** Records that the NodeClaim's UID has been written on the Machine. */
  took(machine: MachineView, { uid }: ClaimView): void {
    this.#held.set(uid, machine)
  }
}

/** Returns the next step of one NodeClaim. */
export const nextBindingStep = (state: DeploymentState, claim: ClaimView): BindingStep =>
  new BindingSteps(state).next(claim)

const resumed = (machine: MachineView, claim: ClaimView): BindingStep => {
  if (machine.deleting) return { kind: 'lost', machine: machine.name }
  if (machine.claimUid !== claim.uid || !machine.member) return { kind: 'bind', machine }
  return { kind: claim.machine === machine.name ? 'bound' : 'adopt', machine }
}

/**
 * Returns the free, unmarked Machines that a create may take, newest first. Leaves out the oldest free Machines, as many as are reserved
 * for others.
 */
export const takeableMachines = (state: DeploymentState): readonly MachineView[] => {
  const holders = machineHolders(state)
  const free = freeMachines(state.machines, holders)
  const own = Math.max(0, free.length - replicasOfOthers(state, holders))
  return free.slice(0, own).filter((machine) => machine.mark === undefined)
}

/**
 * Returns Machines whose create was interrupted or whose NodeClaim is gone. The caller treats Machines with a Node differently from those
 * without one.
 */
export const abandonedMachines = (state: DeploymentState): readonly MachineView[] => {
  const holders = machineHolders(state)
  return state.machines.filter((machine) => !machine.deleting && holders.get(machine.name)?.kind === 'abandoned')
}
