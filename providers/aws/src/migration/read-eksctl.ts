import { plainText, type Taint } from '@kerf/apis'
import type { CapacityType, FieldConversion } from '@kerf/provider-contract'
import {
  asNumber,
  asObjects,
  asPositive,
  asText,
  asTextMap,
  asTexts,
  isLoose,
  type Loose,
  looseAt,
} from '@kerf/provider-kit/documents'
import {
  desiredSize,
  type FieldRules,
  fieldConversion,
  fieldConversions,
  isEffect,
  largestSize,
  leastSize,
  onlyPositive,
  present,
  stateFields,
} from '@kerf/provider-kit/migration'
import { type AwsGroup, lastPart, type ReadAwsGroup } from './aws-group.ts'
import { readTags } from './group-tags.ts'
import { readInstanceSelector } from './instance-attributes.ts'
import { isOwnTag } from './read-asg.ts'
import { isWindowsFamily, rootDevice } from './read-managed-group.ts'

const NO_FIELD = 'an EC2NodeClass has no such field'

const rules: FieldRules = {
  name: { to: 'NodePool metadata.name' },
  instanceType: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  instanceTypes: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  instancesDistribution: { to: 'NodePool requirements', because: 'a NodePool has no shares and no base of on-demand' },
  instanceSelector: { to: 'NodePool requirements', because: 'see its parts' },
  spot: { to: 'NodePool requirement karpenter.sh/capacity-type' },
  minSize: leastSize,
  maxSize: largestSize,
  desiredCapacity: desiredSize,
  labels: { to: 'NodePool spec.template.metadata.labels' },
  taints: { to: 'NodePool spec.template.spec.taints' },
  tags: { to: 'EC2NodeClass spec.tags' },
  propagateASGTags: (value) => (value === true ? { because: 'NodePools need no tags' } : undefined),
  availabilityZones: { to: 'NodePool requirement topology.kubernetes.io/zone' },
  subnets: { to: 'EC2NodeClass spec.subnetSelectorTerms' },
  privateNetworking: { to: 'EC2NodeClass spec.subnetSelectorTerms', because: 'choose private subnets by their tags' },
  amiFamily: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  ami: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  releaseVersion: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  volumeSize: onlyPositive({ to: 'EC2NodeClass spec.blockDeviceMappings' }),
  volumeType: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  volumeIOPS: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  volumeThroughput: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  volumeEncrypted: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  volumeKmsKeyID: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  volumeName: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  iam: { to: 'EC2NodeClass spec.role', because: 'policies are of the role, not of the node class' },
  securityGroups: { to: 'EC2NodeClass spec.securityGroupSelectorTerms' },
  maxPodsPerNode: { to: 'EC2NodeClass spec.kubelet.maxPods' },
  preBootstrapCommands: {
    to: 'EC2NodeClass spec.userData',
    because: 'Kerf adds the commands that join the node to the cluster',
  },
  overrideBootstrapCommand: {
    because:
      'Kerf writes the commands that join the node to the cluster; write the rest into EC2NodeClass spec.userData',
  },
  kubeletExtraConfig: { because: 'write it into EC2NodeClass spec.kubelet' },
  disableIMDSv1: { to: 'EC2NodeClass spec.metadataOptions' },
  disablePodIMDS: { to: 'EC2NodeClass spec.metadataOptions', because: 'a hop limit of 1 has the same effect' },
  updateConfig: { to: 'NodePool budget for Drifted' },
  asgSuspendProcesses: { because: 'Kerf launches instances without an Auto Scaling group, which alone knows it' },
  asgMetricsCollection: { because: 'Kerf has metrics of its own (docs/reference/metrics.md)' },
  classicLoadBalancerNames: {
    because: 'nodes register with load balancers through the load balancer controller, not by group',
  },
  targetGroupARNs: { because: 'nodes register with load balancers through the load balancer controller, not by group' },
  ssh: { because: `${NO_FIELD}; use Session Manager` },
  bottlerocket: { because: 'write its settings as TOML into EC2NodeClass spec.userData' },
  efaEnabled: { because: 'pods that ask for vpc.amazonaws.com/efa get a node with it' },
  placement: { to: 'EC2NodeClass spec.placementGroupSelector' },
  capacityReservation: { to: 'EC2NodeClass spec.capacityReservationSelectorTerms' },
  launchTemplate: { to: 'EC2NodeClass' },
  nodeRepairConfig: { because: 'the feature gate NodeRepair of Kerf takes its place' },
  enableDetailedMonitoring: { to: 'EC2NodeClass spec.detailedMonitoring' },
  maxInstanceLifetime: { to: 'NodePool spec.template.spec.expireAfter' },
  ...stateFields('status clusterDNS'),
}

/** Reads taints from a list, or from a map as in unmanaged node groups: `key: value:Effect`. */
const readTaints = (value: unknown): readonly Taint[] => {
  const listed = asObjects(value).map((each) => [asText(each['key']), asText(each['value']), asText(each['effect'])])
  const mapped = Object.entries(asTextMap(value)).map(([key, text]) => {
    const at = text.lastIndexOf(':')
    return [key, at === -1 ? text : text.slice(0, at), at === -1 ? 'NoSchedule' : text.slice(at + 1)]
  })
  return [...listed, ...mapped].flatMap(([key, text, effect]) =>
    key === undefined || !isEffect(effect)
      ? []
      : [{ key, ...(text === undefined || text === '' ? {} : { value: text }), effect }],
  )
}

const readCapacityTypes = (source: Loose): readonly CapacityType[] => {
  if (source['spot'] === true) return ['spot']
  const distribution = source['instancesDistribution']
  if (!isLoose(distribution)) return ['on-demand']
  const share = asNumber(distribution['onDemandPercentageAboveBaseCapacity']) ?? 100
  if (share === 0 && (asNumber(distribution['onDemandBaseCapacity']) ?? 0) === 0) return ['spot']
  return share === 100 ? ['on-demand'] : ['spot', 'on-demand']
}

/** The default root volume of eksctl. */
const usualVolume = { sizeGiB: 80, volumeType: 'gp3' } as const

const readOne = (source: Loose, at: string): ReadAwsGroup => {
  const name = asText(source['name']) ?? ''
  const object = `eksctl node group ${name}`
  const read = readTags(asTextMap(source['tags']))
  const types = [
    ...asTexts(source['instanceTypes']),
    ...asTexts(looseAt(source['instancesDistribution'], 'instanceTypes')),
  ]
  const selector = source['instanceSelector']
  const attributes =
    isLoose(selector) && Object.keys(selector).length > 0 ? readInstanceSelector(selector, object) : undefined
  const single = [asText(source['instanceType']) ?? ''].filter((type) => type !== '' && type !== 'mixed')
  // Without an instance type, eksctl uses m5.large.
  const isOpen =
    attributes === undefined && source['launchTemplate'] === undefined && asText(source['instanceType']) === undefined
  const usualTypes = isOpen ? ['m5.large'] : single
  const role = asText(looseAt(source['iam'], 'instanceRoleARN'))
  const template = asText(looseAt(source['launchTemplate'], 'id'))
  const usual = template === undefined ? usualVolume : { sizeGiB: undefined, volumeType: undefined }
  const volume = present({
    sizeGiB: asPositive(source['volumeSize']) ?? usual.sizeGiB,
    volumeType: asText(source['volumeType']) ?? usual.volumeType,
    iops: asNumber(source['volumeIOPS']),
    throughput: asNumber(source['volumeThroughput']),
    encrypted: typeof source['volumeEncrypted'] === 'boolean' ? source['volumeEncrypted'] : undefined,
    kmsKeyId: asText(source['volumeKmsKeyID']),
  })
  const commands = asTexts(source['preBootstrapCommands'])
  const family = asText(source['amiFamily'])
  const image = asText(source['ami'])
  const reservation = looseAt(source['capacityReservation'], 'capacityReservationTarget', 'capacityReservationID')
  const most = looseAt(source['updateConfig'], 'maxUnavailable')
  const share = looseAt(source['updateConfig'], 'maxUnavailablePercentage')
  const group: AwsGroup = {
    name,
    origin: 'eksctl node group',
    at,
    min: asNumber(source['minSize']) ?? 0,
    max: asNumber(source['maxSize']) ?? asNumber(source['desiredCapacity']) ?? 2,
    desired: asNumber(source['desiredCapacity']) ?? asNumber(source['minSize']) ?? 2,
    instanceTypes: types.length > 0 ? types : usualTypes,
    ...(attributes === undefined ? {} : { attributes: attributes.attributes }),
    capacityTypes: readCapacityTypes(source),
    zones: asTexts(source['availabilityZones']),
    labels: { ...read.labels, ...asTextMap(source['labels']) },
    taints: readTaints(source['taints']),
    startupTaints: read.startupTaints,
    isWindows: isWindowsFamily(family),
    nodeLabels: { 'alpha.eksctl.io/nodegroup-name': name },
    options: { ...read.options, ...present({ maxInstanceLifetime: readLifetime(source['maxInstanceLifetime']) }) },
    launch: present({
      subnetIds: asTexts(source['subnets']).filter((each) => each.startsWith('subnet-')),
      securityGroupIds: asTexts(looseAt(source['securityGroups'], 'attachIDs')),
      tags: Object.fromEntries(Object.entries(read.others).filter(([tag]) => !isOwnTag(tag))),
      imageFamily: family,
      imageRelease: asText(source['releaseVersion']),
      detailedMonitoring: source['enableDetailedMonitoring'] === true || undefined,
      placementGroup: asText(looseAt(source['placement'], 'groupName')),
      capacityReservationId: asText(reservation),
      imageId: image?.startsWith('ami-') === true ? image : undefined,
      role: role === undefined ? undefined : lastPart(role),
      blockDevices:
        Object.keys(volume).length === 0
          ? undefined
          : [{ deviceName: asText(source['volumeName']) ?? rootDevice(family ?? ''), ...volume }],
      maxPods: asNumber(source['maxPodsPerNode']),
      userData: commands.length === 0 ? undefined : ['#!/bin/bash', ...commands, ''].join('\n'),
      metadataOptions:
        source['disablePodIMDS'] === true ? { httpTokens: 'required', httpPutResponseHopLimit: 1 } : null,
      template:
        template === undefined
          ? undefined
          : { id: template, version: plainText(looseAt(source['launchTemplate'], 'version') ?? '$Default') },
    }),
    ...(most === undefined && share === undefined
      ? {}
      : { maxUnavailable: most === undefined ? `${plainText(share)}%` : plainText(most) }),
  }
  return {
    group,
    questions: [],
    conversions: [
      ...fieldConversions(object, source, rules),
      ...unsaidConversions(object, source),
      ...(attributes?.conversions ?? []),
    ],
  }
}

/** Returns how the migration handles settings that eksctl applies by default, but Kerf does not. */
const unsaidConversions = (object: string, source: Loose): readonly FieldConversion[] =>
  asPositive(source['volumeSize']) !== undefined || source['launchTemplate'] !== undefined
    ? []
    : [
        fieldConversion(object, 'volumeSize', {
          to: 'EC2NodeClass spec.blockDeviceMappings',
          because: `eksctl gives ${usualVolume.sizeGiB} GiB when nothing is said`,
        }),
      ]

const readLifetime = (value: unknown): string | undefined => {
  const seconds = asNumber(value)
  return seconds === undefined ? undefined : `${seconds}s`
}

/** Reads the node groups of an eksctl ClusterConfig. */
export const readEksctl = (source: Loose, at: string): readonly ReadAwsGroup[] => [
  ...asObjects(source['managedNodeGroups']).map((each) => readOne(each, at)),
  ...asObjects(source['nodeGroups']).map((each) => readOne(each, at)),
]
