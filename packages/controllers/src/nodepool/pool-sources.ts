import { type KubeObject, karpenterKinds, type NodePool, type ResourceKind } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'
import { type InformerFactory, type Source, source } from '@kerf/runtime'

const NODE_CLASS_INDEX = 'nodeClassRef'
const refKey = (group: string, kind: string, name: string): string => `${group}/${kind}/${name}`
const poolRefs = (pool: NodePool): readonly string[] => {
  const { group, kind, name } = pool.spec.template.spec.nodeClassRef
  return [refKey(group, kind, name)]
}

/** Returns a controller source whose keys are the names of pools. */
export const poolSource = (informers: InformerFactory): Source<NodePool> =>
  source(informers.of(karpenterKinds.NodePool), ({ after }) => (after === undefined ? [] : [after.metadata.name ?? '']))

/**
 * Returns controller sources for NodeClasses of every kind that the provider serves. The keys are the names of the pools that refer to the
 * NodeClass.
 */
export const nodeClassSources = (informers: InformerFactory, provider: CloudProvider): readonly Source[] => {
  const pools = informers.of(karpenterKinds.NodePool)
  // Several controllers call this function. The informer registers an index with the same name and function only once.
  pools.index(NODE_CLASS_INDEX, poolRefs)
  return provider.nodeClasses.map((kind) =>
    source(informers.of(kind), ({ before, after }) => {
      const name = (after ?? before)?.metadata.name ?? ''
      const users = pools.by(NODE_CLASS_INDEX, refKey(kind.group, kind.kind, name))
      return users.map((pool) => pool.metadata.name ?? '')
    }),
  )
}

/** Returns the NodeClass that a pool refers to. Undefined if it does not exist or the provider does not serve its kind. */
export const findNodeClass = (
  informers: InformerFactory,
  provider: Pick<CloudProvider, 'nodeClasses'>,
  pool: NodePool,
): KubeObject | undefined => {
  const ref = pool.spec.template.spec.nodeClassRef
  const kind: ResourceKind | undefined = provider.nodeClasses.find(
    (served) => served.group === ref.group && served.kind === ref.kind,
  )
  return kind === undefined ? undefined : informers.of(kind).get(ref.name)
}
