import { takeableMachines } from '../machines/binding.ts'
import { claimsFound, isGoing } from '../machines/holders.ts'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { layoutOf } from './machine-sets.ts'

/**
 * Free Machines that no create waits for and nobody else asked for: left by a remediation, by a Machine deleted by hand, by a
 * create whose NodeClaim ended. Each goes by `nextDeletionStep`. A failed one never becomes a Node, so it goes in any case;
 * the others wait until one MachineSet is left, where removing them lowers replicas; with two sets a replacement would follow.
 *
 * @param creates NodeClaims that chose this deployment and hold no Machine yet.
 */
export const surplusMachines = (state: DeploymentState, creates: number): readonly MachineView[] => {
  const started = state.machines.filter((machine) => isGoing(machine) && !machine.deleting && isUnheld(state, machine))
  const takeable = takeableMachines(state)
  const failed = takeable.filter((machine) => machine.failed)
  const beyond = takeable.filter((machine) => !machine.failed).slice(creates)
  return [...started, ...failed, ...(layoutOf(state).kind === 'one' ? beyond : [])]
}

/** A Machine that was marked as surplus goes on going, also after a restart. Those of NodeClaims go with their NodeClaim. */
const isUnheld = (state: DeploymentState, machine: MachineView): boolean =>
  machine.claimUid === undefined && !claimsFound(state.claims).byMachine.has(machine.name)
