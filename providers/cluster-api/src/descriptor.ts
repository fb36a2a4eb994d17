import { groupVersion } from '@kerf/apis'
import { declareEvents, type NodeClassDescriptor, type ProviderDescriptor } from '@kerf/provider-contract'
import { chartEnv } from './chart-env.ts'
import { clusterApiVocabulary } from './names.ts'
import {
  type ClusterAPINodeClass,
  clusterApiNodeClassKind,
  clusterApiNodeClassResource,
} from './node-class/cluster-api-node-class.ts'
import { clusterApiNodeClassMeanings } from './node-class/condition-meanings.ts'
import { clusterApiNodeClassConditions } from './node-class/conditions.ts'
import { clusterApiPermissions, managementPermissions } from './permissions.ts'
import { clusterApiSettings } from './settings.ts'
import { verbs } from './verbs/index.ts'

/** The node class has no hash, because changing its selector does not change existing Machines. */
const clusterApiNodeClass: NodeClassDescriptor<ClusterAPINodeClass> = {
  resource: clusterApiNodeClassResource,
  conditions: clusterApiNodeClassConditions,
  conditionMeanings: clusterApiNodeClassMeanings,
  selectors: ['scalableResourceSelector'],
  columns: [
    {
      id: 'selector',
      title: { en: 'MachineDeployments', uk: 'MachineDeployment', zh: 'MachineDeployment' },
      paths: [['spec', 'scalableResourceSelector']],
      isLabelSelector: true,
    },
  ],
  example: {
    apiVersion: groupVersion(clusterApiNodeClassKind),
    kind: 'ClusterAPINodeClass',
    metadata: { name: 'default' },
    spec: { scalableResourceSelector: { matchLabels: { 'node.cluster.x-k8s.io/karpenter-member': '' } } },
  },
}

/** The provider for Cluster API. */
export const clusterApi: ProviderDescriptor<typeof clusterApiSettings> = {
  name: 'cluster-api',
  title: 'Cluster API',
  nodeClasses: [clusterApiNodeClass],
  settings: () => clusterApiSettings,
  labels: clusterApiVocabulary,
  permissions: clusterApiPermissions,
  events: declareEvents({}),
  metrics: async () => [],
  managementPermissions,
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: false,
    // Cluster API creates a Machine without labels for its NodeClaim. Kerf binds the Machine to a NodeClaim later.
    tagsAtLaunch: false,
  },
  documentation: {
    specification: 'providers/cluster-api/docs/spec/cluster-api.md',
    guide: 'providers/cluster-api/docs/guides/cluster-api.md',
  },
  verbs,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: ['settings.provider=cluster-api'],
    roleSuffixes: {},
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-cluster-api.ts')).createClusterApi(settings, context, surroundings),
}
