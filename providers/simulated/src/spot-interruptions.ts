import { karpenterKinds, ownValue } from '@kerf/apis'
import { declareEvents, type ProviderContext } from '@kerf/provider-contract'
import { deleteObject } from '@kerf/provider-kit'
import { type Controller, done, isNotFound } from '@kerf/runtime'
import type { SimulatedCloud } from '@kerf/sandbox'

const simulatedEvents = declareEvents({
  SpotInterrupted: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The simulated cloud interrupts the spot instance within two minutes.',
  },
})

/**
 * Deletes the NodeClaims of spot instances that are about to be interrupted, so that their pods move before the instance
 * is gone. Notices from before this process started are read from the instances.
 */
export const spotInterruptions = (context: ProviderContext, cloud: SimulatedCloud, claimTag: string): Controller => {
  return {
    name: 'simulated.interruption',
    sources: [],
    concurrency: 10,
    subscribe: (enqueue) => {
      for (const { id, reclaimedAt } of cloud.instances()) if (reclaimedAt !== undefined) enqueue(id)
      return cloud.onEvent((event) => {
        if (event.kind === 'interruption') enqueue(event.instance.id)
      })
    },
    reconcile: async (id, signal) => {
      const instance = cloud.instances().find((each) => each.id === id)
      const name = ownValue(instance?.tags, claimTag)
      if (name === undefined || instance?.reclaimedAt === undefined) return done()
      try {
        const claim = await context.client.get(karpenterKinds.NodeClaim, { name }, { signal })
        if (claim.metadata.deletionTimestamp !== undefined || claim.status?.providerID !== instance.providerID)
          return done()
        context.events.publish({
          object: { ...claim, apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim' },
          type: 'Warning',
          reason: simulatedEvents.reason('SpotInterrupted'),
          message: `Spot interruption notice was received, ${id} ends in two minutes`,
          dedupeValues: [claim.metadata.uid ?? ''],
        })
        await deleteObject(context.client, karpenterKinds.NodeClaim, claim, signal)
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
      return done()
    },
  }
}
