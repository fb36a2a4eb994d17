import type { NodeClaim } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import { chosenDeployment, claimMachineName } from './claim-annotations.ts'

const machineClaimUid = ({ annotations }: Machine): string | undefined =>
  annotations[clusterApiAnnotations.nodeClaimUid]

/**
 * Returns true if the NodeClaim holds the Machine. Compares the UID on the Machine. If the Machine has no UID, compares the claim's
 * annotation.
 */
export const isHeldBy = (machine: Machine, claim: NodeClaim): boolean => {
  const uid = machineClaimUid(machine)
  if (uid !== undefined) return uid === claim.metadata.uid
  const named = claimMachineName(claim)
  return named?.namespace === machine.namespace && named.name === machine.name
}

/**
 * Returns true if the Machine's own labels and annotations show that a NodeClaim holds or held it. The member label does not show it if the
 * MachineDeployment's template has the label.
 */
export const isTaken = (machine: Machine, management: ManagementCluster): boolean => {
  if (machineClaimUid(machine) !== undefined) return true
  const { namespace, deploymentName: name } = machine
  const deployment = name === undefined ? undefined : management.deployment({ namespace, name })
  return machine.isMember && deployment?.templateLabels[clusterApiLabels.member] === undefined
}

/** Returns the Machine that the NodeClaim holds, based on the informers. */
export const rememberedMachine = (management: ManagementCluster, claim: NodeClaim): Machine | undefined => {
  const providerId = claim.status?.providerID ?? ''
  if (providerId !== '') return management.machinesWith(providerId).find((machine) => isHeldBy(machine, claim))
  const [taken] = management.machinesTakenBy(claim.metadata.uid ?? '')
  if (taken !== undefined) return taken
  const name = claimMachineName(claim)
  const named = name && management.machine(name)
  return named !== undefined && isHeldBy(named, claim) ? named : undefined
}

/**
 * Returns the Machine that the NodeClaim holds. Reads from the API server until the result is certain, because informers may lag and an
 * overlooked Machine would never be deleted. `claim` must be the current object of the API server.
 *
 * @throws ApiError; NotKnownYetError while the management cluster's state is unknown.
 */
export const machineHeldBy = async (
  management: ManagementCluster,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<Machine | undefined> => {
  const remembered = rememberedMachine(management, claim)
  if (remembered !== undefined) return remembered
  const providerId = claim.status?.providerID ?? ''
  const isMeant = (machine: Machine): boolean =>
    isHeldBy(machine, claim) && (providerId === '' || machine.providerId === providerId)
  const named = claimMachineName(claim)
  if (named !== undefined) {
    try {
      const machine = readMachine(await management.client.get(management.kinds.Machine, named, { signal }))
      if (isMeant(machine)) return machine
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  const chosen = chosenDeployment(claim)
  if (chosen === undefined) return undefined
  return (await management.fresh(chosen, signal))?.machines.find(isMeant)
}
