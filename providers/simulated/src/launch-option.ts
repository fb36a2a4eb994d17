import { formatResources, InvariantError, labels as labelKeys, type NodeClaim, taints } from '@kerf/apis'
import { offeringAllocatable, offeringCapacity, offeringCoordinates } from '@kerf/provider-contract'
import { type LaunchOption, launchedLabels } from '@kerf/provider-kit'
import type { NodeTemplate, OfferingName } from '@kerf/sandbox'

/** Returns the option that the cloud chose. */
export const findOption = (options: readonly LaunchOption[], taken: OfferingName): LaunchOption => {
  const found = options.find(({ type, offering }) => {
    const { instanceType, zone, capacityType } = offeringCoordinates(type, offering)
    return instanceType === taken.instanceType && zone === taken.zone && capacityType === taken.capacityType
  })
  if (found === undefined) throw new InvariantError(`the cloud took ${taken.instanceType}, which was not requested`)
  return found
}

/** Returns the Node that an instance of the option registers. */
export const nodeTemplate = (claim: NodeClaim, option: LaunchOption, id: string): NodeTemplate => ({
  name: id.replace(/^i-/, 'machine-'),
  labels: {
    ...launchedLabels(claim, option),
    [labelKeys.hostname]: id.replace(/^i-/, 'machine-'),
  },
  taints: [taints.unregistered],
  capacity: formatResources(offeringCapacity(option.type, option.offering)),
  allocatable: formatResources(offeringAllocatable(option.type, option.offering)),
})
