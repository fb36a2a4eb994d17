import type { NodeClaim } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { type Machine, machineOf } from '../objects/machine.ts'
import { chosenDeploymentOf, machineNameOf } from './claim-annotations.ts'

const claimUidOf = ({ annotations }: Machine): string | undefined => annotations[clusterApiAnnotations.nodeClaimUid]

/** Whether the NodeClaim has taken the Machine: by the uid on it, or by the claim's own word where there is none. */
export const isHeldBy = (machine: Machine, claim: NodeClaim): boolean => {
  const uid = claimUidOf(machine)
  if (uid !== undefined) return uid === claim.metadata.uid
  const named = machineNameOf(claim)
  return named?.namespace === machine.namespace && named.name === machine.name
}

/** Whether some NodeClaim has taken it, or had, as far as the Machine says. In a template the label says nothing. */
export const isTaken = (machine: Machine, management: ManagementCluster): boolean => {
  if (claimUidOf(machine) !== undefined) return true
  const { namespace, deploymentName: name } = machine
  const deployment = name === undefined ? undefined : management.deployment({ namespace, name })
  return machine.isMember && deployment?.templateLabels[clusterApiLabels.member] === undefined
}

/** The Machine that the claim holds, by what is remembered. */
export const rememberedMachine = (management: ManagementCluster, claim: NodeClaim): Machine | undefined => {
  const providerId = claim.status?.providerID ?? ''
  if (providerId !== '') return management.machinesWith(providerId).find((machine) => isHeldBy(machine, claim))
  const [taken] = management.machinesTakenBy(claim.metadata.uid ?? '')
  if (taken !== undefined) return taken
  const name = machineNameOf(claim)
  const named = name && management.machine(name)
  return named !== undefined && isHeldBy(named, claim) ? named : undefined
}

/**
 * The Machine that the claim holds, looked for until that is certain: memory may lag behind, and a claim whose Machine was
 * overlooked would leave it behind. `claim` is as the API server has it now.
 *
 * @throws ApiError; NotKnownYetError while the management cluster is not known.
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
  const named = machineNameOf(claim)
  if (named !== undefined) {
    try {
      const machine = machineOf(await management.client.get(management.kinds.Machine, named, { signal }))
      if (isMeant(machine)) return machine
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  const chosen = chosenDeploymentOf(claim)
  if (chosen === undefined) return undefined
  return (await management.fresh(chosen, signal))?.machines.find(isMeant)
}
