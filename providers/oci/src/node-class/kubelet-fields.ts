import { anyText, listField, mapField, object, optional, type Rule, text, whole, yesNo } from '@kerf/apis/schema'

/** The fields of the kubelet's configuration that both kinds of node class have (`providers/oci/docs/spec/oci.md#kubelet`). */

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'pid']
const SIGNALS = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
]

const NUMBER = String.raw`(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))`
const QUANTITY = String.raw`(\+|-)?${NUMBER}(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?${NUMBER}))?`
const PERCENTAGE = String.raw`(\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)%`

const onlyKeys = (field: string, keys: readonly string[]): Rule => ({
  rule: `self.all(x, x in [${keys.map((key) => `'${key}'`).join(', ')}])`,
  message: `the keys of "${field}" are ${keys.join(', ')}`,
})

type Value = ReturnType<typeof text>

const reserved = (field: string, description: string, value: Value) =>
  optional(
    mapField(value, {
      description,
      rules: [
        onlyKeys(field, RESOURCES),
        { rule: "self.all(x, !self[x].startsWith('-'))", message: `a value of "${field}" must not be negative` },
      ],
    }),
  )

const eviction = (field: string, description: string, value: Value) =>
  optional(mapField(value, { description, rules: [onlyKeys(field, SIGNALS)] }))

const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

const commonFields = (amount: Value, threshold: Value, leastPods: number) => ({
  clusterDNS: optional(
    listField(anyText(), { description: 'Addresses of the DNS servers of pods.', listType: 'atomic' }),
  ),
  maxPods: optional(
    whole({
      description: 'The maximum number of pods of a node. Absent: 110, or what the network interfaces allow.',
      format: 'int32',
      minimum: leastPods,
    }),
  ),
  podsPerCore: optional(
    whole({
      description: 'The maximum number of pods for each vCPU, if that is less than maxPods. Absent: no limit.',
      format: 'int32',
      minimum: 0,
    }),
  ),
  systemReserved: reserved(
    'systemReserved',
    'Resources for system daemons. Absent: 100m of CPU and 100Mi of memory.',
    amount,
  ),
  kubeReserved: reserved(
    'kubeReserved',
    'Resources for components of Kubernetes. Absent: computed from the size of the instance.',
    amount,
  ),
  evictionHard: eviction('evictionHard', 'Thresholds below which the kubelet evicts pods at once.', threshold),
  evictionSoft: eviction(
    'evictionSoft',
    'Thresholds below which the kubelet evicts pods after a grace period.',
    threshold,
  ),
  evictionSoftGracePeriod: eviction(
    'evictionSoftGracePeriod',
    'The grace period of each signal of evictionSoft, such as 1m30s.',
    anyText(),
  ),
  evictionMaxPodGracePeriod: optional(
    whole({
      description: 'The maximum grace period in seconds of pods that a soft threshold evicts.',
      format: 'int32',
    }),
  ),
  imageGCHighThresholdPercent: percent('The use of the disk in percent above which images are deleted.'),
  imageGCLowThresholdPercent: percent('The use of the disk in percent down to which images are deleted.'),
})

const eachIn = (field: string, other: string): Rule => ({
  rule: `has(self.${field}) ? self.${field}.all(e, e in self.${other}) : true`,
  message: `every key of "${field}" needs an entry in "${other}"`,
})

/** The field `spec.kubelet` of OciNodeClass. */
export const communityKubelet = () =>
  optional(
    object(
      {
        ...commonFields(
          text({ description: 'A quantity, such as 100m or 1Gi.', pattern: `^${QUANTITY}$` }),
          text({
            description: 'A quantity, such as 100Mi, or a percentage, such as 5%.',
            pattern: `^(${PERCENTAGE}||${QUANTITY})$`,
          }),
          0,
        ),
        cpuCFSQuota: optional(
          yesNo({
            description: 'Whether CPU limits of containers are enforced by quotas. Absent: as the image configures.',
          }),
        ),
      },
      {
        description: 'Arguments of the kubelet.',
        rules: [
          {
            rule: 'has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ? self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent : true',
            message: '"imageGCHighThresholdPercent" must be greater than "imageGCLowThresholdPercent"',
          },
          eachIn('evictionSoft', 'evictionSoftGracePeriod'),
          eachIn('evictionSoftGracePeriod', 'evictionSoft'),
        ],
      },
    ),
  )

/**
 * The field `spec.kubeletConfig` of OCINodeClass. The CRD does not validate quantities. The ValidationSucceeded condition reports invalid
 * ones.
 */
export const oracleKubelet = () =>
  optional(
    object(
      {
        ...commonFields(anyText(), anyText(), 1),
        nodeLabels: optional(
          mapField(anyText(), {
            description: 'Labels with which the kubelet registers the node, in addition to others.',
          }),
        ),
        extraArgs: optional(
          text({ description: 'Arguments of the kubelet that have no field here, as they are written in a shell.' }),
        ),
      },
      {
        description: 'Arguments of the kubelet.',
        rules: [
          {
            rule: '!has(self.maxPods) || !has(self.podsPerCore) || self.maxPods >= self.podsPerCore',
            message: '"podsPerCore" must not exceed "maxPods"',
          },
        ],
      },
    ),
  )
