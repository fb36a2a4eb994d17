import type { NodeClaim, NodePool } from '@kerf/apis'
import { type Clock, defineMetrics, type Metrics } from '@kerf/runtime'
import type { CloudProvider } from './cloud-provider.ts'
import { isInsufficientCapacity, isLaunchPending, isNodeClaimNotFound, isNodeClassNotReady } from './errors.ts'

type Method = 'Create' | 'Delete' | 'Get' | 'List' | 'GetInstanceTypes' | 'IsDrifted'

export const providerCallMetrics = defineMetrics({
  duration: {
    name: 'karpenter_cloudprovider_duration_seconds',
    type: 'histogram',
    help: 'Duration of cloud provider method calls.',
    labels: ['controller', 'method', 'provider'],
  },
  errors: {
    name: 'karpenter_cloudprovider_errors_total',
    type: 'counter',
    help: 'Cloud provider method calls that ended in an error.',
    labels: ['controller', 'method', 'provider', 'error'],
  },
})

const errorLabel = (error: unknown): string => {
  if (isInsufficientCapacity(error)) return 'InsufficientCapacityError'
  if (isNodeClaimNotFound(error)) return 'NodeClaimNotFoundError'
  if (isNodeClassNotReady(error)) return 'NodeClassNotReadyError'
  return ''
}

/**
 * Returns the provider with measured calls for one controller, in `karpenter_cloudprovider_duration_seconds` and
 * `karpenter_cloudprovider_errors_total` (`docs/spec/provider-contract.md#decorators`). The not-found error that completes a deletion
 * counts as an error, because upstream's dashboards expect this. A pending launch does not count as an error.
 */
export const measuredProvider = (
  provider: CloudProvider,
  options: { readonly metrics: Metrics; readonly clock: Clock; readonly controller: string },
): CloudProvider => {
  const { clock, controller } = options
  const { duration, errors } = providerCallMetrics.register(options.metrics)
  const measured = async <T>(method: Method, call: () => Promise<T>): Promise<T> => {
    const labels = { controller, method, provider: provider.name }
    const start = clock.monotonic()
    try {
      return await call()
    } catch (error) {
      if (!isLaunchPending(error)) errors.inc({ ...labels, error: errorLabel(error) })
      throw error
    } finally {
      duration.observe((clock.monotonic() - start) / 1000, labels)
    }
  }
  return {
    ...plainPart(provider),
    create: (claim: NodeClaim, signal: AbortSignal) => measured('Create', () => provider.create(claim, signal)),
    delete: (claim: NodeClaim, signal: AbortSignal) => measured('Delete', () => provider.delete(claim, signal)),
    get: (providerID: string, signal: AbortSignal) => measured('Get', () => provider.get(providerID, signal)),
    list: (signal: AbortSignal) => measured('List', () => provider.list(signal)),
    instanceTypes: (pool: NodePool, signal: AbortSignal) =>
      measured('GetInstanceTypes', () => provider.instanceTypes(pool, signal)),
    isDrifted: (claim: NodeClaim, signal: AbortSignal) =>
      measured('IsDrifted', () => provider.isDrifted(claim, signal)),
  }
}

/** Returns the members of a provider that a decorator leaves unchanged. */
export const plainPart = (
  provider: CloudProvider,
): Pick<
  CloudProvider,
  | 'name'
  | 'nodeClasses'
  | 'vocabulary'
  | 'reservationIdLabel'
  | 'repairPolicies'
  | 'launchTimeout'
  | 'hooks'
  | 'controllers'
  | 'freeAddresses'
  | 'priceSources'
  | 'commitments'
> => {
  const { commitments, controllers, freeAddresses, priceSources, reservationIdLabel, launchTimeout } = provider
  return {
    name: provider.name,
    nodeClasses: provider.nodeClasses,
    vocabulary: provider.vocabulary,
    ...(reservationIdLabel === undefined ? {} : { reservationIdLabel }),
    repairPolicies: provider.repairPolicies,
    ...(launchTimeout === undefined ? {} : { launchTimeout }),
    ...(provider.hooks === undefined ? {} : { hooks: provider.hooks }),
    ...(controllers === undefined ? {} : { controllers: () => controllers.call(provider) }),
    ...(freeAddresses === undefined
      ? {}
      : { freeAddresses: (pool: NodePool, signal: AbortSignal) => freeAddresses.call(provider, pool, signal) }),
    ...(priceSources === undefined ? {} : { priceSources: () => priceSources.call(provider) }),
    ...(commitments === undefined ? {} : { commitments: (signal: AbortSignal) => commitments.call(provider, signal) }),
  }
}
