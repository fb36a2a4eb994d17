import { type NodeClaim, parseResources } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec, Resources } from '@kerf/engine'
import { allocatableOf, areCompatible, comparePrices, fits, usableOfferings } from '@kerf/provider-contract'

/** One way to launch a NodeClaim: an instance type, bought as one of its offerings. */
export interface LaunchOption {
  readonly type: InstanceType
  readonly offering: Offering
}

/** What an instance must be, and what must fit on it. */
export interface LaunchDemand {
  readonly requirements: readonly RequirementSpec[]
  readonly requests: Resources
}

/** What the claim asks for. */
export const demandOf = ({ spec: { requirements, resources } }: NodeClaim): LaunchDemand => ({
  requirements,
  requests: parseResources(resources?.requests),
})

/** The offerings of the type that can be had, that the requirements admit and on which the requests fit. */
export const fittingOfferings = (type: InstanceType, { requirements, requests }: LaunchDemand): readonly Offering[] =>
  areCompatible(requirements, type.requirements)
    ? usableOfferings(type, requirements).filter((offering) => fits(requests, allocatableOf(type, offering)))
    : []

/** For sorting: the cheaper option first, and those that nobody knows the price of last. */
export const cheapestFirst = (a: LaunchOption, b: LaunchOption): number =>
  comparePrices(a.offering.price, b.offering.price)

/** Every way to launch what is asked for, the cheapest first; equally cheap ones as the types have them. */
export const launchOptions = (types: readonly InstanceType[], demand: LaunchDemand): readonly LaunchOption[] =>
  types.flatMap((type) => fittingOfferings(type, demand).map((offering) => ({ type, offering }))).sort(cheapestFirst)
