import type { ProviderDescriptor } from '@kerf/provider-contract'
import { alibabaEvents } from './alibaba-events.ts'
import { chartEnv } from './chart-env.ts'
import { doctorChecks } from './diagnostics/doctor/index.ts'
import { alibabaVocabulary } from './labels.ts'
import { migrationSources } from './migration/index.ts'
import { PRICE_CONFIG_MAP } from './names.ts'
import { ecsNodeClassDescriptor } from './node-class/node-class-descriptor.ts'
import { alibabaPermissions } from './permissions.ts'
import { recognisedNodes } from './recognised-nodes.ts'
import { offlineRegions, regionOfObjects, USUAL_REGION } from './regions.ts'
import { alibabaSettings } from './settings/alibaba-settings.ts'
import { verbs } from './verbs/index.ts'

/** The provider for ACK clusters of Alibaba Cloud. */
export const alibaba: ProviderDescriptor<typeof alibabaSettings> = {
  name: 'alibaba',
  title: 'Alibaba Cloud',
  nodeClasses: [ecsNodeClassDescriptor],
  settings: () => alibabaSettings,
  labels: alibabaVocabulary,
  permissions: alibabaPermissions,
  events: alibabaEvents,
  metrics: async () => [],
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    interruptionNotices: true,
    prices: 'current',
    devices: false,
    tagsAtLaunch: true,
  },
  instanceTypes: {
    description:
      "Alibaba Cloud's types of 2021 and 2024 in 27 regions, with on-demand prices of September 2025 converted from CNY",
    load: async () => (await import('./instance-types/region-offer.ts')).regionOffer(USUAL_REGION).types(),
    regions: {
      names: offlineRegions,
      usual: USUAL_REGION,
      of: regionOfObjects,
      open: async (region) => (await import('./instance-types/region-offer.ts')).regionOffer(region),
      read: async (document) => (await import('./instance-types/region-offer.ts')).priceFileOffer(document),
    },
    nodes: recognisedNodes,
  },
  documentation: {
    specification: 'providers/alibaba/docs/spec/alibaba.md',
    guide: 'providers/alibaba/docs/guides/alibaba.md',
  },
  verbs,
  doctorChecks,
  migrationSources,
  priceConfigMap: PRICE_CONFIG_MAP,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: ['settings.provider=alibaba', 'settings.clusterID=your-cluster-id'],
    roleSuffixes: {},
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-alibaba.ts')).createAlibaba(settings, context, surroundings),
}
