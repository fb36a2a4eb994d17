import { type FieldHash, hashDuration, hashEntries, hashField, hashMap } from '@kerf/apis'

const { int32 } = hashField

type Texts = Readonly<Record<string, string>>

/** The kubelet settings that the node classes of several clouds have in common. */
export interface HashedKubelet {
  readonly maxPods?: number
  readonly podsPerCore?: number
  readonly systemReserved?: Texts
  readonly kubeReserved?: Texts
  readonly evictionHard?: Texts
  readonly evictionSoft?: Texts
  readonly evictionSoftGracePeriod?: Texts
  readonly evictionMaxPodGracePeriod?: number
  readonly imageGCHighThresholdPercent?: number
  readonly imageGCLowThresholdPercent?: number
}

/**
 * Returns the hashes of these settings for `hashStruct`, with the names and in the order of upstream's providers. The order is part of the
 * hash.
 */
export const kubeletHashFields = (kubelet: HashedKubelet): readonly (readonly [string, FieldHash])[] => [
  ['MaxPods', int32(kubelet.maxPods)],
  ['PodsPerCore', int32(kubelet.podsPerCore)],
  ['SystemReserved', hashMap(kubelet.systemReserved)],
  ['KubeReserved', hashMap(kubelet.kubeReserved)],
  ['EvictionHard', hashMap(kubelet.evictionHard)],
  ['EvictionSoft', hashMap(kubelet.evictionSoft)],
  ['EvictionSoftGracePeriod', hashEntries(kubelet.evictionSoftGracePeriod, hashDuration)],
  ['EvictionMaxPodGracePeriod', int32(kubelet.evictionMaxPodGracePeriod)],
  ['ImageGCHighThresholdPercent', int32(kubelet.imageGCHighThresholdPercent)],
  ['ImageGCLowThresholdPercent', int32(kubelet.imageGCLowThresholdPercent)],
]
