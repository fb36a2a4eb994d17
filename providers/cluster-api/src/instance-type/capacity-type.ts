import { type CapacityType, capacityTypes, labels } from '@kerf/apis'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentProblem, type Reading, read } from './problem.ts'

/**
 * Returns the capacity type. It is on-demand unless the labels declare spot
 * (`providers/cluster-api/docs/spec/cluster-api.md#instance-types`). Reports any other value as a problem, because interruptible machines
 * must not count as on-demand.
 */
export const readCapacityType = (
  deployment: MachineDeployment,
  nodeLabels: Readonly<Record<string, string>>,
): Reading<CapacityType | undefined> => {
  const found = nodeLabels[labels.capacityType]
  if (found === undefined) return read(capacityTypes.onDemand)
  if (found === capacityTypes.onDemand || found === capacityTypes.spot) return read(found)
  return read(
    undefined,
    deploymentProblem(deployment, {
      reason: 'CapacityTypeUnknown',
      consequence: 'no-launch',
      key: clusterApiAnnotations.labels,
      found: `${labels.capacityType}=${found}`,
      detail: 'the capacity type of a MachineDeployment must be on-demand or spot',
      remedy: 'set one of them, or remove the label for on-demand',
    }),
  )
}
