/** Labels of Alibaba Cloud's instance types (`providers/alibaba/docs/spec/alibaba.md#labels-resources-tags`). */

export const ALIBABA_GROUP = 'karpenter.k8s.alibabacloud'

const own = <const Name extends string>(name: Name): `${typeof ALIBABA_GROUP}/${Name}` => `${ALIBABA_GROUP}/${name}`

/** Labels for which every instance type has a requirement. */
export const alibabaLabels = {
  /** The letters of the family, for example `g` or `ebmg`. */
  category: own('instance-category'),
  /** The family with its prefix, for example `ecs.g7`. */
  family: own('instance-family'),
  /** The first digits of the family, for example `7`. */
  generation: own('instance-generation'),
  /** For example `2xlarge`. */
  size: own('instance-size'),
  /** vCPUs. */
  cpu: own('instance-cpu'),
  /** `intel` or `amd`. */
  cpuModel: own('instance-cpu-model'),
  /** MiB. */
  memory: own('instance-memory'),
  /** The model of the GPUs, for example `nvidia-a10`. */
  gpuName: own('instance-gpu-name'),
  /** The first word of the model in the API's spelling, for example `NVIDIA`. */
  gpuManufacturer: own('instance-gpu-manufacturer'),
  gpuCount: own('instance-gpu-count'),
  /** The memory of one GPU in GB. */
  gpuMemory: own('instance-gpu-memory'),
  zoneId: 'topology.k8s.alibabacloud/zone-id',
} as const

/** The well-known labels of Alibaba Cloud. */
export const alibabaWellKnownLabels: readonly string[] = Object.values(alibabaLabels)
