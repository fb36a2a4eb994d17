import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of a ClusterAPINodeClass, for its reference page. */
export const clusterApiNodeClassMeanings: ConditionMeanings = {
  MachineDeploymentsReady: {
    isTrue: 'at least one selected MachineDeployment has an instance type',
    otherwise:
      'nothing is selected, or no instance type is known (`NoInstanceTypes`); Unknown: the management cluster does not respond, or rejects the credentials',
  },
  MembersClear: {
    isTrue: 'the selected MachineDeployments have no problems',
    otherwise: 'the message names each problem with its object and the remedy; the other MachineDeployments are used',
  },
  PricesKnown: {
    isTrue: 'every selected MachineDeployment has a price',
    otherwise: 'prices are missing, invalid or contradictory',
  },
}
