/** Labels of GKE nodes and of Google Cloud's instance types (`providers/gcp/docs/spec/gcp.md#labels-resources-names`). */

export const GCP_GROUP = 'karpenter.k8s.gcp'

const own = <const Name extends string>(name: Name): `${typeof GCP_GROUP}/${Name}` => `${GCP_GROUP}/${name}`

/** Labels that every instance type has a requirement for. */
export const gcpLabels = {
  /** For example `n2`. */
  family: own('instance-family'),
  /** For example `standard`. */
  shape: own('instance-shape'),
  /** The digit in the family. */
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
  /** No type has it. */
  gpuManufacturer: own('instance-gpu-manufacturer'),
  /** No type has it. */
  gpuMemory: own('instance-gpu-memory'),
  /** The same as the zone. */
  zoneId: 'topology.k8s.gcp/zone-id',
  /** The name of the GPU, which GKE's device plugin selects. */
  accelerator: 'cloud.google.com/gke-accelerator',
  /** vCPUs, on nodes with GPUs. */
  cpuScalingLevel: 'cloud.google.com/gke-cpu-scaling-level',
} as const

/** Labels that agents of GKE select. A node has those that GKE configures for its cluster, with the value `true`. */
export const readinessLabels = [
  'projectcalico.org/ds-ready',
  'iam.gke.io/gke-metadata-server-enabled',
  'node.kubernetes.io/masq-agent-ds-ready',
  'cloud.google.com/gke-netd-ready',
  'addon.gke.io/node-local-dns-ds-ready',
] as const

/** Returns the label of nodes that can attach disks of the type. */
export const diskTypeLabel = (diskType: string): string => `disk-type.gke.io/${diskType}`
