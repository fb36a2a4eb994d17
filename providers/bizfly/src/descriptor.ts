import { karpenterKinds, kinds } from '@kerf/apis'
import { declareEvents, type ProviderDescriptor } from '@kerf/provider-contract'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors } from '@kerf/runtime'
import { bizflySettings, chartEnv } from './bizfly-settings.ts'
import { doctorChecks } from './diagnostics/doctor/index.ts'
import { bizflyVocabulary } from './names.ts'
import { bizflyNodeClassKind } from './node-class/bizfly-node-class.ts'
import { bizflyNodeClassDescriptor } from './node-class/node-class-descriptor.ts'
import { offlineZones, recognisedNodes, regionOfObjects, USUAL_REGION } from './regions.ts'
import { verbs } from './verbs/index.ts'

const open = async (region: string) => (await import('./instance-types/region-offer.ts')).regionOffer(region)

/** The provider for clusters of Bizfly Kubernetes Engine. It is experimental, because it has not been tested on a real account. */
export const bizfly: ProviderDescriptor<typeof bizflySettings> = {
  name: 'bizfly',
  title: 'Bizfly Cloud',
  nodeClasses: [bizflyNodeClassDescriptor],
  settings: () => bizflySettings,
  labels: bizflyVocabulary,
  permissions: [
    ...garbageCollectionPermissions,
    may(['get', 'list', 'watch'], bizflyNodeClassKind, 'reading the launch configuration of servers'),
    may(['patch'], bizflyNodeClassKind, 'the hash used to detect drift'),
    may(['patch'], bizflyNodeClassKind, 'the instance types that were found, and the conditions', {
      subresource: 'status',
    }),
    mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of servers'),
    may(['get', 'patch'], karpenterKinds.NodeClaim, 'the hash used to detect drift'),
    mirrors(kinds.Node, 'which Nodes the servers have'),
  ],
  events: declareEvents({}),
  metrics: async () => [],
  capabilities: {
    capacityTypes: ['on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: false,
    tagsAtLaunch: true,
  },
  instanceTypes: {
    description: 'nine flavors of Bizfly Cloud in two regions, with weights in place of prices',
    load: async () => (await open(USUAL_REGION)).types(),
    regions: {
      names: Object.keys(offlineZones),
      usual: USUAL_REGION,
      of: regionOfObjects,
      open,
      read: async () => undefined,
    },
    nodes: recognisedNodes,
  },
  documentation: {
    specification: 'providers/bizfly/docs/spec/bizfly.md',
    guide: 'providers/bizfly/docs/guides/bizfly.md',
  },
  verbs,
  doctorChecks,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: [
      'settings.provider=bizfly',
      'settings.bkeClusterID=your-cluster-id',
      'settings.bkeJoinEndpoint=your-join-endpoint',
    ],
    roleSuffixes: {},
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-bizfly.ts')).createBizfly(settings, context, surroundings),
}
