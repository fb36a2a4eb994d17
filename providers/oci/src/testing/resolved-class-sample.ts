import type { KubeletSettings, ResolvedClass, ResolvedVnic } from '../node-class/resolved-class.ts'
import { IMAGE, SECURITY_GROUP, SUBNET } from './fake-oci/names.ts'

const vnic: ResolvedVnic = {
  subnets: [{ id: SUBNET, name: 'nodes' }],
  nsgIds: [SECURITY_GROUP],
  displayName: undefined,
  assignPublicIp: undefined,
  assignIpv6Ip: undefined,
  skipSourceDestCheck: undefined,
  securityAttributes: {},
  ipv6SubnetCidrs: [],
}

export const noKubeletSettings: KubeletSettings = {
  clusterDNS: [],
  maxPods: undefined,
  podsPerCore: undefined,
  systemReserved: undefined,
  kubeReserved: undefined,
  evictionHard: undefined,
  evictionSoft: undefined,
  evictionSoftGracePeriod: undefined,
  evictionMaxPodGracePeriod: undefined,
  imageGCHighThresholdPercent: undefined,
  imageGCLowThresholdPercent: undefined,
  cpuCFSQuota: undefined,
  nodeLabels: {},
  extraArgs: undefined,
}

/** A ready OciNodeClass in the provider's internal model. */
export const resolvedClassSample: ResolvedClass = {
  upstream: 'community',
  name: 'default',
  uid: 'class-uid',
  isDeleting: false,
  hash: '1',
  hashVersion: 'v1',
  compartmentId: undefined,
  bootstrap: { form: 'oke-mime', userData: undefined },
  images: [{ id: IMAGE, name: 'image', requirements: [] }],
  primaryVnic: vnic,
  secondaryVnics: [],
  bootVolume: { sizeInGBs: 100, vpusPerGB: 10, kmsKeyId: undefined, pvEncryptionInTransit: undefined },
  dataVolumes: [],
  launchOptions: undefined,
  agentPlugins: [],
  definedTags: {},
  freeformTags: {},
  metadata: {},
  sshAuthorizedKeys: [],
  kubelet: noKubeletSettings,
  shapeSizes: undefined,
  capacityReservations: [],
  placementGroups: [],
  computeCluster: undefined,
}

/** A ready OCINodeClass in the provider's internal model. */
export const oracleClassSample: ResolvedClass = {
  ...resolvedClassSample,
  upstream: 'oracle',
  bootstrap: { form: 'oke-script', preBootstrapInitScript: undefined, postBootstrapInitScript: undefined },
}
