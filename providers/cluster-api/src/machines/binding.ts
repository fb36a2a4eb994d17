import { freeMachines, holdersOf } from './holders.ts'
import type { ClaimView, DeploymentState, MachineView } from './machine-view.ts'
import { replicasOfOthers } from './replicas-of-others.ts'

/** What a create does next with the Machines of its MachineDeployment. */
export type BindingStep =
  /** The Machine carries the claim's UID already, from a create that ended between its two writes: write the claim's annotation. */
  | { readonly kind: 'adopt'; readonly machine: MachineView }
  /** Write label and UID on the Machine in one patch with its resourceVersion, then the claim's annotation. */
  | { readonly kind: 'bind'; readonly machine: MachineView }
  /** Both writes are done. The providerID may still be missing. */
  | { readonly kind: 'bound'; readonly machine: MachineView }
  /** No Machine to take yet: see to the replicas, look again. */
  | { readonly kind: 'wait' }
  /** The Machine that the claim had is gone or goes; the claim ends, its successor gets another one. */
  | { readonly kind: 'lost'; readonly machine: string }

/**
 * Which Machines NodeClaims take, for many of them from one state. A claim that has one keeps it, found by the UID on the Machine first and by the claim's own
 * annotation next, so a create that crashed anywhere goes on where it was. A claim that has none takes the newest Machine
 * that is neither held nor kept for others; the newest, because those of others were there before.
 */
export class BindingSteps {
  /** By the UID of the claim. */
  readonly #held = new Map<string, MachineView>()
  readonly #free: Iterator<MachineView>

  constructor(state: DeploymentState) {
    const holders = holdersOf(state)
    for (const machine of state.machines) {
      const holder = holders.get(machine.name)
      if (holder?.kind === 'claim' && !this.#held.has(holder.claim.uid)) this.#held.set(holder.claim.uid, machine)
    }
    this.#free = takeableMachines(state)
      .filter((machine) => !machine.failed)
      .values()
  }

  /** What comes next for a claim. A Machine that is to be bound is not offered again, whatever becomes of the write. */
  next(claim: ClaimView): BindingStep {
    const held = this.#held.get(claim.uid)
    if (held !== undefined) return resumed(held, claim)
    if (claim.machine !== undefined) return { kind: 'lost', machine: claim.machine }
    const { value } = this.#free.next()
    return value === undefined ? { kind: 'wait' } : { kind: 'bind', machine: value }
  }

  /** The write on the Machine is done. */
  took(machine: MachineView, { uid }: ClaimView): void {
    this.#held.set(uid, machine)
  }
}

/** What comes next for one claim. */
export const nextBindingStep = (state: DeploymentState, claim: ClaimView): BindingStep =>
  new BindingSteps(state).next(claim)

const resumed = (machine: MachineView, claim: ClaimView): BindingStep => {
  if (machine.deleting) return { kind: 'lost', machine: machine.name }
  if (machine.claimUid !== claim.uid || !machine.member) return { kind: 'bind', machine }
  return { kind: claim.machine === machine.name ? 'bound' : 'adopt', machine }
}

/** Free, unmarked Machines beyond what others hold, the newest first. They are Kerf's: a create may take them. */
export const takeableMachines = (state: DeploymentState): readonly MachineView[] => {
  const holders = holdersOf(state)
  const free = freeMachines(state.machines, holders)
  const own = Math.max(0, free.length - replicasOfOthers(state, holders))
  return free.slice(0, own).filter((machine) => machine.mark === undefined)
}

/** Machines that a create left behind, or whose NodeClaim is gone; what to do depends on whether a Node runs on them. */
export const abandonedMachines = (state: DeploymentState): readonly MachineView[] => {
  const holders = holdersOf(state)
  return state.machines.filter((machine) => !machine.deleting && holders.get(machine.name)?.kind === 'abandoned')
}
