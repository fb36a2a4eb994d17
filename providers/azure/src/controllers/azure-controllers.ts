import type { InstanceView } from '@kerf/provider-contract'
import { instanceGarbageCollection, PriceRefresh } from '@kerf/provider-kit'
import { type Controller, retryAfter } from '@kerf/runtime'
import type { AzureDeps } from '../azure-deps.ts'
import { classifyAzureFailure } from '../failures/azure-failure.ts'
import { inPlaceUpdates } from '../in-place/in-place-updates.ts'
import { vmNameOfProviderId } from '../instances/instance-names.ts'
import { leftoverCollections } from './leftovers.ts'
import { aksNodeClassControllers } from './node-class/aks-node-class-status.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SIZES_EVERY = 12 * HOUR
const QUOTAS_EVERY = 10 * MINUTE

/** Reads the sizes of the location regularly (`providers/azure/docs/spec/azure.md#source-and-refresh`). */
const sizeRefresh = ({ sizes }: AzureDeps): Controller => ({
  ...{ name: 'providers.instancetype', sources: [], concurrency: 1, singleton: true, readsOnly: true },
  reconcile: async (_key, signal) => {
    // The provider has already read the sizes at its start.
    if (sizes.age < SIZES_EVERY) return retryAfter(SIZES_EVERY - sizes.age)
    await sizes.read(signal)
    return retryAfter(SIZES_EVERY)
  },
})

/** Reads the free core quota regularly (`providers/azure/docs/spec/azure.md#quota-provider`). */
const quotaRefresh = ({ quotas, options }: AzureDeps): Controller => ({
  ...{ name: 'providers.quota', sources: [], concurrency: 1, singleton: true, readsOnly: true },
  reconcile: async (_key, signal) => {
    quotas.update(await options.api.compute.usages(signal))
    return retryAfter(QUOTAS_EVERY)
  },
})

const priceRefresh = ({ prices, context: { log } }: AzureDeps): readonly Controller[] =>
  prices.isReadable
    ? [
        new PriceRefresh({
          ...{ log, book: prices.book, memory: prices.memory },
          reads: {
            onDemand: (signal) => prices.readOnDemand(signal),
            spot: (signal) => prices.readSpot(signal),
          },
          failureOf: classifyAzureFailure,
        }).controller('providers.pricing'),
      ]
    : []

/** Returns the provider's controllers, which run in addition to those of the core. */
export const azureControllers = (
  deps: AzureDeps,
  provider: { readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]> },
): readonly Controller[] => {
  const { context, options, fleet } = deps
  return [
    ...aksNodeClassControllers({
      ...{ context, api: options.api, settings: options.settings },
      namespace: options.namespace ?? '',
    }),
    instanceGarbageCollection({
      ...context,
      name: 'instance.garbagecollection',
      list: provider.list,
      terminate: async ({ providerID }, signal) => {
        const name = vmNameOfProviderId(providerID)
        if (name !== undefined) await fleet.terminate(name.toLowerCase(), signal)
      },
      mayBeFor: ({ providerID }, { metadata }) =>
        fleet.isNamedFor(vmNameOfProviderId(providerID)?.toLowerCase() ?? '', metadata.name),
      grace: 5 * MINUTE,
    }),
    ...leftoverCollections(deps),
    inPlaceUpdates(deps),
    sizeRefresh(deps),
    quotaRefresh(deps),
    ...priceRefresh(deps),
  ]
}
