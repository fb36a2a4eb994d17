import type { MakeInvariant } from './invariant.ts'

/** No instance of another owner is terminated. Its tags name another owner, or no tag names this cluster. */
export const foreignInstancesAreKept: MakeInvariant = (environment, report) => ({
  name: 'foreign-instances-are-kept',
  terminating: (providerID) => {
    const id = providerID.slice(providerID.lastIndexOf('/') + 1)
    if (environment.aws?.foreignInstances.has(id) === true)
      report(`instance ${id} was terminated, and it belongs to another owner`)
  },
})
