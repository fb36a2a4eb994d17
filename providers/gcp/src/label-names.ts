/** Labels of GKE nodes and of Google Cloud's instance types (`providers/gcp/docs/spec/gcp.md#labels-resources-names`). */

export const GCP_GROUP = 'karpenter.k8s.gcp'

const own = <const Name extends string>(name: Name): `${typeof GCP_GROUP}/${Name}` => `${GCP_GROUP}/${name}`

/** Labels for which every instance type has a requirement. */
export const gcpLabels = {
  /** For example `n2`. */
  family: own('instance-family'),
  /** For example `standard`. */
  shape: own('instance-shape'),
  /** The digit in the name of the machine family. */
  generation: own('instance-generation'),
  /** The size, for example `8`, or `8g` for `a3-highgpu-8g`. */
  size: own('instance-size'),
  /** vCPUs. */
  cpu: own('instance-cpu'),
  /** MiB. */
  memory: own('instance-memory'),
  /** For example `nvidia-l4`. */
  gpuName: own('instance-gpu-name'),
  gpuCount: own('instance-gpu-count'),
  /** No instance type has this label. */
  gpuManufacturer: own('instance-gpu-manufacturer'),
  /** No instance type has this label. */
  gpuMemory: own('instance-gpu-memory'),
  /** The same as the zone. */
  zoneId: 'topology.k8s.gcp/zone-id',
  /** The name of the GPU. GKE's device plugin selects nodes by this label. */
  accelerator: 'cloud.google.com/gke-accelerator',
  /** The number of vCPUs of nodes with GPUs. */
  cpuScalingLevel: 'cloud.google.com/gke-cpu-scaling-level',
} as const

/** Labels that GKE's agents select nodes by. GKE sets those that match the cluster's configuration to `true`. */
export const readinessLabels = [
  'projectcalico.org/ds-ready',
  'iam.gke.io/gke-metadata-server-enabled',
  'node.kubernetes.io/masq-agent-ds-ready',
  'cloud.google.com/gke-netd-ready',
  'addon.gke.io/node-local-dns-ds-ready',
] as const

/** Returns the label of nodes that can attach disks of this type. */
export const diskTypeLabel = (diskType: string): string => `disk-type.gke.io/${diskType}`
