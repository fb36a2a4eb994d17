import {
  LabelVocabulary,
  labelDomain,
  labels,
  type NodePool,
  type NodeSelectorRequirement,
  noVocabulary,
  ownValue,
  type Pod,
  type Taint,
} from '@kerf/apis'
import { knownProviders } from '../providers.ts'

/** The facts about a node of a node group that `assumedPools` needs. */
export interface GroupedNode {
  readonly group: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

/** Matches the domains of taints and labels that depend on the state of a node or identify a single node. */
const OWN_DOMAINS = /(^|\.|\/)(kubernetes\.io|k8s\.io|karpenter\.sh)(\/|$)/

/** A vocabulary with the labels of all clouds. These labels describe an instance, so they do not become labels of an assumed NodePool. */
const cloudLabels = new LabelVocabulary({
  ...noVocabulary,
  wellKnown: knownProviders.flatMap(({ labels: { wellKnown } }) => wellKnown),
  restrictedDomains: knownProviders.flatMap(({ labels: { restrictedDomains } }) => restrictedDomains),
})

const isOwn = (key: string): boolean =>
  key.includes('/') &&
  (OWN_DOMAINS.test(labelDomain(key)) || cloudLabels.isWellKnown(key) || cloudLabels.isRestricted(key))

/** Returns every label key by which a pod selects nodes. */
const askedKeys = (pods: readonly Pod[]): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const { spec } of pods) {
    for (const key of Object.keys(spec.nodeSelector ?? {})) keys.add(key)
    const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
    for (const { matchExpressions = [] } of terms) for (const { key } of matchExpressions) keys.add(key)
    for (const { topologyKey } of spec.topologySpreadConstraints ?? []) keys.add(topologyKey)
  }
  return keys
}

const nodeValues = (nodes: readonly GroupedNode[], key: string): readonly string[] =>
  [...new Set(nodes.flatMap((node) => ownValue(node.labels, key) ?? []))].sort()

const among = (nodes: readonly GroupedNode[], key: string): readonly NodeSelectorRequirement[] => {
  const values = nodeValues(nodes, key)
  return values.length === 0 ? [] : [{ key, operator: 'In', values }]
}

/**
 * Returns the properties by which pods can distinguish nodes: the labels by which pods select nodes, taints, architecture and operating
 * system.
 */
const nodeKind = (node: GroupedNode, asked: ReadonlySet<string>) => ({
  labels: Object.fromEntries(
    Object.entries(node.labels)
      .filter(([key]) => asked.has(key) && !isOwn(key))
      .sort(),
  ),
  taints: node.taints.filter(({ key }) => !isOwn(key)),
})

/** The names of the assumed NodePools, and the node class of their nodes. */
export interface AssumedNames {
  readonly name: string
  readonly nodeClassRef: NodePool['spec']['template']['spec']['nodeClassRef']
}

/**
 * Returns NodePools for a cluster without NodePools: one for each kind of node that its pods can distinguish. Each NodePool allows the
 * zones, architectures and capacity types that its nodes have today, and every instance type that has enough capacity for a kubelet.
 */
export const assumedPools = (
  nodes: readonly GroupedNode[],
  pods: readonly Pod[],
  { name, nodeClassRef }: AssumedNames,
): readonly NodePool[] => {
  const asked = askedKeys(pods)
  const kinds = Map.groupBy(nodes, (node) => JSON.stringify(nodeKind(node, asked)))
  return [...kinds].map(([, members], index): NodePool => {
    const [sample] = members
    const { labels: own, taints } = nodeKind(sample ?? { group: '', labels: {}, taints: [] }, asked)
    return {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: kinds.size === 1 ? name : `${name}-${index + 1}` },
      spec: {
        template: {
          ...(Object.keys(own).length === 0 ? {} : { metadata: { labels: own } }),
          spec: {
            nodeClassRef,
            ...(taints.length === 0 ? {} : { taints: [...taints] }),
            requirements: [
              ...among(members, labels.arch),
              ...among(members, labels.os),
              ...among(members, labels.zone),
              ...among(members, labels.capacityType),
            ],
          },
        },
        disruption: { consolidateAfter: '0s' },
      },
    }
  })
}
