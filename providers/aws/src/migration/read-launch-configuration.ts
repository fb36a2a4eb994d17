import { asObjects, asText, asTexts, isLoose, type Loose } from '@kerf/provider-kit/documents'
import { type FieldRules, fieldConversion, fieldConversions, present, stateFields } from '@kerf/provider-kit/migration'
import { configurationId } from './aws-group.ts'
import { type ReadTemplate, readLaunchTemplate } from './read-launch-template.ts'

const FOREIGN = 'an EC2NodeClass has no such field'

const rules: FieldRules = {
  ...stateFields('LaunchConfigurationName LaunchConfigurationARN CreatedTime'),
  ImageId: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  InstanceType: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  InstanceId: { because: 'it only says which instance the settings were taken from' },
  UserData: {
    to: 'EC2NodeClass spec.userData',
    because: 'Kerf adds the commands that join the node to the cluster; remove them from the script',
  },
  IamInstanceProfile: { to: 'EC2NodeClass spec.role or spec.instanceProfile' },
  SecurityGroups: { to: 'EC2NodeClass spec.securityGroupSelectorTerms' },
  AssociatePublicIpAddress: { to: 'EC2NodeClass spec.associatePublicIPAddress' },
  BlockDeviceMappings: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  MetadataOptions: { to: 'EC2NodeClass spec.metadataOptions' },
  InstanceMonitoring: (value) =>
    isLoose(value) && value['Enabled'] === false ? undefined : { to: 'EC2NodeClass spec.detailedMonitoring' },
  SpotPrice: {
    to: 'NodePool requirement karpenter.sh/capacity-type',
    because: 'spot never costs more than on-demand, and the cheapest offering is taken',
  },
  EbsOptimized: (value) =>
    value === true ? { because: 'current types are optimized for EBS by themselves' } : undefined,
  KeyName: { because: `${FOREIGN}; use Session Manager, or put the key into user data` },
  PlacementTenancy: (value) => (value === 'default' ? undefined : { because: FOREIGN }),
  KernelId: { because: FOREIGN },
  RamdiskId: { because: FOREIGN },
  ClassicLinkVPCId: { because: 'EC2 has ended EC2-Classic' },
  ClassicLinkVPCSecurityGroups: { because: 'EC2 has ended EC2-Classic' },
  RootBlockDevice: {
    to: 'EC2NodeClass spec.blockDeviceMappings',
    because:
      'Terraform does not say which device it is, so /dev/xvda is taken: images other than Amazon’s have /dev/sda1',
  },
}

/** Root device of Amazon's images. Terraform's state does not contain it. */
const ROOT_DEVICE = '/dev/xvda'

/** Matches the SHA-1 hash that Terraform's state contains instead of the user data. */
const HASH = /^[0-9a-f]{40}$/

const blockDevice = (block: Loose, name: string): Loose => ({
  DeviceName: name,
  Ebs: {
    VolumeSize: block['volume_size'],
    VolumeType: block['volume_type'],
    Iops: block['iops'],
    Throughput: block['throughput'],
    Encrypted: block['encrypted'],
    SnapshotId: block['snapshot_id'],
    DeleteOnTermination: block['delete_on_termination'],
  },
})

/** Converts `aws_launch_configuration` of Terraform's state to the form of the AWS API. */
export const launchConfiguration = (values: Loose): Loose => {
  const [metadata] = asObjects(values['metadata_options'])
  const devices = [
    ...asObjects(values['root_block_device']).map((block) => blockDevice(block, ROOT_DEVICE)),
    ...asObjects(values['ebs_block_device']).map((block) => blockDevice(block, asText(block['device_name']) ?? '')),
    ...asObjects(values['ephemeral_block_device']).map((block) => ({
      DeviceName: block['device_name'],
      VirtualName: block['virtual_name'],
    })),
  ]
  return present({
    LaunchConfigurationName: values['name'] ?? values['id'],
    ImageId: values['image_id'],
    InstanceType: values['instance_type'],
    UserData: asText(values['user_data_base64']) ?? values['user_data'],
    IamInstanceProfile: values['iam_instance_profile'],
    SecurityGroups: values['security_groups'],
    AssociatePublicIpAddress: values['associate_public_ip_address'],
    KeyName: values['key_name'],
    SpotPrice: values['spot_price'],
    EbsOptimized: values['ebs_optimized'],
    PlacementTenancy: values['placement_tenancy'],
    InstanceMonitoring: { Enabled: values['enable_monitoring'] === true },
    ...(devices.length === 0 ? {} : { BlockDeviceMappings: devices }),
    ...(asObjects(values['root_block_device']).length === 0 ? {} : { RootBlockDevice: true }),
    ...(metadata === undefined
      ? {}
      : {
          MetadataOptions: present({
            HttpEndpoint: metadata['http_endpoint'],
            HttpTokens: metadata['http_tokens'],
            HttpPutResponseHopLimit: metadata['http_put_response_hop_limit'],
          }),
        }),
  })
}

/** Returns the settings in the form of a launch template version. */
const templateData = (source: Loose, userData: string | undefined): Loose => {
  const groups = asTexts(source['SecurityGroups'])
  const publicIp = source['AssociatePublicIpAddress']
  const ids = groups.filter((group) => group.startsWith('sg-'))
  return present({
    ImageId: source['ImageId'],
    InstanceType: source['InstanceType'],
    UserData: userData,
    IamInstanceProfile:
      asText(source['IamInstanceProfile']) === undefined ? undefined : { Name: source['IamInstanceProfile'] },
    ...(typeof publicIp === 'boolean'
      ? { NetworkInterfaces: [{ Groups: ids, AssociatePublicIpAddress: publicIp }] }
      : { SecurityGroupIds: ids }),
    BlockDeviceMappings: source['BlockDeviceMappings'],
    MetadataOptions: source['MetadataOptions'],
    Monitoring: source['InstanceMonitoring'],
    InstanceMarketOptions: asText(source['SpotPrice']) === undefined ? undefined : { MarketType: 'spot' },
  })
}

/** Reads one entry of `LaunchConfigurations` from `aws autoscaling describe-launch-configurations`. */
export const readLaunchConfiguration = (source: Loose, at: string): ReadTemplate => {
  const name = asText(source['LaunchConfigurationName']) ?? ''
  const object = configurationId(name)
  const script = asText(source['UserData'])
  const isHash = script !== undefined && HASH.test(script)
  const template = readLaunchTemplate(
    {
      ...{ LaunchTemplateId: object, VersionNumber: 1, DefaultVersion: true },
      LaunchTemplateData: templateData(source, isHash ? undefined : script),
    },
    at,
  )
  const { UserData: _, ...withoutScript } = source
  const classic = asTexts(source['SecurityGroups']).filter((group) => !group.startsWith('sg-'))
  return {
    ...template,
    conversions: [
      ...fieldConversions(object, isHash ? withoutScript : source, rules),
      ...(isHash
        ? [
            fieldConversion(object, 'UserData', {
              because:
                'Terraform’s state has only a hash of it: put the script into EC2NodeClass spec.userData, without what joins the node to the cluster',
            }),
          ]
        : []),
      ...classic.map((group) =>
        fieldConversion(object, `SecurityGroups ${group}`, {
          because: 'groups by name are of EC2 classic networks; name them by id',
        }),
      ),
      ...asObjects(source['BlockDeviceMappings']).flatMap(({ VirtualName, DeviceName }) =>
        asText(VirtualName) === undefined
          ? []
          : [
              fieldConversion(object, `BlockDeviceMappings ${String(DeviceName)}`, {
                to: 'EC2NodeClass spec.instanceStorePolicy',
                because: 'instance stores are there by the type; say RAID0 if the node is to use them',
              }),
            ],
      ),
    ],
  }
}
