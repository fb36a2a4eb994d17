import type { KubeObject, Node, NodePool } from '@kerf/apis'
import type { KnownProvider } from '@kerf/provider-contract'
import { defaultProvider, knownProviders, offlineProviders } from '../providers.ts'
import type { InstanceTypesChoice } from './instance-types.ts'

const isNode = (object: KubeObject): object is Node => object.kind === 'Node' && object.apiVersion === 'v1'
const isPool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

const withOfflineTypes = knownProviders.filter(({ name }) => offlineProviders.includes(name))

/** Returns whether the NodePool's node class belongs to the provider. If the reference has no API group, only the kind is compared. */
export const hasNodeClassFrom = (pool: NodePool, { nodeClasses }: Pick<KnownProvider, 'nodeClasses'>): boolean => {
  const ref: { readonly group?: string; readonly kind?: string } | undefined = pool.spec?.template?.spec?.nodeClassRef
  return nodeClasses.some(
    ({ resource: { kind } }) => kind.kind === ref?.kind && (ref.group === undefined || ref.group === kind.group),
  )
}

/** Returns the provider to which most nodes belong, according to the provider IDs of the nodes. */
const providerOfNodes = (objects: readonly KubeObject[]): KnownProvider | undefined => {
  const ids = objects.filter(isNode).map(({ spec }) => spec?.providerID ?? '')
  const [best] = withOfflineTypes
    .map((provider) => {
      const recognition = provider.instanceTypes?.nodes
      return { provider, count: ids.filter((id) => recognition?.isProviderId(id) === true).length }
    })
    .sort((a, b) => b.count - a.count)
  return best === undefined || best.count === 0 ? undefined : best.provider
}

/**
 * Returns the provider of the node classes that the NodePools refer to. A provider that launches real instances takes precedence over
 * KWOK.
 */
const providerOfPools = (pools: readonly NodePool[]): KnownProvider | undefined => {
  const found = withOfflineTypes.filter((provider) => pools.some((pool) => hasNodeClassFrom(pool, provider)))
  return found.find(({ name }) => name !== defaultProvider) ?? found[0]
}

/**
 * Returns the provider whose instance types a cluster uses: the provider of its NodePools' node classes, or of its nodes if it has
 * no NodePool. Returns undefined if the provider is unknown or has no offline instance types.
 */
export const inferredProvider = (objects: readonly KubeObject[]): KnownProvider | undefined => {
  const pools = objects.filter(isPool)
  return pools.length > 0 ? providerOfPools(pools) : providerOfNodes(objects)
}

/**
 * Returns the choice of instance types. If the user chose no provider, it is inferred from the cluster's objects. `note` is set if the
 * inferred provider is not the default one.
 */
export const withInferredTypes = <T extends InstanceTypesChoice>(
  choice: T,
  objects: readonly KubeObject[],
): { readonly choice: T; readonly note?: string } => {
  if (choice.instanceTypes !== undefined) return { choice }
  const provider = inferredProvider(objects)
  if (provider === undefined || provider.name === defaultProvider) return { choice }
  const because = objects.some(isPool) ? 'from the node classes of the NodePools' : 'from the nodes'
  return {
    choice: { ...choice, instanceTypes: provider.name },
    note: `instance types of ${provider.name}, ${because}; see --instance-types`,
  }
}
