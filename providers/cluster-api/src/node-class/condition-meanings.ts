import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of a ClusterAPINodeClass, for its reference page. */
export const clusterApiNodeClassMeanings: ConditionMeanings = {
  MachineDeploymentsReady: {
    isTrue: 'at least one selected MachineDeployment has an instance type',
    otherwise:
      'nothing is selected, or no instance type is known (`NoInstanceTypes`); Unknown: the management cluster does not answer, or refuses the credentials',
  },
  MembersClear: {
    isTrue: 'nothing is wrong with the selected MachineDeployments',
    otherwise: 'the message names each problem with its object, and what to do; the others are used nevertheless',
  },
  PricesKnown: {
    isTrue: 'every selected MachineDeployment has a price',
    otherwise: 'prices are missing, cannot be read or contradict each other',
  },
}
