import { labels, type NodeClaim, ownValue } from '@kerf/apis'
import type { DefinedTags, FreeformTags, Tagged } from '../api/oci-shapes.ts'
import { COMMUNITY_GROUP, type Upstream } from '../names.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'

/** Returns the key of a defined tag. Such keys cannot contain dots and spaces, so both are replaced, as in zoom/karpenter-oci. */
const definedKey = (label: string): string => label.replaceAll(/[. ]/g, '_')

/** The keys of the defined tags on instances of an OciNodeClass. The operator creates them in one tag namespace. */
export const definedTagKeys = {
  nodePool: definedKey(labels.nodePool),
  cluster: definedKey('karpenter.sh/managed-by'),
  nodeClass: definedKey(`${COMMUNITY_GROUP}/ocinodeclass`),
  nodeClaim: definedKey('karpenter.sh/nodeclaim'),
} as const

/** The free-form tags on instances of an OCINodeClass. Oracle's provider writes and reads the first two. */
export const freeformTagKeys = {
  nodePool: 'KarpenterNodePool',
  nodeClass: 'KarpenterNodeClass',
  cluster: 'KerfCluster',
  nodeClaim: 'KerfNodeClaim',
  nodeClaimUid: 'KerfNodeClaimUid',
} as const

/** The values that identify the instances of this cluster in tags. */
export interface Ownership {
  readonly clusterName: string
  /** The namespace of the defined tags. */
  readonly tagNamespace: string
}

/** Returns the tags that an instance gets at its launch: those of the class, and those with which Kerf identifies the instance. */
export const launchTags = (
  { metadata }: NodeClaim,
  nodeClass: ResolvedClass,
  { clusterName, tagNamespace }: Ownership,
): { readonly definedTags: DefinedTags; readonly freeformTags: FreeformTags } => {
  const pool = metadata.labels?.[labels.nodePool] ?? ''
  const { definedTags, freeformTags, name } = nodeClass
  if (nodeClass.upstream === 'oracle')
    return {
      definedTags,
      freeformTags: {
        ...freeformTags,
        [freeformTagKeys.nodePool]: pool,
        [freeformTagKeys.nodeClass]: name,
        [freeformTagKeys.cluster]: clusterName,
        [freeformTagKeys.nodeClaim]: metadata.name,
        [freeformTagKeys.nodeClaimUid]: metadata.uid ?? '',
      },
    }
  const own = {
    [definedTagKeys.nodePool]: pool,
    [definedTagKeys.cluster]: clusterName,
    [definedTagKeys.nodeClass]: name,
    [definedTagKeys.nodeClaim]: metadata.name,
  }
  return {
    definedTags: { ...definedTags, [tagNamespace]: { ...ownValue(definedTags, tagNamespace), ...own } },
    freeformTags,
  }
}

/** The owner in the tags of an instance. A field is undefined if its tag is absent. */
export interface TaggedOwner {
  readonly upstream: Upstream
  readonly cluster: string | undefined
  readonly nodePool: string | undefined
  readonly nodeClass: string | undefined
  readonly nodeClaim: string | undefined
  readonly nodeClaimUid: string | undefined
}

/** Returns the owner in the tags of an instance, or undefined if Karpenter did not launch it. */
export const readOwner = ({ definedTags, freeformTags }: Tagged, tagNamespace: string): TaggedOwner | undefined => {
  const defined = ownValue(definedTags, tagNamespace) ?? {}
  const text = (key: string): string | undefined => {
    const value = ownValue(defined, key)
    return value === undefined ? undefined : String(value)
  }
  if (text(definedTagKeys.cluster) !== undefined)
    return {
      upstream: 'community',
      cluster: text(definedTagKeys.cluster),
      nodePool: text(definedTagKeys.nodePool),
      nodeClass: text(definedTagKeys.nodeClass),
      nodeClaim: text(definedTagKeys.nodeClaim),
      nodeClaimUid: undefined,
    }
  const freeform = (key: string): string | undefined => ownValue(freeformTags, key)
  if (freeform(freeformTagKeys.nodePool) === undefined) return undefined
  return {
    upstream: 'oracle',
    cluster: freeform(freeformTagKeys.cluster),
    nodePool: freeform(freeformTagKeys.nodePool),
    nodeClass: freeform(freeformTagKeys.nodeClass),
    nodeClaim: freeform(freeformTagKeys.nodeClaim),
    nodeClaimUid: freeform(freeformTagKeys.nodeClaimUid),
  }
}
