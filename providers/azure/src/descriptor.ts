import { groupVersion } from '@kerf/apis'
import { columnTitles, type NodeClassDescriptor, type ProviderDescriptor } from '@kerf/provider-contract'
import { azureEvents } from './azure-events.ts'
import { chartEnv } from './chart-env.ts'
import { doctorChecks } from './diagnostics/doctor-checks.ts'
import { azureVocabulary } from './labels.ts'
import { migrationSources } from './migration/index.ts'
import { type AKSNodeClass, aksNodeClassKind, aksNodeClassResource } from './node-class/aks-node-class.ts'
import { aksNodeClassMeanings } from './node-class/condition-meanings.ts'
import { aksNodeClassConditions } from './node-class/conditions.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
import { azurePermissions } from './permissions.ts'
import { PRICE_CONFIG_MAP } from './pricing/azure-prices.ts'
import { recognisedNodes } from './recognised-nodes.ts'
import { locationOfObjects, offlineLocations, USUAL_LOCATION } from './regions.ts'
import { azureSettings } from './settings/azure-settings.ts'
import { verbs } from './verbs/index.ts'

const aksNodeClass: NodeClassDescriptor<AKSNodeClass> = {
  resource: aksNodeClassResource,
  conditions: aksNodeClassConditions,
  conditionMeanings: aksNodeClassMeanings,
  hash: { version: NODE_CLASS_HASH_VERSION, of: (nodeClass) => nodeClassHash(nodeClass) },
  // Images depend on the Kubernetes version and the maintenance window, not on a field of the node class.
  selectors: [],
  unhashed: ['tags'],
  typeNeutral: ['linuxOSConfig'],
  hashReading: {
    zeroIsNone: ['kubelet.cpuCFSQuotaPeriod'],
    durations: [
      'kubelet.cpuCFSQuotaPeriod',
      ...['kubeDNSOverrides', 'vnetDNSOverrides'].flatMap((overrides) => [
        `localDNS.${overrides}.cacheDuration`,
        `localDNS.${overrides}.serveStaleDuration`,
      ]),
    ],
  },
  columns: [
    { id: 'family', title: columnTitles.imageFamily, paths: [['spec', 'imageFamily']] },
    { id: 'images', title: columnTitles.images, paths: [['status', 'images']], itemFields: ['id'], isPath: true },
    { id: 'subnet', title: columnTitles.subnets, paths: [['spec', 'vnetSubnetID']], isPath: true },
    {
      id: 'pods',
      title: { en: 'Max pods', uk: 'Подів щонайбільше', zh: '最大 Pod 数' },
      paths: [['spec', 'maxPods']],
    },
    {
      id: 'disk',
      title: { en: 'OS disk (GB)', uk: 'Диск ОС (ГБ)', zh: '系统盘（GB）' },
      paths: [['spec', 'osDiskSizeGB']],
    },
  ],
  example: {
    apiVersion: groupVersion(aksNodeClassKind),
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec: { imageFamily: 'Ubuntu' },
  },
}

/** The provider for AKS. */
export const azure: ProviderDescriptor<typeof azureSettings> = {
  name: 'azure',
  title: 'Azure',
  nodeClasses: [aksNodeClass],
  settings: () => azureSettings,
  labels: azureVocabulary,
  permissions: azurePermissions,
  events: azureEvents,
  metrics: async () => (await import('./launch/vm-metrics.ts')).vmMetrics.definitions,
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    // Azure sends interruption notices only to the VM itself.
    interruptionNotices: false,
    prices: 'current',
    devices: false,
    tagsAtLaunch: true,
  },
  instanceTypes: {
    description: "Azure's VM sizes in 57 locations with on-demand prices as published",
    load: async () => (await import('./instance-type/region-offer.ts')).regionOffer(USUAL_LOCATION).types(),
    regions: {
      names: offlineLocations,
      usual: USUAL_LOCATION,
      of: locationOfObjects,
      open: async (region) => (await import('./instance-type/region-offer.ts')).regionOffer(region),
      read: async () => undefined,
    },
    nodes: recognisedNodes,
  },
  documentation: { specification: 'providers/azure/docs/spec/azure.md', guide: 'providers/azure/docs/guides/azure.md' },
  verbs,
  doctorChecks,
  migrationSources,
  priceConfigMap: PRICE_CONFIG_MAP,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: ['settings.provider=azure', 'settings.clusterName=your-cluster-name'],
    roleSuffixes: { 'kube-system': '-dns' },
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-azure.ts')).createAzure(settings, context, surroundings),
}
