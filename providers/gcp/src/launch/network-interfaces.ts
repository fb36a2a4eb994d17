import type { InstanceRequest } from '../api/gcp-api.ts'
import type { GkeCluster } from '../api/gke-shapes.ts'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'

type NetworkInterface = NonNullable<InstanceRequest['networkInterfaces']>[number]

/**
 * The prefix length of a node's address range for pods, by the maximum number of pods. The range contains at least twice as many addresses
 * as pods.
 */
const PREFIXES: readonly (readonly [maxPods: number, prefix: number])[] = [
  [8, 28],
  [16, 27],
  [32, 26],
  [64, 25],
  [128, 24],
]
const LARGEST_PREFIX = 23

/** Returns the prefix length of a node's address range for pods. */
export const podPrefix = (maxPods: number): number => PREFIXES.find(([most]) => maxPods <= most)?.[1] ?? LARGEST_PREFIX

/** Returns the network interfaces of an instance. Returns undefined if the cluster has no network configuration. */
export const networkInterfaces = (
  cluster: Pick<GkeCluster, 'network' | 'subnetwork' | 'podRange' | 'arePrivateNodes'>,
  spec: Pick<GCENodeClassSpec, 'networkConfig' | 'subnetRangeName'>,
  maxPods: number,
): NetworkInterface[] | undefined => {
  const { network, subnetwork, podRange } = cluster
  if (network === undefined) return undefined
  const { networkConfig = {}, subnetRangeName } = spec
  const isPrivate = networkConfig.enablePrivateNodes ?? cluster.arePrivateNodes
  const accessConfigs = isPrivate ? [] : [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }]
  const own = networkConfig.subnetwork ?? ''
  const primary = own === '' ? subnetwork : own
  const range = subnetRangeName ?? podRange
  return [
    {
      network,
      ...(primary === undefined ? {} : { subnetwork: primary }),
      aliasIpRanges: [
        { ipCidrRange: `/${podPrefix(maxPods)}`, ...(range === undefined ? {} : { subnetworkRangeName: range }) },
      ],
      accessConfigs,
    },
    ...(networkConfig.additionalNetworkInterfaces ?? []).map((each) => ({
      network: (each.network ?? '') === '' ? network : (each.network ?? network),
      subnetwork: each.subnetwork,
      accessConfigs,
    })),
  ]
}
