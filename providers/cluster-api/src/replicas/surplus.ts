import { takeableMachines } from '../machines/binding.ts'
import { claimsFound, isGoing } from '../machines/holders.ts'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { machineSetLayout } from './machine-sets.ts'

/**
 * Returns the free Machines that no create and no other user needs. They remain after a remediation, after a user deleted a Machine, or
 * from a create whose NodeClaim was deleted. The caller deletes each of them with `nextDeletionStep`. The result always includes failed
 * Machines, because they never become Nodes. It includes other Machines only if there is one MachineSet, because then their deletion lowers
 * the replicas. With two sets, they would be replaced.
 *
 * @param creates the number of NodeClaims that chose this MachineDeployment and hold no Machine yet.
 */
export const surplusMachines = (state: DeploymentState, creates: number): readonly MachineView[] => {
  const started = state.machines.filter((machine) => isGoing(machine) && !machine.deleting && isUnheld(state, machine))
  const takeable = takeableMachines(state)
  const failed = takeable.filter((machine) => machine.failed)
  const beyond = takeable.filter((machine) => !machine.failed).slice(creates)
  return [...started, ...failed, ...(machineSetLayout(state).kind === 'one' ? beyond : [])]
}

/**
 * Returns true if no NodeClaim holds the Machine. This includes Machines that are marked as surplus, so that their deletion continues after
 * a restart. Machines of NodeClaims are deleted together with their NodeClaim.
 */
const isUnheld = (state: DeploymentState, machine: MachineView): boolean =>
  machine.claimUid === undefined && !claimsFound(state.claims).byMachine.has(machine.name)
