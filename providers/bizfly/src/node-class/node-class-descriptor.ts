import { type ConditionMeanings, type ConditionSet, groupVersion } from '@kerf/apis'
import { columnTitles, type NodeClassDescriptor } from '@kerf/provider-contract'
import { type BizflyCloudNodeClass, bizflyNodeClassKind, bizflyNodeClassResource } from './bizfly-node-class.ts'
import { bizflyNodeClassHash } from './hash.ts'

/** Bizfly's own provider sets only `InstanceReady`, always to True, and ignores the other conditions. */
export const bizflyNodeClassConditions = {
  dependents: ['InstanceReady', 'NetworksReady', 'ImagesReady'],
  independent: [],
} as const satisfies ConditionSet

const UNKNOWN = 'Unknown: Bizfly Cloud did not answer'

const meanings: ConditionMeanings = {
  InstanceReady: {
    isTrue: 'the class admits at least one instance type, and its fields can be used',
    otherwise: `\`NodeClassInvalid\`: the message names each field that cannot be used, and what to write instead. \`NoInstanceTypes\`: no flavor has a category and a processor of the class. ${UNKNOWN}`,
  },
  NetworksReady: {
    isTrue: 'all VPC networks and firewalls of the class exist',
    otherwise: `\`NetworksNotFound\`: the message names each ID that does not exist. ${UNKNOWN}`,
  },
  ImagesReady: {
    isTrue: 'there is a worker image for the version of the cluster and each operating system of the class',
    otherwise: `\`ImagesNotFound\`: Bizfly Kubernetes Engine has no worker image for the minor version of the cluster. ${UNKNOWN}`,
  },
}

/** The description of BizflyCloudNodeClass that the rest of Kerf uses. */
export const bizflyNodeClassDescriptor: NodeClassDescriptor<BizflyCloudNodeClass> = {
  resource: bizflyNodeClassResource,
  conditions: bizflyNodeClassConditions,
  conditionMeanings: meanings,
  hash: bizflyNodeClassHash,
  selectors: ['cpuVendors', 'diskTypes', 'networkPlans', 'nodeCategories', 'osType', 'zones'],
  typeNeutral: ['securityGroups', 'sshKeyName', 'tags'],
  unhashed: ['metadataOptions', 'placementStrategy', 'region', 'sshKeys', 'template'],
  hashReading: {
    zeroIsNone: ['sshKeyName'],
    emptyIsNone: ['securityGroups', 'tags', 'vpcNetworkIds'],
    ordered: ['securityGroups', 'tags', 'vpcNetworkIds'],
  },
  columns: [
    { id: 'categories', title: { en: 'Categories', uk: 'Категорії', zh: '类别' }, paths: [['spec', 'nodeCategories']] },
    { id: 'zones', title: columnTitles.zones, paths: [['spec', 'zones']] },
    { id: 'networks', title: columnTitles.subnets, paths: [['spec', 'vpcNetworkIds']] },
  ],
  example: {
    apiVersion: groupVersion(bizflyNodeClassKind),
    kind: 'BizflyCloudNodeClass',
    metadata: { name: 'default' },
    spec: {
      template: 'Ubuntu 24.04 LTS',
      zones: ['HN1', 'HN2'],
      nodeCategories: ['premium'],
      diskTypes: ['SSD'],
      networkPlans: ['free_datatransfer'],
      vpcNetworkIds: ['11111111-2222-4333-8444-555555555555'],
    },
  },
}
