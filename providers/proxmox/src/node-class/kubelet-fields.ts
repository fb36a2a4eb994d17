import { anyText, enumField, listField, object, optional, text, whole, yesNo } from '@kerf/apis/schema'

const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

/** The kubelet settings, which reach a node only through `metadataOptions` (`providers/proxmox/docs/spec/proxmox.md#proxmoxnodeclass`). */
export const kubeletConfiguration = () =>
  optional(
    object(
      {
        cpuManagerPolicy: optional(
          enumField(['none', 'static'], { description: 'The CPU manager policy. Absent: none.' }),
        ),
        cpuCFSQuota: optional(yesNo({ description: 'Whether CPU limits of containers are enforced by quotas.' })),
        cpuCFSQuotaPeriod: optional(
          text({ description: 'The period of these quotas as a duration, from 1ms to 1s. Absent: 100ms.' }),
        ),
        topologyManagerPolicy: optional(
          enumField(['restricted', 'best-effort', 'none', 'single-numa-node'], {
            description: 'The topology manager policy. Absent: none.',
          }),
        ),
        topologyManagerScope: optional(
          enumField(['container', 'pod'], { description: 'What the topology policy aligns. Absent: container.' }),
        ),
        imageGCHighThresholdPercent: percent('The disk usage in percent at which the kubelet begins to delete images.'),
        imageGCLowThresholdPercent: percent('The disk usage in percent at which the kubelet stops deleting images.'),
        shutdownGracePeriod: optional(
          text({ description: 'How long a node delays its shutdown for pods, as a duration. Absent: no delay.' }),
        ),
        allowedUnsafeSysctls: optional(
          listField(anyText(), { description: 'Unsafe sysctls that pods may set.', listType: 'atomic' }),
        ),
        clusterDNS: optional(
          listField(anyText(), {
            description: 'The addresses of the cluster’s DNS servers.',
            listType: 'atomic',
            maxItems: 3,
          }),
        ),
        maxPods: optional(
          whole({
            description: 'The maximum number of pods of a node. Absent: 110, and fewer on small instance types.',
            format: 'int32',
            minimum: 10,
            maximum: 250,
          }),
        ),
        failSwapOn: optional(yesNo({ description: 'Whether the kubelet refuses to start while swap is on.' })),
      },
      { description: 'The configuration of the kubelet, for the templates of metadataOptions.' },
    ),
  )
