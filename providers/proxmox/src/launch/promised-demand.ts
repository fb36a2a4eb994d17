import { findCondition, labels, type NodeClaim } from '@kerf/apis'
import { type LaunchDemand, launchDemand } from '@kerf/provider-kit'

const PROMISED = [labels.instanceType, labels.region, labels.zone, labels.capacityType] as const

/**
 * Returns the requirements of a claim for its instance (`docs/spec/provider-contract.md#slow-launches`). If the launch is pending, Kerf has
 * already written the labels of the future node and planned pods for them. So a repeated launch must keep these labels.
 */
export const promisedDemand = (claim: NodeClaim): LaunchDemand => {
  const demand = launchDemand(claim)
  const launched = findCondition(claim, 'Launched')
  if (launched?.status !== 'Unknown' || launched.reason !== 'LaunchPending') return demand
  const promised = PROMISED.flatMap((key) => {
    const value = claim.metadata.labels?.[key]
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }]
  })
  return { ...demand, requirements: [...demand.requirements, ...promised] }
}
