import type { ProviderDescriptor } from '@kerf/provider-contract'
import { chartEnv } from './chart-env.ts'
import { doctorChecks } from './diagnostics/doctor/index.ts'
import { proxmoxVocabulary } from './labels.ts'
import { proxmoxNodeClassDescriptor } from './node-class/node-class-descriptor.ts'
import { proxmoxTemplateDescriptor, unmanagedTemplateDescriptor } from './node-class/template-descriptors.ts'
import { proxmoxPermissions } from './permissions.ts'
import { proxmoxEvents } from './proxmox-events.ts'
import { recognisedNodes } from './recognised-nodes.ts'
import { proxmoxSettings } from './settings/proxmox-settings.ts'
import { verbs } from './verbs/index.ts'

const open = async () => (await import('./instance-types/region-offer.ts')).regionOffer()

/** The provider for virtual machines of Proxmox VE. It has not been tested on a real Proxmox cluster. */
export const proxmox: ProviderDescriptor<typeof proxmoxSettings> = {
  name: 'proxmox',
  title: 'Proxmox VE',
  nodeClasses: [proxmoxNodeClassDescriptor],
  furtherKinds: [proxmoxTemplateDescriptor, unmanagedTemplateDescriptor],
  settings: () => proxmoxSettings,
  labels: proxmoxVocabulary,
  permissions: proxmoxPermissions,
  events: proxmoxEvents,
  metrics: async () => [],
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: false,
    tagsAtLaunch: true,
  },
  instanceTypes: {
    description: '20 sizes of Proxmox guests on three example hypervisors, with weights in place of prices',
    load: async () => (await open()).types(),
    regions: {
      names: ['example'],
      usual: 'example',
      // Region names in CLOUD_CONFIG are arbitrary, and the instance types are the same everywhere.
      of: () => undefined,
      open,
      read: async () => undefined,
    },
    nodes: recognisedNodes,
  },
  documentation: {
    specification: 'providers/proxmox/docs/spec/proxmox.md',
    guide: 'providers/proxmox/docs/guides/proxmox.md',
  },
  verbs,
  doctorChecks,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: [
      'settings.provider=proxmox',
      'settings.clusterName=your-cluster',
      'settings.cloudConfig=/etc/proxmox/config.yaml',
    ],
    roleSuffixes: { 'kube-system': '-cloud-init' },
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-proxmox.ts')).createProxmox(settings, context, surroundings),
}
