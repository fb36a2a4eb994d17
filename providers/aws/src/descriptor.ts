import { groupVersion } from '@kerf/apis'
import type { NodeClassDescriptor, ProviderDescriptor } from '@kerf/provider-contract'
import { awsEvents } from './aws-events.ts'
import { chartEnv } from './chart-env.ts'
import { awsDashboard, ec2NodeClassColumns } from './dashboard.ts'
import { doctorChecks } from './diagnostics/doctor/index.ts'
import { awsVocabulary } from './labels.ts'
import { migrationSources } from './migration/index.ts'
import { familiesByAlias } from './node-class/ami-family.ts'
import { withAwsRules } from './node-class/aws-rules.ts'
import { ec2NodeClassMeanings } from './node-class/condition-meanings.ts'
import { ec2NodeClassConditions } from './node-class/conditions.ts'
import { type EC2NodeClass, ec2NodeClassKind, ec2NodeClassResource } from './node-class/ec2-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
import { awsPermissions } from './permissions.ts'
import { PRICE_CONFIG_MAP } from './pricing/price-memory.ts'
import { recognisedNodes } from './recognised-nodes.ts'
import { offlineRegions, regionOfObjects, USUAL_REGION } from './regions.ts'
import { awsSettings } from './settings/aws-settings.ts'
import { verbs } from './verbs/index.ts'

const byTag = [{ tags: { 'karpenter.sh/discovery': 'demo' } }] as const

const ec2NodeClass: NodeClassDescriptor<EC2NodeClass> = {
  resource: ec2NodeClassResource,
  conditions: ec2NodeClassConditions,
  conditionMeanings: ec2NodeClassMeanings,
  // The hash also covers the cluster's certificate authority, which an edit of the node class does not change.
  hash: { version: NODE_CLASS_HASH_VERSION, of: (nodeClass) => nodeClassHash(nodeClass, { caBundle: '' }) },
  selectors: [
    'amiSelectorTerms',
    'capacityReservationSelectorTerms',
    'securityGroupSelectorTerms',
    'subnetSelectorTerms',
  ],
  unhashed: ['ipPrefixCount'],
  typeNeutral: [
    'associatePublicIPAddress',
    'connectionTracking',
    'context',
    'detailedMonitoring',
    'instanceProfile',
    'metadataOptions',
    'role',
    'tags',
    'userData',
  ],
  hashReading: {
    zeroIsNone: [
      'blockDeviceMappings.rootVolume',
      'networkInterfaces.deviceIndex',
      'networkInterfaces.interfaceType',
      'networkInterfaces.networkCardIndex',
      'role',
    ],
    emptyIsNone: ['kubelet'],
    ordered: ['kubelet'],
    quantities: ['blockDeviceMappings.ebs.volumeSize'],
  },
  imageFamily: { field: 'amiFamily', terms: 'amiSelectorTerms', aliases: familiesByAlias, otherwise: 'Custom' },
  columns: ec2NodeClassColumns,
  example: {
    apiVersion: groupVersion(ec2NodeClassKind),
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      role: 'KarpenterNodeRole-demo',
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  },
}

/** The provider for EC2. */
export const aws: ProviderDescriptor<typeof awsSettings> = {
  name: 'aws',
  title: 'AWS',
  nodeClasses: [ec2NodeClass],
  legacy: {
    kind: 'AWSNodeTemplate',
    load: async () => (await import('./node-class/legacy/aws-node-templates.ts')).awsNodeTemplates,
  },
  settings: () => awsSettings,
  labels: awsVocabulary,
  permissions: awsPermissions,
  events: awsEvents,
  metrics: async () => (await import('./aws-metrics.ts')).awsMetrics,
  capabilities: {
    capacityTypes: ['reserved', 'spot', 'on-demand'],
    interruptionNotices: true,
    prices: 'current',
    devices: false,
    tagsAtLaunch: true,
    accountCommitments: true,
  },
  instanceTypes: {
    description: "EC2's types in 30 regions with on-demand prices as published and estimated spot prices",
    load: async () => (await import('./instance-type/region-offer.ts')).regionOffer(USUAL_REGION).types(),
    regions: {
      names: offlineRegions,
      usual: USUAL_REGION,
      of: regionOfObjects,
      open: async (region) => (await import('./instance-type/region-offer.ts')).regionOffer(region),
      read: async (document) => (await import('./instance-type/region-offer.ts')).accountOffer(document),
      fileCommand: 'kerf aws instance-types',
    },
    nodes: recognisedNodes,
    // The same zone ID can have a different zone name in each account.
    untold: [{ label: 'topology.k8s.aws/zone-id', sameDomainsAs: 'topology.kubernetes.io/zone' }],
  },
  dashboard: awsDashboard,
  documentation: { specification: 'providers/aws/docs/spec/aws.md', guide: 'providers/aws/docs/guides/first-pod.md' },
  verbs,
  doctorChecks,
  migrationSources,
  priceConfigMap: PRICE_CONFIG_MAP,
  chart: {
    hasCrds: true,
    coreRules: withAwsRules,
    env: chartEnv,
    manifestValues: ['settings.clusterName=your-cluster-name', 'settings.interruptionQueue=$(CLUSTER_NAME)'],
    roleSuffixes: { 'kube-system': '-dns' },
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-aws.ts')).createAws(settings, context, surroundings),
}
