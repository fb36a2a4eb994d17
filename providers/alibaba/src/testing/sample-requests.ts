import type { ActionName, ActionRequest } from '../api/actions.ts'
import { CLUSTER, REGION } from './fake-alibaba/names.ts'

/** One request of each action, with every field that the provider can send. */
export const sampleRequests: { readonly [A in ActionName]: ActionRequest<A> } = {
  DescribeInstanceTypes: { MaxResults: 100 },
  DescribeAvailableResource: {
    RegionId: REGION,
    DestinationResource: 'InstanceType',
    InstanceType: 'ecs.g7.large',
    SpotStrategy: 'SpotAsPriceGo',
  },
  DescribeSecurityGroups: {
    RegionId: REGION,
    Tag: [{ Key: 'karpenter.sh/discovery', Value: 'demo' }],
    MaxResults: 100,
  },
  DescribeImages: { RegionId: REGION, ImageId: 'm-custom', ShowExpired: true },
  CreateAutoProvisioningGroup: {
    RegionId: REGION,
    ClientToken: 'claim-uid',
    AutoProvisioningGroupType: 'instant',
    TotalTargetCapacity: '1',
    SpotTargetCapacity: '0',
    PayAsYouGoTargetCapacity: '1',
    SpotAllocationStrategy: 'lowest-price',
    PayAsYouGoAllocationStrategy: 'lowest-price',
    ExcessCapacityTerminationPolicy: 'termination',
    LaunchTemplateConfig: [
      { InstanceType: 'ecs.g7.large', VSwitchId: 'vsw-h', WeightedCapacity: 1, ImageId: 'm-custom', Priority: 0 },
      { InstanceType: 'ecs.g7.xlarge', VSwitchId: 'vsw-i', WeightedCapacity: 1, ImageId: 'm-custom', Priority: 1 },
    ],
    LaunchConfiguration: {
      ImageId: 'm-custom',
      UserData: Buffer.from('#!/bin/bash\n').toString('base64'),
      SecurityGroupIds: ['sg-nodes'],
      Tag: [
        { Key: 'a/b', Value: 'c d+e*~' },
        { Key: 'empty', Value: '' },
      ],
      ResourceGroupId: 'rg-1',
      SystemDiskSize: 40,
      SystemDiskPerformanceLevel: 'PL0',
      KeyPairName: 'nodes',
      Password: "Secret!'()1",
      PasswordInherit: false,
      DataDisk: [{ Size: 100, Device: '/dev/xvdb' }],
    },
    SystemDiskConfig: [{ DiskCategory: 'cloud_essd' }],
    DataDiskConfig: [{ DiskCategory: 'cloud_essd' }],
    Tag: [{ Key: 'group', Value: 'true' }],
  },
  DescribeInstances: {
    RegionId: REGION,
    InstanceIds: '["i-1"]',
    Tag: [{ Key: 'owner', Value: 'kerf' }],
    MaxResults: 100,
  },
  ListTagResources: { RegionId: REGION, ResourceType: 'instance', Tag: [{ Key: 'owner', Value: 'kerf' }] },
  DeleteInstance: { InstanceId: 'i-1', Force: true, TerminateSubscription: true },
  AddTags: {
    RegionId: REGION,
    ResourceType: 'instance',
    ResourceId: 'i-1',
    Tag: [{ Key: 'Name', Value: 'node-1' }],
  },
  DescribeSpotPriceHistory: { RegionId: REGION, NetworkType: 'vpc', InstanceType: 'ecs.g7.large', Offset: 0 },
  DescribeVSwitches: { RegionId: REGION, VSwitchId: 'vsw-h', PageSize: 50, PageNumber: 1 },
  DescribeClusterDetail: { ClusterId: CLUSTER },
  DescribeClusterNodePools: { ClusterId: CLUSTER },
  DescribeClusterAttachScripts: {
    ClusterId: CLUSTER,
    keep_instance_name: true,
    format_disk: false,
    nodepool_id: 'np-default',
    arch: 'amd64',
  },
  DescribeKubernetesVersionMetadata: {
    Region: REGION,
    ClusterType: 'ManagedKubernetes',
    KubernetesVersion: '1.32.1-aliyun.1',
  },
}
