import { anyText, enumField, listField, object, optional, text, whole, yesNo } from '@kerf/apis/schema'

/** The pattern of a number of bytes without a fraction, for example `50Mi` or `2G`. */
export const WHOLE_BYTES = '^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$'

const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

/** The kubelet settings that users may set (`providers/azure/docs/spec/azure.md#kubelet`). */
export const aksKubelet = () =>
  optional(
    object(
      {
        cpuManagerPolicy: optional(
          enumField(['none', 'static'], {
            description: 'static: containers with integer CPU requests in Guaranteed pods get exclusive CPUs.',
            default: 'none',
          }),
        ),
        cpuCFSQuota: optional(
          yesNo({ description: 'Whether CPU limits of containers are enforced by CFS quota.', default: true }),
        ),
        cpuCFSQuotaPeriod: optional(text({ description: 'The CFS quota period, 1ms to 1s.', default: '100ms' })),
        imageGCHighThresholdPercent: percent('Disk usage in percent at which image garbage collection starts.'),
        imageGCLowThresholdPercent: percent('Disk usage in percent at which image garbage collection stops.'),
        topologyManagerPolicy: optional(
          enumField(['restricted', 'best-effort', 'none', 'single-numa-node'], {
            description: 'Topology manager policy: how CPUs and devices of a pod are aligned on NUMA nodes.',
            default: 'none',
          }),
        ),
        allowedUnsafeSysctls: optional(
          listField(anyText(), {
            description: 'Unsafe sysctls that pods may set, or patterns that end in an asterisk.',
            listType: 'atomic',
          }),
        ),
        containerLogMaxSize: optional(
          text({
            description: 'Size at which a container log is rotated, for example 50Mi.',
            pattern: WHOLE_BYTES,
            default: '50Mi',
          }),
        ),
        containerLogMaxFiles: optional(
          whole({
            description: 'Number of log files kept per container.',
            format: 'int32',
            minimum: 2,
            default: 5,
          }),
        ),
        podPidsLimit: optional(
          whole({
            description: 'Maximum number of processes per pod. Absent or negative: no limit.',
            format: 'int64',
          }),
        ),
        failSwapOn: optional(
          yesNo({
            description: 'Whether the kubelet fails to start with swap. Must be false for a swap file.',
          }),
        ),
      },
      {
        description:
          'Configuration of the kubelet. Resources reserved for system daemons are computed and cannot be set.',
        rules: [
          {
            rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
            message: '"imageGCHighThresholdPercent" must be above "imageGCLowThresholdPercent"',
          },
        ],
      },
    ),
  )
