import type { ProviderDescriptor } from '@kerf/provider-contract'
import { chartEnv } from './chart-env.ts'
import { proxmoxVocabulary } from './labels.ts'
import { proxmoxNodeClassDescriptor } from './node-class/node-class-descriptor.ts'
import { proxmoxPermissions } from './permissions.ts'
import { proxmoxEvents } from './proxmox-events.ts'
import { proxmoxSettings } from './settings/proxmox-settings.ts'
import { verbs } from './verbs/index.ts'

/** The provider for virtual machines of Proxmox VE. */
export const proxmox: ProviderDescriptor<typeof proxmoxSettings> = {
  name: 'proxmox',
  title: 'Proxmox VE',
  nodeClasses: [proxmoxNodeClassDescriptor],
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
  verbs,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: ['settings.provider=proxmox', 'settings.clusterName=your-cluster'],
    roleSuffixes: {},
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-proxmox.ts')).createProxmox(settings, context, surroundings),
}
