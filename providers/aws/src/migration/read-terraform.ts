import { ownValue, setOwnValue } from '@kerf/apis'
import { asList, asObjects, isLoose, type Loose } from '@kerf/provider-kit/documents'
import { words } from '@kerf/provider-kit/migration'

/** Converts a field name such as `vpc_zone_identifier` to the form of the API, `VpcZoneIdentifier`. */
const pascal = (name: string): string =>
  name
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')

const camel = (name: string): string => {
  const text = pascal(name)
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** Fields whose API name `pascal` cannot derive. */
const NAMES: Readonly<Record<string, string>> = {
  vpc_zone_identifier: 'VPCZoneIdentifier',
  desired_capacity: 'DesiredCapacity',
  target_group_arns: 'TargetGroupARNs',
  load_balancers: 'LoadBalancerNames',
  launch_configuration: 'LaunchConfigurationName',
  service_linked_role_arn: 'ServiceLinkedRoleARN',
  protect_from_scale_in: 'NewInstancesProtectedFromScaleIn',
  warm_pool: 'WarmPoolConfiguration',
  initial_lifecycle_hook: 'LifecycleHooks',
  vpc_security_group_ids: 'SecurityGroupIds',
  security_group_names: 'SecurityGroups',
  ram_disk_id: 'RamDiskId',
  security_groups: 'Groups',
  associate_public_ip_address: 'AssociatePublicIpAddress',
  override: 'Overrides',
  http_protocol_ipv6: 'HttpProtocolIpv6',
  spot_options: 'SpotOptions',
}

/** Fields that are lists in the API too. In Terraform's state, every other block is a list with a single entry. */
const LISTS: ReadonlySet<string> = new Set(
  words(`
  block_device_mappings network_interfaces tag_specifications override tag tags taint initial_lifecycle_hook`),
)

const flags: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Converts booleans that Terraform stores as strings. */
const plainValue = (value: unknown): unknown => (typeof value === 'string' ? (ownValue(flags, value) ?? value) : value)

const asApi = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) {
    if (value.every((each) => !isLoose(each))) return value
    const items = value.map((each) => asApi(each))
    return LISTS.has(name) ? items : items[0]
  }
  if (!isLoose(value)) return plainValue(value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== '' && !(Array.isArray(each) && each.length === 0))
      .map(([key, each]) => [ownValue(NAMES, key) ?? pascal(key), asApi(each, key)]),
  )
}

const without = (source: Loose, ...names: readonly string[]): Loose =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)))

/** Fields that only Terraform uses, such as timeouts and options of the resource. */
const OWN = words(`
  Id Arn NamePrefix ForceDelete ForceDeleteWarmPool WaitForCapacityTimeout WaitForElbCapacity MinElbCapacity
  IgnoreFailedScalingActivities MetricsGranularity TagsAll Timeouts UpdateDefaultVersion Region PredictedCapacity`)

/** Converts `aws_autoscaling_group` to an entry of `AutoScalingGroups` of the API. */
export const scalingGroup = (values: Loose): Loose => {
  const api = asApi(without(values, 'tag', 'tags', 'vpc_zone_identifier', 'metrics_granularity'))
  const tags = [...asObjects(values['tag']), ...asObjects(values['tags'])]
  const subnets = asList(values['vpc_zone_identifier']).join(',')
  const template = asObjects(values['launch_template'])[0]
  const policy = asObjects(values['mixed_instances_policy'])[0]
  const specification = (each: unknown) => {
    const found = isLoose(each) ? each : asObjects(each)[0]
    return found === undefined
      ? undefined
      : {
          LaunchTemplateId: found['id'] ?? found['launch_template_id'],
          LaunchTemplateName: found['name'] ?? found['launch_template_name'],
          Version: found['version'],
        }
  }
  const part = asObjects(policy?.['launch_template'])[0]
  return {
    ...without(isLoose(api) ? api : {}, ...OWN, 'Name', 'LaunchTemplate', 'MixedInstancesPolicy'),
    AutoScalingGroupName: values['name'],
    ...(subnets === '' ? {} : { VPCZoneIdentifier: subnets }),
    Tags: tags.map(({ key, value, propagate_at_launch: propagate }) => ({
      Key: key,
      Value: value,
      PropagateAtLaunch: propagate,
    })),
    ...(template === undefined ? {} : { LaunchTemplate: specification(template) }),
    ...(policy === undefined
      ? {}
      : {
          MixedInstancesPolicy: {
            InstancesDistribution: asApi(asObjects(policy['instances_distribution'])[0] ?? {}),
            LaunchTemplate: {
              LaunchTemplateSpecification: specification(part?.['launch_template_specification']),
              Overrides: asApi(part?.['override'] ?? [], 'override'),
            },
          },
        }),
  }
}

const DATA_OWN = [...OWN, 'Name', 'LatestVersion', 'DefaultVersion', 'Description', 'Tags']

/** Converts `aws_launch_template` to an entry of `LaunchTemplateVersions` of the API. */
export const launchTemplate = (values: Loose): Loose => {
  const api = asApi(values)
  return {
    LaunchTemplateId: values['id'],
    LaunchTemplateName: values['name'],
    VersionNumber: values['latest_version'],
    DefaultVersion: values['default_version'] === values['latest_version'],
    LaunchTemplateData: without(isLoose(api) ? api : {}, ...DATA_OWN),
  }
}

/** Converts `aws_eks_node_group` to the `nodegroup` of the API. */
export const managedGroup = (values: Loose): Loose => {
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(
    without(values, 'id', 'arn', 'tags_all', 'timeouts', 'force_update_version', 'node_group_name_prefix', 'region'),
  )) {
    const block = asObjects(value)[0]
    switch (key) {
      case 'node_group_name':
        renamed['nodegroupName'] = value
        break
      case 'node_role_arn':
        renamed['nodeRole'] = value
        break
      case 'subnet_ids':
        renamed['subnets'] = value
        break
      case 'taint':
        renamed['taints'] = value
        break
      case 'resources':
        renamed['resources'] = { autoScalingGroups: block?.['autoscaling_groups'] }
        break
      default:
        setOwnValue(
          renamed,
          camel(key),
          block === undefined || !Array.isArray(value)
            ? value
            : Object.fromEntries(Object.entries(block).map(([name, each]) => [camel(name), each])),
        )
    }
  }
  return renamed
}
