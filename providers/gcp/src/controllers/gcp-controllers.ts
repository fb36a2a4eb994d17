import type { InstanceView, ProviderContext } from '@kerf/provider-contract'
import { instanceGarbageCollection } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { GceInstance } from '../api/compute-shapes.ts'
import type { GcpDeps, GcpOptions } from '../gcp-deps.ts'
import { placeInProviderId } from '../instances/instance-names.ts'
import { certificateApproval } from './certificate-approval.ts'
import { interruption } from './interruption.ts'
import { gceNodeClassControllers } from './node-class/gce-node-class-status.ts'
import { priceRefresh } from './price-refresh.ts'

/** Returns the controllers of the provider. `view` returns the description of an instance. */
export const gcpControllers = (
  context: ProviderContext,
  { metrics, prices, watchesInterruptions }: Pick<GcpOptions, 'metrics' | 'prices' | 'watchesInterruptions'>,
  { cluster, claims, instances, types, unavailable, instanceId }: GcpDeps,
  view: (instance: GceInstance, signal: AbortSignal) => Promise<InstanceView>,
): readonly Controller[] => {
  const instanceIn = (providerID: string): string | undefined => {
    const place = placeInProviderId(providerID)
    return place && instanceId(place)
  }

  /** Lists the instances that garbage collection may delete. Includes stopped instances, because their disks still cost money. */
  const collectable = async (signal: AbortSignal): Promise<readonly InstanceView[]> => {
    const own = (await instances.list(signal)).filter((instance) => instances.isOwn(instance))
    return await Promise.all(
      own.map(async (instance) => {
        const { deletionTimestamp, ...rest } = await view(instance, signal)
        return deletionTimestamp === undefined || instance.status === 'TERMINATED'
          ? rest
          : { ...rest, deletionTimestamp }
      }),
    )
  }

  return [
    ...gceNodeClassControllers({ context, images: cluster.images, types }),
    instanceGarbageCollection({
      ...context,
      name: 'instance.garbagecollection',
      list: collectable,
      terminate: async ({ providerID }, signal) => {
        const place = placeInProviderId(providerID)
        if (place !== undefined) await instances.terminate(place, signal)
      },
      mayBeFor: ({ nodeClaimName }, { metadata }) => nodeClaimName === metadata.name,
    }),
    certificateApproval(context),
    ...(prices.isReadable ? [priceRefresh(prices, context.log)] : []),
    ...(watchesInterruptions ? [interruption({ context, metrics, claims, instanceId: instanceIn }, unavailable)] : []),
  ]
}
