import type { EcsType } from '../ecs-types/ecs-type.ts'
import type { ClassTraits } from './class-traits.ts'

/** The cluster's network plugin, with the data that limits the number of pods. */
export type ClusterNetwork =
  | { readonly plugin: 'terway-eniip' }
  /** `podsPerNode` is the number of addresses in the block of the pod network that each node gets. */
  | { readonly plugin: 'flannel'; readonly podsPerNode: number }
  | { readonly plugin: 'other' }

const TERWAY_LEAST = 11
/** The number of host-network pods on a node. These pods need no address from the plugin. */
const HOST_PODS = 3
const DEFAULT = 110
const FLANNEL_MOST = 256

/** Returns the number of addresses that Terway can assign to pods, or undefined if the instance type's network interfaces are unknown. */
const terwayAddresses = ({ enis, ipsPerEni }: EcsType): number | undefined =>
  enis === undefined || ipsPerEni === undefined ? undefined : (enis - 1) * ipsPerEni

/** Returns true if nodes of the instance type can run in the network: Terway needs at least eleven addresses for pods. */
export const fitsNetwork = (type: EcsType, network: ClusterNetwork): boolean =>
  network.plugin !== 'terway-eniip' || (terwayAddresses(type) ?? 0) >= TERWAY_LEAST

const networkPods = (type: EcsType, network: ClusterNetwork): number => {
  switch (network.plugin) {
    case 'terway-eniip':
      return (terwayAddresses(type) ?? 0) + HOST_PODS
    case 'flannel':
      return Math.min(FLANNEL_MOST, network.podsPerNode)
    case 'other':
      return DEFAULT
  }
}

/**
 * Returns the maximum number of pods on a node (`providers/alibaba/docs/spec/alibaba.md#instance-types-and-prices`). `maxPods: 0` means
 * that the node runs no pods.
 */
export const podCount = (
  type: EcsType,
  { maxPods, podsPerCore = 0 }: Pick<ClassTraits, 'maxPods' | 'podsPerCore'>,
  network: ClusterNetwork,
): number => {
  const most = maxPods ?? networkPods(type, network)
  return podsPerCore > 0 ? Math.min(most, podsPerCore * type.vcpus) : most
}
