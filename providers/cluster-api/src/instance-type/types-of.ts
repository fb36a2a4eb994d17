import type { Member } from '../members/member.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentOffer } from './deployment-offer.ts'
import type { MachineFacts } from './machine-facts.ts'
import { type MergedTypes, mergedTypes } from './merged-types.ts'

/**
 * Returns the instance types of a node class's members (`providers/cluster-api/docs/spec/cluster-api.md#instance-types`). A pure function:
 * equal members give equal types.
 */
export const machineTypes = (
  members: readonly Member[],
  factsOf: (deployment: MachineDeployment) => MachineFacts = () => ({}),
): MergedTypes =>
  mergedTypes(members.map(({ deployment, mayLaunch }) => deploymentOffer(deployment, mayLaunch, factsOf(deployment))))
