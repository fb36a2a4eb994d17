import { type NodeClaim, parseResources } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec, Resources } from '@kerf/engine'
import { areCompatible, comparePrices, fits, offeringAllocatable, usableOfferings } from '@kerf/provider-contract'

/** One way to launch a NodeClaim: an instance type with one of its offerings. */
export interface LaunchOption {
  readonly type: InstanceType
  readonly offering: Offering
}

/** The requirements and resource requests that an instance must satisfy. */
export interface LaunchDemand {
  readonly requirements: readonly RequirementSpec[]
  readonly requests: Resources
}

/** Returns the requirements and requests of a NodeClaim. */
export const launchDemand = ({ spec: { requirements, resources } }: NodeClaim): LaunchDemand => ({
  requirements,
  requests: parseResources(resources?.requests),
})

/** Returns the instance type's available offerings that satisfy the requirements and have enough capacity for the requests. */
export const fittingOfferings = (type: InstanceType, { requirements, requests }: LaunchDemand): readonly Offering[] =>
  areCompatible(requirements, type.requirements)
    ? usableOfferings(type, requirements).filter((offering) => fits(requests, offeringAllocatable(type, offering)))
    : []

/** Compares two options by price. Options without a known price come last. */
export const cheapestFirst = (a: LaunchOption, b: LaunchOption): number =>
  comparePrices(a.offering.price, b.offering.price)

/**
 * Returns all options for launching an instance for the demand, cheapest first. Options with equal prices keep the order of the instance
 * types.
 */
export const launchOptions = (types: readonly InstanceType[], demand: LaunchDemand): readonly LaunchOption[] =>
  types.flatMap((type) => fittingOfferings(type, demand).map((offering) => ({ type, offering }))).sort(cheapestFirst)
