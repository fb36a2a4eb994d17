import { anyText, listField, mapField, object, optional, type Rule, whole, yesNo } from '@kerf/apis/schema'

/** The kubelet settings (`providers/alibaba/docs/spec/alibaba.md#kubeletconfiguration`). */

const RESERVED = ['cpu', 'memory', 'ephemeral-storage', 'pid'] as const
const SIGNALS = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const

const inCel = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`

const onlyKeys = (field: string, keys: readonly string[]): Rule => ({
  rule: `self.all(x, x in ${inCel(keys)})`,
  message: `valid keys for "${field}" are ${keys.join(', ')}`,
})

const reserved = (field: string, description: string) =>
  optional(
    mapField(anyText(), {
      description,
      rules: [
        onlyKeys(field, RESERVED),
        { rule: "self.all(x, !self[x].startsWith('-'))", message: `a value of "${field}" cannot be negative` },
      ],
    }),
  )

const signals = (field: string, description: string) =>
  optional(mapField(anyText(), { description, rules: [onlyKeys(field, SIGNALS)] }))

const count = (description: string) => optional(whole({ description, format: 'int32', minimum: 0 }))
const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

/** An empty map satisfies the rule even if the other map is absent. */
const everyKeyIn = (field: string, other: string): Rule => ({
  rule: `!has(self.${field}) || self.${field}.all(e, has(self.${other}) && e in self.${other})`,
  message: `each signal of "${field}" needs an entry in "${other}"`,
})

export const kubeletConfiguration = () =>
  optional(
    object(
      {
        clusterDNS: optional(
          listField(anyText(), { description: 'The addresses of the cluster’s DNS servers.', listType: 'atomic' }),
        ),
        maxPods: count('The maximum number of pods of a node. Absent: derived from the network plugin of the cluster.'),
        podsPerCore: count('The maximum number of pods for each vCPU. The lower one of this and maxPods counts.'),
        systemReserved: reserved('systemReserved', 'Resources that are reserved for daemons of the system.'),
        kubeReserved: reserved('kubeReserved', 'Resources that are reserved for components of Kubernetes.'),
        evictionHard: signals('evictionHard', 'Thresholds at which the kubelet evicts pods at once.'),
        evictionSoft: signals('evictionSoft', 'Thresholds at which the kubelet evicts pods after a grace period.'),
        evictionSoftGracePeriod: signals(
          'evictionSoftGracePeriod',
          'The grace period of each soft threshold, as a duration.',
        ),
        evictionMaxPodGracePeriod: optional(
          whole({
            description: 'The maximum grace period in seconds of a pod that is evicted at a soft threshold.',
            format: 'int32',
          }),
        ),
        imageGCHighThresholdPercent: percent('The disk usage in percent at which the kubelet begins to delete images.'),
        imageGCLowThresholdPercent: percent('The disk usage in percent at which the kubelet stops deleting images.'),
        cpuCFSQuota: optional(yesNo({ description: 'Whether the CPU limits of containers are enforced by quotas.' })),
      },
      {
        description: 'The configuration of the kubelet.',
        rules: [
          {
            rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
            message: '"imageGCHighThresholdPercent" must be greater than "imageGCLowThresholdPercent"',
          },
          everyKeyIn('evictionSoft', 'evictionSoftGracePeriod'),
          everyKeyIn('evictionSoftGracePeriod', 'evictionSoft'),
        ],
      },
    ),
  )
