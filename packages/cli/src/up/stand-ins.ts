import type { KubeObject, NodePool, ResourceKind } from '@kerf/apis'
import type { KnownProvider, OfflineClassTypes } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import type { StandIn } from '@kerf/provider-kwok'
import { keptPromise } from '@kerf/runtime'
import type { InstanceTypesChoice } from '../cluster/instance-types.ts'
import type { OpenedTypes } from '../cluster/opened-types.ts'
import { otherProvider } from '../cluster/other-provider.ts'
import { defaultProvider, knownProviders, offlineProviders } from '../providers.ts'

const all = knownProviders

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** Returns the provider of the pool's node class, or undefined if it is KWOK. */
const poolOtherProvider = (pool: NodePool): KnownProvider | undefined => {
  const kind = pool.spec?.template?.spec?.nodeClassRef?.kind
  const found = all.find(({ nodeClasses }) => nodeClasses.some(({ resource }) => resource.kind.kind === kind))
  return found?.name === defaultProvider ? undefined : found
}

const poolsOfOthers = (objects: readonly KubeObject[]) =>
  objects.filter(isNodePool).flatMap((pool) => {
    const provider = poolOtherProvider(pool)
    return provider === undefined ? [] : [{ pool, provider }]
  })

/**
 * Returns the choice of instance types for the manifests. If the user chose none, they are the instance types of the provider whose node
 * classes the NodePools refer to.
 */
export const typesForManifests = <T extends InstanceTypesChoice>(choice: T, objects: readonly KubeObject[]): T => {
  if (choice.instanceTypes !== undefined) return choice
  const name = poolsOfOthers(objects)
    .map(({ provider }) => provider.name)
    .find((each) => offlineProviders.includes(each))
  return name === undefined ? choice : { ...choice, instanceTypes: name }
}

/**
 * Returns a function that returns the instance types that a provider offers for a node class. Results are cached for each generation of the
 * node class.
 */
const byClass = (offer: (nodeClass: KubeObject) => Promise<OfflineClassTypes>): StandIn['offered'] => {
  const known = new Map<string, Promise<OfflineClassTypes>>()
  return (nodeClass) => {
    const { uid = '', generation = 0 } = nodeClass.metadata
    return keptPromise(known, `${uid} ${generation}`, () => offer(nodeClass))
  }
}

/**
 * Returns the node classes of other providers whose instances `kerf up` simulates: the node classes that the manifests use, and all node
 * classes of the provider whose instance types were chosen. `notes` tells the user that the instances are simulated.
 * @throws UsageError for a pool whose provider differs from the provider of the instance types. In an existing cluster, also for any pool
 * with a node class of a provider other than KWOK, because that provider's controller may run there
 */
export const standInsFor = (
  opened: OpenedTypes,
  objects: readonly KubeObject[],
  { isDisposable }: { readonly isDisposable: boolean },
): { readonly standIns: readonly StandIn[]; readonly notes: readonly string[] } => {
  const [first, ...more] = poolsOfOthers(objects)
  if (!isDisposable) {
    if (first === undefined) return { standIns: [], notes: [] }
    const { pool, provider } = first
    throw new UsageError(
      `NodePool ${pool.metadata.name} launches by its ${pool.spec.template.spec.nodeClassRef.kind}, and simulated instances cannot be used in an existing cluster: use --cluster sandbox, or run: kerf run --provider ${provider.name}`,
    )
  }
  const other = otherProvider(objects, opened)
  if (other !== undefined) throw other
  const { source, types, offer } = opened
  const used = first === undefined ? [] : [first, ...more].map(({ provider }) => provider)
  const chosen = all.filter((provider) => provider.name === source && provider.name !== defaultProvider)
  const offers = (provider: KnownProvider): StandIn['offered'] => {
    const region = provider.name === offer?.provider ? offer.region : undefined
    return region === undefined
      ? async () => ({ types, problems: [] })
      : byClass(async (each) => region.forNodeClass(each))
  }
  const standIns = [...new Set([...used, ...chosen])].flatMap((provider) => {
    const offered = offers(provider)
    return provider.nodeClasses.map(({ resource }) => ({ kind: resource.kind as ResourceKind<KubeObject>, offered }))
  })
  const kinds = new Set([...poolsOfOthers(objects)].map(({ pool }) => pool.spec.template.spec.nodeClassRef.kind))
  const served = [...kinds].join(' and ')
  const notes =
    kinds.size === 0
      ? []
      : [
          `NodePools with ${served} get simulated instances of ${offlineProviders.includes(source) ? `${source}’s instance types` : `the types of ${source}`}: no real instance is launched`,
        ]
  return { standIns, notes }
}
