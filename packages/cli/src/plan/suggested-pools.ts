import { type KubeObject, kinds, labels, type Node, type NodePool, ownValue, type Pod } from '@kerf/apis'
import { stringify } from 'yaml'
import { inferredProvider } from '../cluster/inferred-provider.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { defaultProvider, knownProviderNamed, nodeClassRefTo } from '../providers.ts'
import { assumedPools } from './assumed-pools.ts'

const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

const isOfKind = <T extends KubeObject>(kind: { readonly kind: string }, object: KubeObject): object is T =>
  object.kind === kind.kind && object.apiVersion === 'v1'

/**
 * Returns NodePools for a cluster that has none. They are derived from the nodes: from their architectures, zones and capacity types, and
 * from the labels and taints that pods use. If there are no nodes, returns one NodePool that allows any Linux node.
 */
export const suggestedPools = (manifests: readonly Manifest[]): readonly NodePool[] => {
  const objects = manifests.map(({ object }) => object)
  const provider = inferredProvider(objects) ?? knownProviderNamed(defaultProvider)
  const recognition = provider.instanceTypes?.nodes
  const workers = objects
    .filter((object): object is Node => isOfKind(kinds.Node, object))
    .filter(({ metadata }) => CONTROL_PLANE.every((label) => ownValue(metadata.labels, label) === undefined))
  const pods = objects.filter((object): object is Pod => isOfKind(kinds.Pod, object))
  const nodes = workers.map(({ metadata, spec }) => {
    const own = metadata.labels ?? {}
    const capacity = own[labels.capacityType] ?? recognition?.capacityTypeOf(own)
    return {
      group: recognition?.groupOf(own) ?? '',
      labels: { ...own, ...(capacity === undefined ? {} : { [labels.capacityType]: capacity }) },
      taints: spec?.taints ?? [],
    }
  })
  const sample = { group: '', labels: { [labels.os]: 'linux', [labels.arch]: 'amd64' }, taints: [] }
  return assumedPools(nodes.length === 0 ? [sample] : nodes, pods, {
    name: 'suggested',
    nodeClassRef: nodeClassRefTo(provider, 'default'),
  })
}

/** Returns the pools as YAML for `kubectl apply`, with a comment that explains them. */
export const suggestionText = (pools: readonly NodePool[]): string => {
  const [first] = pools
  if (first === undefined) return ''
  const { kind, name } = first.spec.template.spec.nodeClassRef
  const [these, them] = pools.length === 1 ? ['this NodePool', 'it'] : ['these NodePools', 'them']
  const documents = pools.map((pool) =>
    stringify(pool, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false }),
  )
  return `# The cluster has no NodePool: planned with ${these}. To use ${them}, apply ${them} with the node class that ${pools.length === 1 ? 'it names' : 'they name'} (${kind} ${name}).\n${documents.join('---\n')}`
}
