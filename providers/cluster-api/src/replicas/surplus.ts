import { takeableMachines } from '../machines/binding.ts'
import { claimsFound, isGoing } from '../machines/holders.ts'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { layoutOf } from './machine-sets.ts'

/**
 * Returns free Machines that no create and no other user needs. They are left over after a remediation, the manual deletion of a
 * Machine, or a create whose NodeClaim was deleted. Each is deleted by `nextDeletionStep`. A failed one never becomes a Node, so
 * it is always deleted. The others wait until only one MachineSet is left, where their deletion lowers the replicas; with two
 * sets they would be replaced.
 *
 * @param creates the number of NodeClaims that chose this deployment and hold no Machine yet.
 */
export const surplusMachines = (state: DeploymentState, creates: number): readonly MachineView[] => {
  const started = state.machines.filter((machine) => isGoing(machine) && !machine.deleting && isUnheld(state, machine))
  const takeable = takeableMachines(state)
  const failed = takeable.filter((machine) => machine.failed)
  const beyond = takeable.filter((machine) => !machine.failed).slice(creates)
  return [...started, ...failed, ...(layoutOf(state).kind === 'one' ? beyond : [])]
}

/**
 * Returns true if no NodeClaim holds the Machine. The deletion of a Machine that was marked as surplus continues after a restart.
 * Machines of NodeClaims are deleted with their NodeClaim.
 */
const isUnheld = (state: DeploymentState, machine: MachineView): boolean =>
  machine.claimUid === undefined && !claimsFound(state.claims).byMachine.has(machine.name)
