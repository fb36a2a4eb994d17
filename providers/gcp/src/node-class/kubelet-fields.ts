import { anyText, listField, mapField, object, optional, type Rule, text, whole, yesNo } from '@kerf/apis/schema'

const NUMBER = String.raw`(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))`
const QUANTITY = String.raw`(\\+|-)?${NUMBER}(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?${NUMBER}))?`
const PERCENTAGE = String.raw`(\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%`

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'pid']
const SIGNALS = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
]

const onlyKeys = (field: string, keys: readonly string[]): Rule => ({
  rule: `self.all(x, x in [${keys.map((key) => `'${key}'`).join(', ')}])`,
  message: `the keys of "${field}" are ${keys.join(', ')}`,
})

const amount = () => text({ description: 'A quantity, such as 100m or 1Gi.', maxLength: 64 })
const threshold = () => text({ description: 'A quantity, such as 100Mi, or a percentage, such as 5%.', maxLength: 64 })

const reserved = (field: string, description: string) =>
  optional(
    mapField(amount(), {
      description,
      maxProperties: 10,
      rules: [
        onlyKeys(field, RESOURCES),
        { rule: "self.all(x, !self[x].startsWith('-'))", message: `a value of "${field}" must not be negative` },
        {
          rule: `self.all(x, self[x].matches('^${QUANTITY}$'))`,
          message: `a value of "${field}" must be a quantity, such as 100m or 1Gi`,
        },
      ],
    }),
  )

const eviction = (field: string, description: string) =>
  optional(
    mapField(threshold(), {
      description,
      maxProperties: 10,
      rules: [
        onlyKeys(field, SIGNALS),
        {
          rule: `self.all(x, self[x].matches('^(${PERCENTAGE}|${QUANTITY})$'))`,
          message: `a value of "${field}" must be a quantity or a percentage`,
        },
      ],
    }),
  )

const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

const eachIn = (field: string, other: string): Rule => ({
  rule: `!has(self.${field}) || self.${field}.all(e, has(self.${other}) && e in self.${other})`,
  message: `every key of "${field}" needs an entry in "${other}"`,
})

/** The field `spec.kubeletConfiguration` (`providers/gcp/docs/spec/gcp.md#kubelet-configuration`). */
export const kubeletFields = () =>
  optional(
    object(
      {
        clusterDNS: optional(
          listField(anyText(), { description: 'Addresses of the DNS servers of pods.', listType: 'atomic' }),
        ),
        maxPods: optional(
          whole({
            description: 'The maximum number of pods of a node. Absent: 110. 0 means that no pod can run.',
            format: 'int32',
            minimum: 0,
          }),
        ),
        podsPerCore: optional(
          whole({
            description:
              'The maximum number of pods for each vCPU, if that is less than maxPods. Absent or 0: no limit.',
            format: 'int32',
            minimum: 0,
          }),
        ),
        systemReserved: reserved(
          'systemReserved',
          'Resources for system daemons, in addition to 100m of CPU for kube-proxy.',
        ),
        kubeReserved: reserved(
          'kubeReserved',
          'Resources for components of Kubernetes. Each key replaces what is computed from the size of the instance.',
        ),
        evictionHard: eviction('evictionHard', 'Thresholds below which the kubelet evicts pods at once.'),
        evictionSoft: eviction('evictionSoft', 'Thresholds below which the kubelet evicts pods after a grace period.'),
        evictionSoftGracePeriod: optional(
          mapField(text({ description: 'A duration, such as 1m30s.' }), {
            description: 'The grace period of each signal of evictionSoft.',
            maxProperties: 10,
            rules: [onlyKeys('evictionSoftGracePeriod', SIGNALS)],
          }),
        ),
        evictionMaxPodGracePeriod: optional(
          whole({
            description: 'The maximum grace period in seconds of pods that a soft threshold evicts.',
            format: 'int32',
          }),
        ),
        imageGCHighThresholdPercent: percent('The use of the disk in percent above which images are deleted.'),
        imageGCLowThresholdPercent: percent('The use of the disk in percent down to which images are deleted.'),
        cpuCFSQuota: optional(
          yesNo({ description: 'Whether CPU limits of containers are enforced by quotas. Absent: as GKE configures.' }),
        ),
      },
      {
        description: 'Configuration of the kubelet, merged over the configuration of GKE.',
        rules: [
          {
            rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
            message: '"imageGCHighThresholdPercent" must be greater than "imageGCLowThresholdPercent"',
          },
          eachIn('evictionSoft', 'evictionSoftGracePeriod'),
          eachIn('evictionSoftGracePeriod', 'evictionSoft'),
        ],
      },
    ),
  )
