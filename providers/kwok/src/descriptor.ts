import { groupVersion } from '@kerf/apis'
import { declareEvents, type NodeClassDescriptor, type ProviderDescriptor } from '@kerf/provider-contract'
import { kwokVocabulary, PRICE_LABEL } from './labels.ts'
import { migrationSources } from './migration/index.ts'
import { kwokNodeClassConditions } from './node-class/conditions.ts'
import { type KWOKNodeClass, kwokNodeClassKind, kwokNodeClassResource } from './node-class/kwok-node-class.ts'
import { kwokPermissions } from './permissions.ts'
import { type KwokRunSettings, kwokRunSettings } from './run-settings.ts'

/** The node class has neither a hash nor selectors, because simulated instances never drift from their node class. */
const kwokNodeClass: NodeClassDescriptor<KWOKNodeClass> = {
  resource: kwokNodeClassResource,
  conditions: kwokNodeClassConditions,
  conditionMeanings: {},
  selectors: [],
  example: {
    apiVersion: groupVersion(kwokNodeClassKind),
    kind: 'KWOKNodeClass',
    metadata: { name: 'default' },
    spec: { nodeRegistrationDelay: '10s' },
  },
}

/** The provider for simulations. Its instances are Node objects without machines behind them. */
export const kwok: ProviderDescriptor<KwokRunSettings> = {
  name: 'kwok',
  title: 'KWOK',
  nodeClasses: [kwokNodeClass],
  settings: kwokRunSettings,
  labels: kwokVocabulary,
  permissions: kwokPermissions,
  events: declareEvents({}),
  metrics: async () => [],
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: true,
    tagsAtLaunch: true,
  },
  instanceTypes: {
    description: "the 144 types of Karpenter's KWOK provider",
    load: async () => (await import('./load-instance-types.ts')).loadInstanceTypes(),
    nodes: {
      isProviderId: (providerID) => providerID.startsWith('kwok://'),
      exampleProviderId: 'kwok://node-1',
      capacityTypeOf: (labels) => labels['karpenter.sh/capacity-type'],
      groupOf: () => undefined,
    },
  },
  documentation: { specification: 'providers/kwok/docs/spec/kwok.md' },
  dashboard: { priceLabel: PRICE_LABEL },
  migrationSources,
  chart: {
    hasCrds: false,
    manifestValues: ['settings.provider=kwok'],
    roleSuffixes: { 'kube-node-lease': '-lease' },
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-kwok.ts')).createKwok(settings, context, surroundings),
}
