import type { InstanceView } from '@kerf/provider-contract'
import { instanceGarbageCollection, nodeClassHashing } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsTags, nodeClassHashAnnotations } from '../labels.ts'
import { mayBeLaunchedFor } from '../launch/launched-for.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../node-class/hash.ts'
import { clusterVersion } from './cluster-version.ts'
import { discoveredCapacity } from './discovered-capacity.ts'
import { imageInvalidation } from './image-invalidation.ts'
import { instanceProfileCollection } from './instance-profile-collection.ts'
import { instanceStatusPolling } from './interruption/instance-status.ts'
import { InterruptionQueue } from './interruption/queue.ts'
import { InterruptionResponder } from './interruption/respond.ts'
import { ec2NodeClassStatus } from './node-class/ec2-node-class-status.ts'
import { OfferingMetrics } from './offering-metrics.ts'
import { pricingRefresh } from './pricing-refresh.ts'
import { reservationCapacityType, reservationExpiration } from './reservation-controllers.ts'
import { nodeClaimTagging } from './tagging.ts'
import { typeRefresh } from './type-refresh.ts'
import { zonalShift } from './zonal-shift.ts'

/**
 * Returns the provider's controllers, which run in addition to those of the core
 * (`providers/aws/docs/spec/aws-controllers.md#registered-controllers`).
 */
export const awsControllers = (
  deps: AwsDeps,
  provider: { readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]> },
): readonly Controller[] => {
  const { cluster, context, instances, options } = deps
  const responder = new InterruptionResponder(deps)
  return [
    ec2NodeClassStatus(deps).controller(),
    nodeClassHashing({
      context,
      kind: ec2NodeClassKind,
      annotations: nodeClassHashAnnotations,
      hash: {
        version: NODE_CLASS_HASH_VERSION,
        of: (nodeClass) => nodeClassHash(nodeClass, { caBundle: cluster.caBundle }),
      },
    }),
    instanceGarbageCollection({
      ...context,
      name: 'instance.garbagecollection',
      list: provider.list,
      terminate: async ({ providerID }, signal) => {
        const id = parseProviderId(providerID)
        if (id !== undefined) await instances.terminate(id.instanceId, signal)
      },
      // The tag that lists the NodeClaims of a launch takes precedence over the tag with the name of one claim. An instance with neither
      // tag may belong to any claim.
      mayBeFor: ({ providerID }, { metadata }) => {
        const tags = instances.knownTags(parseProviderId(providerID)?.instanceId ?? '') ?? {}
        const launchedFor = tags[awsTags.launchedFor]
        if (launchedFor !== undefined) return mayBeLaunchedFor(launchedFor, metadata.uid ?? '')
        return tags[awsTags.nodeClaim] === undefined || tags[awsTags.nodeClaim] === metadata.name
      },
    }),
    nodeClaimTagging(deps),
    typeRefresh(deps),
    pricingRefresh(deps),
    discoveredCapacity(deps),
    imageInvalidation(deps),
    clusterVersion(deps),
    deps.templates.collection(),
    ...(options.reservedCapacity ? [reservationCapacityType(deps), reservationExpiration(deps)] : []),
    new OfferingMetrics(deps).controller(),
    instanceStatusPolling(deps, responder),
    ...(options.settings.enableZonalShift ? [zonalShift(deps)] : []),
    ...(options.settings.isolatedVpc ? [] : [instanceProfileCollection(deps)]),
    ...(options.settings.interruptionQueue === '' ? [] : [new InterruptionQueue(deps, responder).controller()]),
  ]
}
