import type { MakeInvariant } from './invariant.ts'

/** Kerf never terminates an instance of another owner. The instance's tags contain another owner, or lack this cluster's tag. */
export const foreignInstancesAreKept: MakeInvariant = (environment, report) => ({
  name: 'foreign-instances-are-kept',
  terminating: (providerID) => {
    if (environment.cloud.foreignInstances.has(providerID))
      report(`instance ${providerID} was terminated, and it belongs to another owner`)
  },
})
