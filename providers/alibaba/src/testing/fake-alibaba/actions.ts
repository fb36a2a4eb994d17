import { ownValue } from '@kerf/apis'
import type { LaunchRequest, Tag } from '../../api/actions.ts'
import type { FakeAccount, FakeInstance } from './fake-account.ts'
import { onDemandPrice, spotPrice } from './fake-offer.ts'
import { launchOne } from './launch-action.ts'
import { CLUSTER, JOIN_TOKEN } from './names.ts'
import type { Refusal } from './request-shape.ts'

/** The parameters of a request: nested, with string values. */
type Parameters = Readonly<Record<string, unknown>>
type Answer = Refusal | { readonly answer: object | string }
type Act = (account: FakeAccount, parameters: Parameters) => Answer

const text = (parameters: Parameters, name: string): string | undefined => {
  const value = Object.hasOwn(parameters, name) ? parameters[name as keyof Parameters] : undefined
  return typeof value === 'string' ? value : undefined
}

const tagsIn = (parameters: Parameters): readonly Tag[] => (parameters['Tag'] as readonly Tag[] | undefined) ?? []

const hasTags = (tags: Readonly<Record<string, string>>, wanted: readonly Tag[]): boolean =>
  wanted.every(
    ({ Key, Value }) => Object.hasOwn(tags, Key) && (Value === undefined || tags[Key as keyof typeof tags] === Value),
  )

/** Returns one page. A page token is the index of the page's first item. */
const page = <T>(items: readonly T[], parameters: Parameters, usual: number) => {
  const from = Number(text(parameters, 'NextToken') ?? 0)
  const size = Number(text(parameters, 'MaxResults') ?? usual)
  const to = from + size
  return { items: items.slice(from, to), NextToken: to < items.length ? `${to}` : '' }
}

const describe = (account: FakeAccount, instance: FakeInstance) => ({
  InstanceId: instance.id,
  InstanceType: instance.type,
  ZoneId: instance.zone,
  Status: account.statusOf(instance),
  SpotStrategy: instance.isSpot ? 'SpotAsPriceGo' : 'NoSpot',
  ImageId: instance.image,
  CreationTime: account.createdText(instance),
  SecurityGroupIds: { SecurityGroupId: instance.securityGroups },
  VpcAttributes: { VSwitchId: instance.vSwitch },
  Tags: { Tag: Object.entries(instance.tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })) },
})

const describeInstances: Act = (account, parameters) => {
  if (text(parameters, 'DryRun') === 'true')
    return { status: 400, code: 'DryRunOperation', message: 'Request validation has been passed with DryRun flag set.' }
  const ids = text(parameters, 'InstanceIds')
  // An empty list of IDs is also a filter, and matches no instance.
  const wanted = ids === undefined ? undefined : new Set<string>(JSON.parse(ids))
  if (wanted !== undefined && wanted.size > 100)
    return { status: 400, code: 'InvalidParameter', message: 'InstanceIds' }
  const found = account
    .listed()
    .filter(({ id, tags }) => (wanted?.has(id) ?? true) && hasTags(tags, tagsIn(parameters)))
  // A query by tags returns at most 1,000 instances, however many tags it has.
  const seen = tagsIn(parameters).length > 0 ? found.slice(0, 1_000) : found
  const { items, NextToken } = page(seen, parameters, 10)
  return {
    answer: { NextToken, Instances: { Instance: items.map((instance) => describe(account, instance)) } },
  }
}

/** Returns one entry per resource and requested tag. A page ends after 50 entries, so a resource can be on two pages. */
const listTagResources: Act = (account, parameters) => {
  const wanted = tagsIn(parameters)
  const entries = account
    .listed()
    .filter(({ tags }) => hasTags(tags, wanted))
    .flatMap(({ id, tags }) =>
      wanted.map(({ Key }) => ({
        ...{ ResourceId: id, ResourceType: 'instance', TagKey: Key },
        TagValue: ownValue(tags, Key) ?? '',
      })),
    )
  const { items, NextToken } = page(entries, parameters, 50)
  return { answer: { NextToken, TagResources: { TagResource: items } } }
}

const describeVSwitches: Act = (account, parameters) => {
  const [id, size, number] = ['VSwitchId', 'PageSize', 'PageNumber'].map((name) => text(parameters, name))
  const found = account.vSwitches.filter(
    (vSwitch) => (id === undefined || id === vSwitch.id) && hasTags(vSwitch.tags, tagsIn(parameters)),
  )
  const from = (Number(number ?? 1) - 1) * Number(size ?? 10)
  return {
    answer: {
      TotalCount: found.length,
      VSwitches: {
        VSwitch: found
          .slice(from, from + Number(size ?? 10))
          .map((each) => ({ VSwitchId: each.id, ZoneId: each.zone, AvailableIpAddressCount: each.free })),
      },
    },
  }
}

const describeSecurityGroups: Act = (account, parameters) => {
  const [id, name] = ['SecurityGroupId', 'SecurityGroupName'].map((each) => text(parameters, each))
  const found = account.securityGroups.filter(
    (group) =>
      (id === undefined || id === group.id) &&
      (name === undefined || name === group.name) &&
      hasTags(group.tags, tagsIn(parameters)),
  )
  const { items, NextToken } = page(found, parameters, 10)
  return {
    answer: {
      NextToken,
      SecurityGroups: {
        SecurityGroup: items.map((group) => ({ SecurityGroupId: group.id, SecurityGroupName: group.name })),
      },
    },
  }
}

/** Returns the current stock of all types in all zones. Disk categories have the same availability as the instance type. */
const describeAvailableResource: Act = (account, parameters) => {
  const isSpot = text(parameters, 'SpotStrategy') !== undefined
  const resource = text(parameters, 'DestinationResource') ?? ''
  const only = text(parameters, 'InstanceType')
  const zones = [...new Set(account.vSwitches.map(({ zone }) => zone))]
  const supported = (zone: string) => {
    if (resource === 'SystemDisk')
      return ['cloud_essd', 'cloud_auto'].map((Value) => ({ Value, Status: 'Available', StatusCategory: 'WithStock' }))
    return account.types
      .filter(({ InstanceTypeId }) => only === undefined || InstanceTypeId === only)
      .map(({ InstanceTypeId }) => {
        const capacityType = isSpot ? 'spot' : 'on-demand'
        const has = account.isForSale({ capacityType, instanceType: InstanceTypeId, zone })
        return {
          Value: InstanceTypeId,
          Status: has ? 'Available' : 'SoldOut',
          StatusCategory: has ? 'WithStock' : 'WithoutStock',
        }
      })
  }
  return {
    answer: {
      AvailableZones: {
        AvailableZone: zones.map((ZoneId) => ({
          ...{ ZoneId, Status: 'Available', StatusCategory: 'WithStock' },
          AvailableResources: {
            AvailableResource: [{ Type: resource, SupportedResources: { SupportedResource: supported(ZoneId) } }],
          },
        })),
      },
    },
  }
}

const describeSpotPriceHistory: Act = (account, parameters) => {
  const name = text(parameters, 'InstanceType')
  const type = account.types.find(({ InstanceTypeId }) => InstanceTypeId === name)
  if (type === undefined) return { status: 400, code: 'InvalidInstanceType.ValueNotSupported', message: `${name}` }
  const zones = [...new Set(account.vSwitches.map(({ zone }) => zone))]
  const at = (hours: number) => new Date(account.clock.now() - hours * 3_600_000).toISOString().slice(0, 13)
  return {
    answer: {
      Currency: 'CNY',
      NextOffset: 0,
      SpotPrices: {
        // The API returns hourly prices of the last three hours. The provider must use the latest one.
        SpotPriceType: [2, 1, 0].flatMap((hours) =>
          zones.map((ZoneId) => ({
            ...{ InstanceType: type.InstanceTypeId, ZoneId, OriginPrice: onDemandPrice(type) },
            ...{ SpotPrice: spotPrice(type, ZoneId) * (1 + hours), Timestamp: `${at(hours)}:00:00Z` },
          })),
        ),
      },
    },
  }
}

/** The fake's implementation of each action. */
export const fakeActions: Readonly<Record<string, Act>> = {
  DescribeInstanceTypes: (account, parameters) => {
    const { items, NextToken } = page(account.types, parameters, 10)
    return { answer: { NextToken, InstanceTypes: { InstanceType: items } } }
  },
  DescribeAvailableResource: describeAvailableResource,
  DescribeSecurityGroups: describeSecurityGroups,
  DescribeImages: (account, parameters) => {
    const id = text(parameters, 'ImageId')
    const found = account.images.filter((image) => image.id === id)
    return {
      answer: {
        Images: {
          Image: found.map((each) => ({ ImageId: each.id, ImageName: each.name, Architecture: each.architecture })),
        },
      },
    }
  },
  // The fake has already validated the parameters against the vendor's description.
  CreateAutoProvisioningGroup: (account, parameters) => launchOne(account, parameters as unknown as LaunchRequest),
  DescribeInstances: describeInstances,
  ListTagResources: listTagResources,
  DeleteInstance: (account, parameters) => account.delete(text(parameters, 'InstanceId') ?? '') ?? { answer: {} },
  AddTags: (account, parameters) => {
    const tags = Object.fromEntries(tagsIn(parameters).map(({ Key, Value = '' }) => [Key, Value]))
    account.addTags(text(parameters, 'ResourceId') ?? '', tags)
    return { answer: {} }
  },
  DescribeSpotPriceHistory: describeSpotPriceHistory,
  DescribeVSwitches: describeVSwitches,
  DescribeClusterDetail: (account) => ({
    answer: {
      cluster_id: CLUSTER,
      meta_data: JSON.stringify({ Capabilities: { Network: account.network } }),
      node_cidr_mask: '26',
    },
  }),
  DescribeClusterNodePools: () => ({
    answer: {
      nodepools: [
        {
          nodepool_info: { nodepool_id: 'np-other', is_default: false },
          kubernetes_config: { runtime: 'containerd', runtime_version: '1.5.13' },
          status: { healthy_nodes: 3 },
        },
        {
          nodepool_info: { nodepool_id: 'np-default', is_default: true },
          kubernetes_config: { runtime: 'containerd', runtime_version: '1.6.36' },
          status: { healthy_nodes: 2 },
        },
      ],
    },
  }),
  DescribeClusterAttachScripts: (_, parameters) => {
    const arch = text(parameters, 'arch') ?? 'amd64'
    return {
      answer: `curl http://aliacs-k8s.oss/attach_node.sh | bash -s -- --arch ${arch} --runtime docker --runtime-version 19.03.15 --token ${JOIN_TOKEN} --endpoint 192.168.0.1\r\n`,
    }
  },
  DescribeKubernetesVersionMetadata: (account) => ({
    answer: [
      {
        images: account.images
          .filter(({ id }) => id !== 'm-custom')
          .map(({ id, name, architecture }) => ({ image_id: id, image_name: name, architecture })),
      },
    ],
  }),
}
