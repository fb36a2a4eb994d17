import { ownValue, plainText } from '@kerf/apis'
import type { FieldConversion, InstanceAttributes } from '@kerf/provider-contract'
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
import { type FieldRules, fieldConversions, present, stateFields } from '@kerf/provider-kit/migration'
import { type BlockDevice, type LaunchSettings, lastPart, type TemplateRef } from './aws-group.ts'
import { readInstanceRequirements } from './instance-attributes.ts'
import { isOwnTag } from './read-asg.ts'

/** The fields of a launch template version that a migration needs. */
export interface ReadTemplate {
  readonly id?: string
  readonly name?: string
  readonly version: number
  readonly isDefault: boolean
  readonly instanceType?: string
  /** The attributes by which EC2 chooses instance types if the template lists none. */
  readonly attributes?: InstanceAttributes
  readonly isSpot: boolean
  readonly settings: LaunchSettings
  readonly conversions: readonly FieldConversion[]
  readonly at: string
}

const FOREIGN = 'an EC2NodeClass has no such field'

const dataRules: FieldRules = {
  ImageId: { to: 'EC2NodeClass spec.amiSelectorTerms' },
  InstanceType: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  UserData: {
    to: 'EC2NodeClass spec.userData',
    because: 'Kerf adds the commands that join the node to the cluster; remove them from the script',
  },
  IamInstanceProfile: { to: 'EC2NodeClass spec.role or spec.instanceProfile' },
  SecurityGroupIds: { to: 'EC2NodeClass spec.securityGroupSelectorTerms' },
  SecurityGroups: { because: 'groups by name are of EC2 classic networks; name them by id' },
  NetworkInterfaces: {
    to: 'EC2NodeClass spec.securityGroupSelectorTerms, spec.associatePublicIPAddress',
    because: 'of the first interface its groups and public address',
  },
  BlockDeviceMappings: { to: 'EC2NodeClass spec.blockDeviceMappings' },
  MetadataOptions: { to: 'EC2NodeClass spec.metadataOptions' },
  TagSpecifications: { to: 'EC2NodeClass spec.tags', because: 'one set of tags for instances, volumes and interfaces' },
  Monitoring: { to: 'EC2NodeClass spec.detailedMonitoring' },
  InstanceMarketOptions: { to: 'NodePool requirement karpenter.sh/capacity-type' },
  CpuOptions: { to: 'EC2NodeClass spec.cpuOptions', because: 'write it yourself where the types differ' },
  CapacityReservationSpecification: { to: 'EC2NodeClass spec.capacityReservationSelectorTerms' },
  Placement: { to: 'EC2NodeClass spec.placementGroupSelector', because: 'of its fields GroupName alone' },
  InstanceRequirements: { to: 'NodePool requirements', because: 'see its parts' },
  EbsOptimized: (value) =>
    value === true ? { because: 'current types are optimized for EBS by themselves' } : undefined,
  KeyName: { because: `${FOREIGN}; use Session Manager, or put the key into user data` },
  InstanceInitiatedShutdownBehavior: { because: 'Kerf terminates instances' },
  DisableApiTermination: (value) =>
    value === true ? { because: 'Kerf terminates instances, so they cannot be protected from it' } : undefined,
  DisableApiStop: (value) => (value === true ? { because: FOREIGN } : undefined),
  HibernationOptions: { because: FOREIGN },
  EnclaveOptions: { because: FOREIGN },
  ElasticGpuSpecifications: { because: 'EC2 has ended elastic GPUs' },
  ElasticInferenceAccelerators: { because: 'EC2 has ended elastic inference' },
  CreditSpecification: { because: FOREIGN },
  LicenseSpecifications: { because: FOREIGN },
  KernelId: { because: FOREIGN },
  RamDiskId: { because: FOREIGN },
  PrivateDnsNameOptions: { because: `${FOREIGN}; the subnet says it` },
  MaintenanceOptions: { because: FOREIGN },
  NetworkPerformanceOptions: { because: FOREIGN },
}

const headRules: FieldRules = {
  ...stateFields(`
    LaunchTemplateId LaunchTemplateName VersionNumber VersionDescription CreateTime CreatedBy DefaultVersion
    Operator`),
  LaunchTemplateData: { to: 'EC2NodeClass', because: 'see its parts' },
}

const readBlockDevice = (value: Loose): readonly BlockDevice[] => {
  const deviceName = asText(value['DeviceName'])
  const ebs = value['Ebs']
  if (deviceName === undefined || !isLoose(ebs)) return []
  const of = <T>(key: string, read: (value: unknown) => T | undefined, name: string) => {
    const found = read(ownValue(ebs, key))
    return found === undefined ? {} : { [name]: found }
  }
  const flag = (each: unknown) => (typeof each === 'boolean' ? each : undefined)
  return [
    {
      deviceName,
      ...of('VolumeSize', asPositive, 'sizeGiB'),
      ...of('VolumeType', asText, 'volumeType'),
      ...of('Iops', asPositive, 'iops'),
      ...of('Throughput', asPositive, 'throughput'),
      ...of('Encrypted', flag, 'encrypted'),
      ...of('KmsKeyId', asText, 'kmsKeyId'),
      ...of('SnapshotId', asText, 'snapshotId'),
      ...of('DeleteOnTermination', flag, 'deleteOnTermination'),
    },
  ]
}

const decoded = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Exports, including those of Terraform, contain base64. If the text changes when it is decoded and encoded again, it is a plain script.
  return bytes.toString('base64').replace(/=+$/, '') === text.replaceAll(/\s/g, '').replace(/=+$/, '')
    ? bytes.toString('utf8')
    : text
}

const readMetadata = (value: unknown): LaunchSettings['metadataOptions'] => {
  if (!isLoose(value)) return undefined
  const names = {
    HttpEndpoint: 'httpEndpoint',
    HttpProtocolIpv6: 'httpProtocolIPv6',
    HttpPutResponseHopLimit: 'httpPutResponseHopLimit',
    HttpTokens: 'httpTokens',
  }
  const found = Object.entries(names).flatMap(([from, to]) => {
    const each = ownValue(value, from)
    return asText(each) !== undefined || asPositive(each) !== undefined ? [[to, each as string | number] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

const instanceTags = (specifications: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    asObjects(specifications)
      .flatMap(({ Tags }) => asObjects(Tags))
      .flatMap(({ Key, Value }) => (typeof Key === 'string' && !isOwnTag(Key) ? [[Key, plainText(Value ?? '')]] : [])),
  )

/** Reads one entry of `LaunchTemplateVersions` from `aws ec2 describe-launch-template-versions`. */
export const readLaunchTemplate = (source: Loose, at: string): ReadTemplate => {
  const data = source['LaunchTemplateData']
  const read: Loose = isLoose(data) ? data : {}
  const id = asText(source['LaunchTemplateId'])
  const name = asText(source['LaunchTemplateName'])
  const version = asNumber(source['VersionNumber']) ?? 0
  const object = `launch template ${name ?? id ?? ''} version ${version}`
  const [network] = asObjects(read['NetworkInterfaces'])
  const profile = looseAt(read, 'IamInstanceProfile', 'Name') ?? looseAt(read, 'IamInstanceProfile', 'Arn')
  const securityGroupIds = [...asTexts(read['SecurityGroupIds']), ...asTexts(network?.['Groups'])]
  const blockDevices = asObjects(read['BlockDeviceMappings']).flatMap(readBlockDevice)
  const reservation = looseAt(
    read,
    ...['CapacityReservationSpecification', 'CapacityReservationTarget', 'CapacityReservationId'],
  )
  const chosen = isLoose(read['InstanceRequirements'])
    ? readInstanceRequirements(read['InstanceRequirements'], object, 'LaunchTemplateData.InstanceRequirements')
    : undefined
  const publicIp = network?.['AssociatePublicIpAddress']
  return {
    ...present({ id, name, instanceType: asText(read['InstanceType']), attributes: chosen?.attributes }),
    version,
    isDefault: source['DefaultVersion'] === true,
    isSpot: looseAt(read, 'InstanceMarketOptions', 'MarketType') === 'spot',
    at,
    settings: present({
      tags: instanceTags(read['TagSpecifications']),
      imageId: asText(read['ImageId']),
      userData: decoded(asText(read['UserData'])),
      instanceProfile: typeof profile === 'string' ? lastPart(profile) : undefined,
      securityGroupIds: securityGroupIds.length === 0 ? undefined : securityGroupIds,
      blockDevices: blockDevices.length === 0 ? undefined : blockDevices,
      metadataOptions: readMetadata(read['MetadataOptions']),
      detailedMonitoring: looseAt(read, 'Monitoring', 'Enabled') === true || undefined,
      associatePublicIp: typeof publicIp === 'boolean' ? publicIp : undefined,
      capacityReservationId: asText(reservation),
      placementGroup: asText(looseAt(read, 'Placement', 'GroupName')),
    }),
    conversions: [
      ...fieldConversions(object, source, headRules),
      ...fieldConversions(object, read, dataRules, 'LaunchTemplateData.'),
      ...(chosen?.conversions ?? []),
    ],
  }
}

/** Returns the template version that a node group refers to. Returns undefined if no file contains it. */
export const templateFor = (ref: TemplateRef, templates: readonly ReadTemplate[]): ReadTemplate | undefined => {
  const versions = templates.filter(
    ({ id, name }) =>
      (ref.id !== undefined && id === ref.id) || (ref.id === undefined && ref.name !== undefined && name === ref.name),
  )
  const named =
    versions.length > 0 ? versions : templates.filter(({ name }) => ref.name !== undefined && name === ref.name)
  switch (ref.version) {
    case '$Latest':
      return named.toSorted((a, b) => b.version - a.version)[0]
    case '$Default':
      return named.find(({ isDefault }) => isDefault) ?? (named.length === 1 ? named[0] : undefined)
    default:
      return named.find(({ version }) => String(version) === ref.version)
  }
}
