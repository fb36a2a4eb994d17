import type { CapacityType, FieldConversion } from '@kerf/provider-contract'
import {
  asNumber,
  asObjects,
  asPositive,
  asText,
  asTexts,
  isLoose,
  type Loose,
  looseAt,
} from '@kerf/provider-kit/documents'
import {
  desiredSize,
  type FieldRule,
  type FieldRules,
  fieldConversion,
  fieldConversions,
  isStartupTaint,
  largestSize,
  leastSize,
  onlyPositive,
  optionRule,
  present,
  stateFields,
} from '@kerf/provider-kit/migration'
import { type AwsGroup, configurationId, type ReadAwsGroup, type TemplateRef } from './aws-group.ts'
import { readTags } from './group-tags.ts'
import { alternatives, readInstanceRequirements } from './instance-attributes.ts'

const CLOUD_ONLY = 'Kerf launches instances without an Auto Scaling group, which alone knows it'

const rules: FieldRules = {
  ...stateFields(`
    AutoScalingGroupARN CreatedTime Instances Status ServiceLinkedRoleARN PredictedCapacity DeletionProtection
    CapacityDistributionStrategy AvailabilityZoneImpairmentPolicy AvailabilityZoneIds`),
  AutoScalingGroupName: { to: 'NodePool metadata.name' },
  MinSize: leastSize,
  MaxSize: largestSize,
  DesiredCapacity: desiredSize,
  AvailabilityZones: { to: 'NodePool requirement topology.kubernetes.io/zone' },
  VPCZoneIdentifier: { to: 'EC2NodeClass spec.subnetSelectorTerms' },
  LaunchTemplate: { to: 'EC2NodeClass' },
  MixedInstancesPolicy: { to: 'NodePool requirements', because: 'see its parts' },
  LaunchConfigurationName: { to: 'EC2NodeClass', because: 'see its parts' },
  Tags: { to: 'NodePool template, EC2NodeClass spec.tags', because: 'see each tag' },
  DefaultCooldown: (value) => (value === 300 ? undefined : { because: 'Cluster Autoscaler ignores it, and Kerf too' }),
  DefaultInstanceWarmup: { because: 'only scaling policies use it' },
  HealthCheckType: { because: 'node repair and the node conditions take its place (feature gate NodeRepair)' },
  HealthCheckGracePeriod: { because: 'a node has 15 minutes to register' },
  LoadBalancerNames: {
    because: 'nodes register with load balancers through the load balancer controller, not by group',
  },
  TargetGroupARNs: { because: 'nodes register with load balancers through the load balancer controller, not by group' },
  TrafficSources: { because: 'nodes register with load balancers through the load balancer controller, not by group' },
  SuspendedProcesses: { because: CLOUD_ONLY },
  PlacementGroup: { to: 'EC2NodeClass spec.placementGroupSelector' },
  TerminationPolicies: { because: 'consolidation chooses which nodes go' },
  NewInstancesProtectedFromScaleIn: (value) =>
    value === false
      ? undefined
      : {
          because:
            'scale-in protection is of Auto Scaling groups; karpenter.sh/do-not-disrupt on pods protects their node',
        },
  MaxInstanceLifetime: onlyPositive({ to: 'NodePool spec.template.spec.expireAfter' }),
  CapacityRebalance: { because: 'Kerf drains spot nodes on their interruption notice (setting interruptionQueue)' },
  WarmPoolConfiguration: { because: 'there are no warm pools; a CapacityBuffer keeps running nodes free' },
  WarmPoolSize: { because: 'there are no warm pools; a CapacityBuffer keeps running nodes free' },
  EnabledMetrics: { because: 'Kerf has metrics of its own (docs/reference/metrics.md)' },
  Context: { to: 'EC2NodeClass spec.context' },
  DesiredCapacityType: (value) =>
    value === 'units' ? undefined : { because: 'a NodePool has limits for nodes, CPU and memory' },
  InstanceMaintenancePolicy: {
    because: 'disruption budgets of the NodePool say how many nodes may be replaced at a time',
  },
  CapacityReservationSpecification: {
    because: 'name the reservation in EC2NodeClass spec.capacityReservationSelectorTerms',
  },
  LifecycleHooks: { because: CLOUD_ONLY },
  ScheduledActions: { because: 'schedules are of Auto Scaling groups; change spec.limits by a CronJob instead' },
  ScalingPolicies: { because: 'pods decide how many nodes there are' },
}

const distributionRules: FieldRules = {
  OnDemandAllocationStrategy: { because: 'the cheapest offering that fits is launched' },
  OnDemandBaseCapacity: (value) =>
    value === 0
      ? undefined
      : {
          because:
            'a NodePool has no on-demand base; a second pool for on-demand with a higher weight and limits is nearest',
        },
  OnDemandPercentageAboveBaseCapacity: {
    to: 'NodePool requirement karpenter.sh/capacity-type',
    because: 'a NodePool has no shares: spot is launched where it is allowed and cheaper',
  },
  SpotAllocationStrategy: { because: 'spot is launched by price and capacity' },
  SpotInstancePools: { because: 'spot is launched by price and capacity' },
  SpotMaxPrice: { because: 'spot never costs more than on-demand, and the cheapest offering is taken' },
}

const overrideRules: FieldRules = {
  InstanceType: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  WeightedCapacity: { because: 'a NodePool counts nodes, CPU and memory' },
  LaunchTemplateSpecification: { because: 'a NodePool has one node class; make a second pool for this override' },
  InstanceRequirements: { to: 'NodePool requirements', because: 'see its parts' },
  ImageId: { because: 'a NodePool has one node class; make a second pool for this override' },
}

const readTemplateRef = (value: unknown): TemplateRef | undefined => {
  if (!isLoose(value)) return undefined
  const id = asText(value['LaunchTemplateId'])
  const name = asText(value['LaunchTemplateName'])
  if (id === undefined && name === undefined) return undefined
  return { ...present({ id, name }), version: asText(value['Version']) ?? '$Default' }
}

const readConfigurationRef = (value: unknown): TemplateRef | undefined => {
  const name = asText(value)
  return name === undefined ? undefined : { id: configurationId(name), version: '1' }
}

const readCapacityTypes = (distribution: unknown): readonly CapacityType[] => {
  if (!isLoose(distribution)) return ['on-demand']
  const share = asNumber(distribution['OnDemandPercentageAboveBaseCapacity']) ?? 100
  const base = asNumber(distribution['OnDemandBaseCapacity']) ?? 0
  if (share === 0 && base === 0) return ['spot']
  return share === 100 ? ['on-demand'] : ['spot', 'on-demand']
}

/** Reads one entry of `AutoScalingGroups` from `aws autoscaling describe-auto-scaling-groups`. */
export const readAsg = (source: Loose, at: string): ReadAwsGroup => {
  const name = asText(source['AutoScalingGroupName']) ?? ''
  const object = `Auto Scaling group ${name}`
  const policy = source['MixedInstancesPolicy']
  const distribution = looseAt(policy, 'InstancesDistribution')
  const overrides = asObjects(looseAt(policy, 'LaunchTemplate', 'Overrides'))
  const tags = Object.fromEntries(
    asObjects(source['Tags']).flatMap(({ Key, Value }) =>
      typeof Key === 'string' ? [[Key, typeof Value === 'string' ? Value : '']] : [],
    ),
  )
  const read = readTags(tags)
  const choices = overrides.flatMap((each, index) =>
    isLoose(each['InstanceRequirements'])
      ? [
          readInstanceRequirements(
            each['InstanceRequirements'],
            object,
            `MixedInstancesPolicy.LaunchTemplate.Overrides[${index}].InstanceRequirements`,
          ),
        ]
      : [],
  )
  const template =
    readTemplateRef(source['LaunchTemplate']) ??
    readTemplateRef(looseAt(policy, 'LaunchTemplate', 'LaunchTemplateSpecification')) ??
    readConfigurationRef(source['LaunchConfigurationName'])
  const lifetime = asPositive(source['MaxInstanceLifetime'])
  const group: AwsGroup = {
    name,
    origin: 'Auto Scaling group',
    at,
    min: asNumber(source['MinSize']) ?? 0,
    max: asNumber(source['MaxSize']) ?? 0,
    desired: asNumber(source['DesiredCapacity']) ?? 0,
    instanceTypes: overrides.flatMap((each) => asText(each['InstanceType']) ?? []),
    ...(choices.length === 0 ? {} : { attributes: alternatives(choices.map(({ attributes }) => attributes)) }),
    capacityTypes: readCapacityTypes(distribution),
    zones: asTexts(source['AvailabilityZones']),
    ...{ labels: read.labels, taints: read.taints, startupTaints: read.startupTaints },
    launch: present({
      subnetIds: (asText(source['VPCZoneIdentifier']) ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
      tags: propagated(source['Tags'], read.others),
      placementGroup: asText(source['PlacementGroup']),
      groupTags: tags,
      template,
    }),
    options: { ...read.options, ...(lifetime === undefined ? {} : { maxInstanceLifetime: `${lifetime}s` }) },
  }
  return {
    group,
    questions: [],
    conversions: [
      ...fieldConversions(object, source, rules),
      ...fieldConversions(
        object,
        isLoose(distribution) ? distribution : {},
        distributionRules,
        'MixedInstancesPolicy.InstancesDistribution.',
      ),
      ...overrides.flatMap((each, index) =>
        fieldConversions(object, each, overrideRules, `MixedInstancesPolicy.LaunchTemplate.Overrides[${index}].`),
      ),
      ...choices.flatMap((each) => each.conversions),
      ...tagConversions(object, tags, read.wrong),
    ],
  }
}

/**
 * Returns the node group with tags that another resource adds, such as `aws_autoscaling_group_tag` of Terraform. The group's own labels,
 * taints and options take precedence.
 */
export const withTags = (
  { group, conversions, questions }: ReadAwsGroup,
  tags: Readonly<Record<string, string>>,
  propagatedTags: ReadonlySet<string>,
): ReadAwsGroup => {
  const read = readTags(tags)
  const instanceTags = Object.entries(read.others).filter(([tag]) => propagatedTags.has(tag) && !isOwnTag(tag))
  return {
    questions,
    conversions: [...conversions, ...tagConversions(`${group.origin} ${group.name}`, tags, read.wrong)],
    group: {
      ...group,
      labels: { ...read.labels, ...group.labels },
      taints: group.origin === 'managed node group' ? group.taints : [...group.taints, ...read.taints],
      startupTaints: [...group.startupTaints, ...read.startupTaints],
      options: { ...read.options, ...group.options },
      launch: {
        ...group.launch,
        groupTags: { ...group.launch.groupTags, ...tags },
        tags: { ...Object.fromEntries(instanceTags), ...group.launch.tags },
      },
    },
  }
}

/** Returns the tags that instances get, without the tags that Kerf or AWS set. */
const propagated = (tags: unknown, others: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    asObjects(tags).flatMap(({ Key, Value, PropagateAtLaunch }) =>
      typeof Key === 'string' && Object.hasOwn(others, Key) && PropagateAtLaunch !== false && !isOwnTag(Key)
        ? [[Key, typeof Value === 'string' ? Value : '']]
        : [],
    ),
  )

/** Returns true for tags that Kerf, AWS or eksctl sets itself. */
export const isOwnTag = (tag: string): boolean =>
  /^(aws:|eks:|kubernetes\.io\/cluster\/|karpenter\.sh\/|karpenter\.k8s\.aws\/|eksctl\.|alpha\.eksctl\.io\/)/.test(
    tag,
  ) || tag === 'Name'

/** Returns how the migration handles each tag of a node group. */
export const tagConversions = (
  object: string,
  tags: Readonly<Record<string, string>>,
  wrong: readonly { readonly tag: string; readonly because: string }[],
): readonly FieldConversion[] =>
  Object.entries(tags).map(([tag, value]) => {
    const bad = wrong.find((each) => each.tag === tag)
    if (bad !== undefined) return fieldConversion(object, `tag ${tag}`, { because: bad.because })
    return fieldConversion(object, `tag ${tag}`, tagRule(tag, value))
  })

const tagRule = (tag: string, value: string): FieldRule => {
  const [, kind, name = ''] = /^k8s\.io\/cluster-autoscaler\/node-template\/([^/]+)\/(.*)$/s.exec(tag) ?? []
  switch (kind) {
    case 'label':
      return { to: 'NodePool spec.template.metadata.labels' }
    case 'taint':
      return isStartupTaint(name)
        ? { to: 'NodePool spec.template.spec.startupTaints' }
        : { to: 'NodePool spec.template.spec.taints' }
    case 'resources':
      return { because: 'the instance type says which resources its nodes have; a device plugin adds its own' }
    case 'autoscaling-options':
      return optionRule(name, value)
  }
  if (tag.startsWith('k8s.io/cluster-autoscaler/'))
    return { because: 'only tells Cluster Autoscaler that the group is its own' }
  if (isOwnTag(tag)) return { because: 'Kerf and AWS set the tags of this prefix themselves' }
  return { to: 'EC2NodeClass spec.tags' }
}
