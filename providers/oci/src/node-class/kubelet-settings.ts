import type { KubeletSettings } from './resolved-class.ts'

type Given = { readonly [Field in keyof KubeletSettings]?: KubeletSettings[Field] }

/** Returns the kubelet settings of a class in the model. Fields that the kind does not have are absent. */
export const kubeletSettings = (kubelet: Given = {}): KubeletSettings => ({
  clusterDNS: kubelet.clusterDNS ?? [],
  maxPods: kubelet.maxPods,
  podsPerCore: kubelet.podsPerCore,
  systemReserved: kubelet.systemReserved,
  kubeReserved: kubelet.kubeReserved,
  evictionHard: kubelet.evictionHard,
  evictionSoft: kubelet.evictionSoft,
  evictionSoftGracePeriod: kubelet.evictionSoftGracePeriod,
  evictionMaxPodGracePeriod: kubelet.evictionMaxPodGracePeriod,
  imageGCHighThresholdPercent: kubelet.imageGCHighThresholdPercent,
  imageGCLowThresholdPercent: kubelet.imageGCLowThresholdPercent,
  cpuCFSQuota: kubelet.cpuCFSQuota,
  nodeLabels: kubelet.nodeLabels ?? {},
  extraArgs: kubelet.extraArgs,
})
