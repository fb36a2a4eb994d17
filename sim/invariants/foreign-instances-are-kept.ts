import type { MakeInvariant } from './invariant.ts'

/** No instance is ended that another owns: its tags say so, or none says that it is of this cluster. */
export const foreignInstancesAreKept: MakeInvariant = (environment, report) => ({
  name: 'foreign-instances-are-kept',
  terminating: (providerID) => {
    const id = providerID.slice(providerID.lastIndexOf('/') + 1)
    if (environment.aws?.foreignInstances.has(id) === true) report(`instance ${id} was ended, which is somebody else's`)
  },
})
