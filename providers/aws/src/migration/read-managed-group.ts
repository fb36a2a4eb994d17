import type { Taint } from '@kerf/apis'
import { ownValue, plainText } from '@kerf/apis'
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
  fieldConversions,
  largestSize,
  leastSize,
  onlyPositive,
  present,
  stateFields,
} from '@kerf/provider-kit/migration'
import { type AwsGroup, lastPart, type ReadAwsGroup, type TemplateRef } from './aws-group.ts'
import { readTags } from './group-tags.ts'
import { isOwnTag, tagConversions } from './read-asg.ts'

const rules: FieldRules = {
  ...stateFields('nodegroupArn clusterName createdAt modifiedAt status health resources'),
  nodegroupName: { to: 'NodePool metadata.name' },
  version: { because: 'nodes of Kerf have the version of the control plane' },
  releaseVersion: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  amiType: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  scalingConfig: { to: 'NodePool spec.limits.nodes', because: 'see its parts' },
  capacityType: { to: 'NodePool requirement karpenter.sh/capacity-type' },
  instanceTypes: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  subnets: { to: 'EC2NodeClass spec.subnetSelectorTerms' },
  nodeRole: { to: 'EC2NodeClass spec.role' },
  labels: { to: 'NodePool spec.template.metadata.labels' },
  taints: { to: 'NodePool spec.template.spec.taints' },
  diskSize: onlyPositive({ to: 'EC2NodeClass spec.blockDeviceMappings' }),
  updateConfig: { to: 'NodePool budget for Drifted' },
  launchTemplate: { to: 'EC2NodeClass' },
  remoteAccess: { because: 'an EC2NodeClass has no SSH key; use Session Manager' },
  nodeRepairConfig: { because: 'the feature gate NodeRepair of Kerf takes its place' },
  tags: { to: 'EC2NodeClass spec.tags', because: 'see each tag' },
  warmPoolConfig: { because: 'there are no warm pools; a CapacityBuffer keeps running nodes free' },
}

const scalingRules: FieldRules = {
  minSize: leastSize,
  maxSize: largestSize,
  desiredSize,
}

const EFFECTS: Readonly<Record<string, Taint['effect']>> = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
}

/** Returns the device to which the disk size of a node group applies. `family` is the name that EKS or eksctl uses for the image family. */
export const rootDevice = (family: string): string => {
  if (/^bottlerocket/i.test(family)) return '/dev/xvdb'
  return /^(windows|ubuntu)/i.test(family) ? '/dev/sda1' : '/dev/xvda'
}

/** Returns true if the image family is Windows. `family` is the name that EKS or eksctl uses. */
export const isWindowsFamily = (family: string | undefined): boolean => /^windows/i.test(family ?? '')

/** Reads the `nodegroup` of `aws eks describe-nodegroup`. */
export const readManagedGroup = (source: Loose, at: string): ReadAwsGroup => {
  const name = asText(source['nodegroupName']) ?? ''
  const object = `managed node group ${name}`
  const scaling = source['scalingConfig']
  const tags = asTextMap(source['tags'])
  const read = readTags(tags)
  const taints = asObjects(source['taints']).flatMap(({ key, value, effect }): Taint[] => {
    const found = ownValue(EFFECTS, plainText(effect))
    if (typeof key !== 'string' || found === undefined) return []
    return [{ key, ...(typeof value === 'string' && value !== '' ? { value } : {}), effect: found }]
  })
  const template = source['launchTemplate']
  const ref: TemplateRef | undefined = isLoose(template)
    ? {
        ...present({ id: asText(template['id']), name: asText(template['name']) }),
        version: plainText(template['version'] ?? '$Default'),
      }
    : undefined
  const amiType = asText(source['amiType'])
  const role = asText(source['nodeRole'])
  const disk = asPositive(source['diskSize'])
  const update = source['updateConfig']
  const most = asPositive(looseAt(update, 'maxUnavailable'))
  const share = asPositive(looseAt(update, 'maxUnavailablePercentage'))
  const maxUnavailable = most === undefined ? (share === undefined ? undefined : `${share}%`) : String(most)
  const group: AwsGroup = {
    name,
    origin: 'managed node group',
    at,
    min: asNumber(looseAt(scaling, 'minSize')) ?? 0,
    max: asNumber(looseAt(scaling, 'maxSize')) ?? 0,
    desired: asNumber(looseAt(scaling, 'desiredSize')) ?? 0,
    instanceTypes: asTexts(source['instanceTypes']),
    capacityTypes: source['capacityType'] === 'SPOT' ? ['spot'] : ['on-demand'],
    zones: [],
    labels: { ...read.labels, ...asTextMap(source['labels']) },
    taints,
    startupTaints: read.startupTaints,
    isWindows: isWindowsFamily(amiType),
    options: read.options,
    nodeLabels: { 'eks.amazonaws.com/nodegroup': name },
    scalingGroups: asObjects(looseAt(source['resources'], 'autoScalingGroups')).flatMap(
      (each) => asText(each['name']) ?? [],
    ),
    launch: present({
      subnetIds: asTexts(source['subnets']),
      tags: Object.fromEntries(Object.entries(read.others).filter(([tag]) => !isOwnTag(tag))),
      imageFamily: amiType,
      imageRelease: asText(source['releaseVersion']),
      role: role === undefined ? undefined : lastPart(role),
      blockDevices: disk === undefined ? undefined : [{ deviceName: rootDevice(amiType ?? ''), sizeGiB: disk }],
      template: ref,
    }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  }
  return {
    group,
    questions: [],
    conversions: [
      ...fieldConversions(object, source, rules),
      ...fieldConversions(object, isLoose(scaling) ? scaling : {}, scalingRules, 'scalingConfig.'),
      ...tagConversions(object, tags, read.wrong),
    ],
  }
}
