import {
  type DashboardCase,
  enumSchema,
  fields,
  flag,
  list,
  number,
  quantity,
  readyClass,
  text,
  whole,
} from '@kerf/provider-contract/dashboard/testing'

/** A typical node class. Its schema was written for these tests from the provider's documentation of fields, types and limits. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Proxmox',
    plural: 'proxmoxnodeclasses',
    schema: whole(
      fields(
        {
          region: text,
          placementStrategy: fields({ zoneBalance: enumSchema('Balanced', 'AvailabilityFirst') }),
          instanceTemplateRef: fields({ kind: text, name: text }, 'kind', 'name'),
          kubeletConfiguration: fields({
            cpuManagerPolicy: text,
            cpuCFSQuota: flag,
            topologyManagerPolicy: text,
            imageGCHighThresholdPercent: number(0, 100),
            imageGCLowThresholdPercent: number(0, 100),
            shutdownGracePeriod: text,
            allowedUnsafeSysctls: list(text),
            clusterDNS: list(text, 3),
            maxPods: number(10, 250),
            failSwapOn: flag,
          }),
          bootDevice: fields({ size: quantity, storage: { type: 'string', maxLength: 30 } }),
          tags: list(text, 10),
          metadataOptions: fields({
            type: enumSchema('none', 'cdrom'),
            templatesRef: fields({ name: text, namespace: text }),
            valuesRef: fields({ name: text, namespace: text }),
          }),
          securityGroups: list(fields({ interface: text, name: text }), 10),
          resourcePool: text,
        },
        'instanceTemplateRef',
      ),
      {
        // This map allows any quantity, but the provider stores only the number of zones.
        resources: { type: 'object', additionalProperties: quantity },
        selectedZones: list(text),
      },
    ),
    example: readyClass(
      'karpenter.proxmox.sinextra.dev/v1alpha1',
      'ProxmoxNodeClass',
      {
        region: 'fsn',
        instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'talos' },
        placementStrategy: { zoneBalance: 'Balanced' },
        bootDevice: { size: '30G', storage: 'local-lvm' },
        resourcePool: 'kubernetes',
      },
      { resources: { zones: '2' }, selectedZones: ['fsn/pve-1/9000'] },
    ),
    shown: ['talos', 'fsn', '2', 'kubernetes'],
    mistake: [
      'zoneBalance: Balanced',
      'zoneBalance: Even',
      'spec.placementStrategy.zoneBalance: Unsupported value: "Even"',
    ],
  },
]
