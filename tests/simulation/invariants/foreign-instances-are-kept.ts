import type { MakeInvariant } from './invariant.ts'

/** Kerf terminates no instance of another owner, which is an instance with tags of another owner or without a tag of this cluster. */
export const foreignInstancesAreKept: MakeInvariant = (environment, report) => ({
  name: 'foreign-instances-are-kept',
  terminating: (providerID) => {
    if (environment.cloud.foreignInstances.has(providerID))
      report(`instance ${providerID} was terminated, and it belongs to another owner`)
  },
})
