import type { MakeInvariant } from './invariant.ts'

/** No instance of another owner is terminated. Its tags name another owner, or no tag names this cluster. */
export const foreignInstancesAreKept: MakeInvariant = (environment, report) => ({
  name: 'foreign-instances-are-kept',
  terminating: (providerID) => {
    if (environment.cloud.foreignInstances.has(providerID))
      report(`instance ${providerID} was terminated, and it belongs to another owner`)
  },
})
