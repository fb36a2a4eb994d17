import { formatResources, labels as labelKeys, type NodeClaim, taints } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { allocatableOf, capacityOf, coordinatesOf, singleValues } from '@kerf/provider-contract'
import type { NodeTemplate, OfferingName } from '@kerf/sandbox'

/** An instance type and one of its offerings. */
export interface LaunchOption {
  readonly type: InstanceType
  readonly offering: Offering
}

/** The option that the cloud took. */
export const optionOf = (options: readonly LaunchOption[], taken: OfferingName): LaunchOption => {
  const found = options.find(({ type, offering }) => {
    const { instanceType, zone, capacityType } = coordinatesOf(type, offering)
    return instanceType === taken.instanceType && zone === taken.zone && capacityType === taken.capacityType
  })
  if (found === undefined) throw new Error(`the cloud took ${taken.instanceType}, which was not asked for`)
  return found
}

/** The Node that an instance launched with the option registers. */
export const nodeTemplate = (claim: NodeClaim, { type, offering }: LaunchOption, id: string): NodeTemplate => ({
  name: id.replace(/^i-/, 'machine-'),
  labels: {
    ...claim.metadata.labels,
    ...singleValues(claim.spec.requirements),
    ...singleValues(type.requirements),
    ...singleValues(offering.requirements),
    [labelKeys.instanceType]: type.name,
    [labelKeys.hostname]: id.replace(/^i-/, 'machine-'),
  },
  taints: [taints.unregistered],
  capacity: formatResources(capacityOf(type, offering)),
  allocatable: formatResources(allocatableOf(type, offering)),
})
