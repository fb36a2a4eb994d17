import { type InstanceView, instanceGarbageCollection } from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsTags } from '../labels.ts'
import { mayBeLaunchedFor } from '../launch/launched-for.ts'
import { clusterVersion } from './cluster-version.ts'
import { discoveredCapacity } from './discovered-capacity.ts'
import { imageInvalidation } from './image-invalidation.ts'
import { instanceProfileCollection } from './instance-profile-collection.ts'
import { instanceStatusPolling } from './interruption/instance-status.ts'
import { interruptionQueue } from './interruption/queue.ts'
import { interruptionResponder } from './interruption/respond.ts'
import { launchTemplateSweep } from './launch-template-sweep.ts'
import { nodeClassHashing } from './node-class/node-class-hash.ts'
import { nodeClassStatus } from './node-class/node-class-status.ts'
import { offeringMetrics } from './offering-metrics.ts'
import { pricingRefresh } from './pricing-refresh.ts'
import { reservationCapacityType, reservationExpiration } from './reservation-controllers.ts'
import { nodeClaimTagging } from './tagging.ts'
import { typeRefresh } from './type-refresh.ts'
import { zonalShift } from './zonal-shift.ts'

/** What runs beside the core's controllers (`docs/spec/aws-controllers.md#registered-controllers`). */
export const awsControllers = (
  parts: AwsParts,
  provider: { readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]> },
): readonly Controller[] => {
  const { context, instances, options } = parts
  const respond = interruptionResponder(parts)
  return [
    nodeClassStatus(parts),
    nodeClassHashing(parts),
    instanceGarbageCollection({
      ...context,
      name: 'instance.garbagecollection',
      list: provider.list,
      terminate: async ({ providerID }, signal) => {
        const id = parseProviderId(providerID)
        if (id !== undefined) await instances.terminate(id.instanceId, signal)
      },
      // The tag with the claims of the launch decides if the instance has it, else the tag with a claim's name. An instance
      // with neither may belong to any claim.
      mayBeFor: ({ providerID }, { metadata }) => {
        const tags = instances.knownTags(parseProviderId(providerID)?.instanceId ?? '') ?? {}
        const launchedFor = tags[awsTags.launchedFor]
        if (launchedFor !== undefined) return mayBeLaunchedFor(launchedFor, metadata.uid ?? '')
        return tags[awsTags.nodeClaim] === undefined || tags[awsTags.nodeClaim] === metadata.name
      },
    }),
    nodeClaimTagging(parts),
    typeRefresh(parts),
    pricingRefresh(parts),
    discoveredCapacity(parts),
    imageInvalidation(parts),
    clusterVersion(parts),
    launchTemplateSweep(parts),
    ...(options.reservedCapacity ? [reservationCapacityType(parts), reservationExpiration(parts)] : []),
    offeringMetrics(parts),
    instanceStatusPolling(parts, respond),
    ...(options.settings.enableZonalShift ? [zonalShift(parts)] : []),
    ...(options.settings.isolatedVpc ? [] : [instanceProfileCollection(parts)]),
    ...(options.settings.interruptionQueue === '' ? [] : [interruptionQueue(parts, respond)]),
  ]
}
