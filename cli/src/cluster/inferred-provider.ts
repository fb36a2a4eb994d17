import type { KubeObject, Node, NodePool } from '@kerf/apis'
import type { KnownProvider } from '@kerf/provider-contract'
import { defaultProvider, knownProviders, offlineProviders } from '../providers.ts'
import type { InstanceTypesChoice } from './instance-types.ts'

const isNode = (object: KubeObject): object is Node => object.kind === 'Node' && object.apiVersion === 'v1'
const isPool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

const withOfflineTypes = knownProviders.filter(({ name }) => offlineProviders.includes(name))

const classKindOf = (pool: NodePool): string | undefined => pool.spec?.template?.spec?.nodeClassRef?.kind

/** The provider of most of the nodes, by their ids. */
const providerOfNodes = (objects: readonly KubeObject[]): KnownProvider | undefined => {
  const ids = objects.filter(isNode).map(({ spec }) => spec?.providerID ?? '')
  const [best] = withOfflineTypes
    .map((provider) => {
      const prefix = provider.instanceTypes?.nodes?.providerIdPrefix
      return { provider, count: ids.filter((id) => prefix !== undefined && id.startsWith(prefix)).length }
    })
    .sort((a, b) => b.count - a.count)
  return best === undefined || best.count === 0 ? undefined : best.provider
}

/** The provider whose node classes the NodePools name: one that launches instances, before the one that only rehearses. */
const providerOfPools = (pools: readonly NodePool[]): KnownProvider | undefined => {
  const kinds = new Set(pools.map(classKindOf))
  const found = withOfflineTypes.filter(({ nodeClasses }) =>
    nodeClasses.some(({ resource }) => kinds.has(resource.kind.kind)),
  )
  return found.find(({ name }) => name !== defaultProvider) ?? found[0]
}

/**
 * The provider whose instance types a cluster of these objects has: that of its NodePools' node classes, or of its nodes when it has no
 * NodePool. Undefined when nothing shows it, and for a provider without instance types offline.
 */
export const inferredProvider = (objects: readonly KubeObject[]): KnownProvider | undefined => {
  const pools = objects.filter(isPool)
  return pools.length > 0 ? providerOfPools(pools) : providerOfNodes(objects)
}

/** The choice with the provider that the objects show, unless a person chose one. `note` says so where it is not the default. */
export const withInferredTypes = <T extends InstanceTypesChoice>(
  choice: T,
  objects: readonly KubeObject[],
): { readonly choice: T; readonly note?: string } => {
  if (choice.instanceTypes !== undefined || choice.catalogue !== undefined) return { choice }
  const provider = inferredProvider(objects)
  if (provider === undefined || provider.name === defaultProvider) return { choice }
  const because = objects.some(isPool) ? 'as the node classes of the NodePools say' : 'as the nodes say'
  return {
    choice: { ...choice, instanceTypes: provider.name },
    note: `instance types of ${provider.name}, ${because}; see --instance-types`,
  }
}
