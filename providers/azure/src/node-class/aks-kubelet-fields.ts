import { anyText, listOf, object, oneOf, optional, text, whole, yesNo } from '@kerf/apis/schema'

/** The pattern of a number of bytes without a fraction, for example `50Mi` or `2G`. */
export const WHOLE_BYTES = '^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$'

const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

/** The kubelet settings that users may set (`providers/azure/docs/spec/azure.md#kubelet`). */
export const aksKubelet = () =>
  optional(
    object(
      {
        cpuManagerPolicy: optional(
          oneOf(['none', 'static'], {
            description: 'static: containers with whole CPUs in guaranteed pods get CPUs of their own.',
            default: 'none',
          }),
        ),
        cpuCFSQuota: optional(
          yesNo({ description: 'Whether CPU limits of containers are enforced by quotas.', default: true }),
        ),
        cpuCFSQuotaPeriod: optional(
          text({ description: 'The period of these quotas as a duration, 1ms to 1s.', default: '100ms' }),
        ),
        imageGCHighThresholdPercent: percent('Use of the disk in percent from which on images are removed.'),
        imageGCLowThresholdPercent: percent('Use of the disk in percent down to which images are removed.'),
        topologyManagerPolicy: optional(
          oneOf(['restricted', 'best-effort', 'none', 'single-numa-node'], {
            description: 'How CPUs and devices of a pod are kept on the same NUMA nodes.',
            default: 'none',
          }),
        ),
        allowedUnsafeSysctls: optional(
          listOf(anyText(), {
            description: 'Unsafe sysctls, or patterns that end in an asterisk, that pods may set.',
            listType: 'atomic',
          }),
        ),
        containerLogMaxSize: optional(
          text({
            description: 'Size at which the log of a container is rotated, as 50Mi.',
            pattern: WHOLE_BYTES,
            default: '50Mi',
          }),
        ),
        containerLogMaxFiles: optional(
          whole({
            description: 'How many log files are kept of a container.',
            format: 'int32',
            minimum: 2,
            default: 5,
          }),
        ),
        podPidsLimit: optional(
          whole({
            description: 'The most processes of one pod. Absent or negative: no limit of its own.',
            format: 'int64',
          }),
        ),
        failSwapOn: optional(
          yesNo({
            description: 'Whether the kubelet refuses to start with swap. A swap file needs false here.',
          }),
        ),
      },
      {
        description: 'Configuration of the kubelet. What is reserved for system daemons is worked out, not set.',
        rules: [
          {
            rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
            message: '"imageGCHighThresholdPercent" must be above "imageGCLowThresholdPercent"',
          },
        ],
      },
    ),
  )
