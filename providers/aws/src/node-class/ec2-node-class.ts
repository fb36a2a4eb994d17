import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  type CustomResource,
  enumField,
  object,
  openObject,
  optional,
  type Rule,
  readyColumn,
  type Shape,
  text,
  whole,
  yesNo,
} from '@kerf/apis/schema'
import {
  blockDeviceMappings,
  connectionTracking,
  cpuOptions,
  ec2Tags,
  metadataOptions,
  networkInterfaces,
  placementGroupSelector,
} from './ec2-launch-fields.ts'
import { ec2NodeClassStatus } from './ec2-node-class-status.ts'
import {
  aliasFamilies,
  amiSelectorTerms,
  capacityReservationSelectorTerms,
  securityGroupSelectorTerms,
  subnetSelectorTerms,
} from './ec2-selector-terms.ts'

const familyFitsAlias = (family: string): Rule => ({
  rule: `!has(self.amiFamily) || self.amiFamily in ['${family}', 'Custom'] || !self.amiSelectorTerms.exists(x, has(x.alias) && x.alias.find('^[^@]+') == '${family.toLowerCase()}')`,
  message: `with an alias of ${family.toLowerCase()}, "amiFamily" is "${family}" or "Custom", or absent`,
})

const ec2NodeClassSpec = object(
  {
    subnetSelectorTerms: subnetSelectorTerms(),
    securityGroupSelectorTerms: securityGroupSelectorTerms(),
    capacityReservationSelectorTerms: capacityReservationSelectorTerms(),
    placementGroupSelector: placementGroupSelector(),
    associatePublicIPAddress: optional(
      yesNo({ description: 'Whether instances get a public IPv4 address. Absent: the setting of the subnet.' }),
    ),
    ipPrefixCount: optional(
      whole({
        description:
          'Number of IP prefixes of each network interface at launch: IPv6 prefixes in IPv6 clusters, otherwise IPv4. A change does not drift nodes.',
        format: 'int32',
        minimum: 0,
      }),
    ),
    amiSelectorTerms: amiSelectorTerms(),
    amiFamily: optional(
      enumField([...aliasFamilies, 'Custom'], {
        description:
          'The image family, which determines user data, volumes and defaults. Absent: the family of the alias. Custom: the user data is used unchanged.',
      }),
    ),
    userData: optional(
      text({
        description:
          'User data of the instance, merged with the user data that joins it to the cluster. AL2: MIME or shell script; AL2023: MIME, NodeConfig in YAML or shell script; Bottlerocket: TOML; Windows: PowerShell; Custom: any format, used unchanged.',
      }),
    ),
    role: optional(
      text({
        description:
          'The IAM role of the nodes; Kerf creates an instance profile for it. Set either this or instanceProfile.',
        rules: [{ rule: "self != ''", message: '"role" may not be empty' }],
      }),
    ),
    instanceProfile: optional(
      text({
        description: 'The instance profile of the nodes, managed by you. Set either this or role.',
        rules: [{ rule: "self != ''", message: '"instanceProfile" may not be empty' }],
      }),
    ),
    tags: ec2Tags(),
    kubelet: optional(
      openObject({
        description:
          'Configuration of the kubelet, as in its KubeletConfiguration. All fields with AL2023; with other families only clusterDNS, maxPods, podsPerCore, systemReserved, kubeReserved, evictionHard, evictionSoft, evictionSoftGracePeriod, evictionMaxPodGracePeriod, imageGCHighThresholdPercent, imageGCLowThresholdPercent and cpuCFSQuota. The controller validates it: see the ValidationSucceeded condition.',
      }),
    ),
    blockDeviceMappings: blockDeviceMappings(),
    instanceStorePolicy: optional(
      enumField(['RAID0'], {
        description:
          'Use of instance store disks. RAID0: combined into one volume for pods and images, whose size is the ephemeral storage of the node. Absent: not used.',
      }),
    ),
    networkInterfaces: networkInterfaces(),
    detailedMonitoring: optional(
      yesNo({
        description: 'Whether detailed CloudWatch monitoring (every minute, at extra cost) is enabled. Default: false.',
      }),
    ),
    metadataOptions: metadataOptions(),
    connectionTracking: connectionTracking(),
    context: optional(text({ description: 'Passed to CreateFleet as its Context; reserved by EC2.' })),
    cpuOptions: cpuOptions(),
  },
  {
    description: 'Launch configuration of the instances.',
    rules: [
      {
        rule: 'has(self.role) != has(self.instanceProfile)',
        message: 'exactly one of "role" and "instanceProfile" is required',
      },
      ...aliasFamilies.map(familyFitsAlias),
      {
        rule: 'has(self.amiFamily) || self.amiSelectorTerms.exists(x, has(x.alias))',
        message: '"amiFamily" is required unless a term of "amiSelectorTerms" has an alias',
      },
    ],
  },
)

export interface EC2NodeClassSpec extends Shape<typeof ec2NodeClassSpec> {}
export interface EC2NodeClassStatus extends Shape<typeof ec2NodeClassStatus> {}

/** The node class of EC2 instances (`providers/aws/docs/spec/aws-node-class.md`). */
export interface EC2NodeClass extends KubeObject {
  readonly spec: EC2NodeClassSpec
  readonly status?: EC2NodeClassStatus
}

export const ec2NodeClassResource: CustomResource<EC2NodeClass> = {
  kind: {
    group: 'karpenter.k8s.aws',
    version: 'v1',
    kind: 'EC2NodeClass',
    plural: 'ec2nodeclasses',
    namespaced: false,
  },
  singular: 'ec2nodeclass',
  shortNames: ['ec2nc', 'ec2ncs'],
  categories: ['karpenter'],
  description:
    'An EC2NodeClass defines how EC2 instances are launched: images, subnets, security groups, role, volumes, user data, tags.',
  printerColumns: [readyColumn, ageColumn, { name: 'Role', type: 'string', jsonPath: '.spec.role', priority: 1 }],
  spec: ec2NodeClassSpec,
  specRequired: true,
  status: ec2NodeClassStatus,
}

/** The API group, version and kind of EC2NodeClass. */
export const ec2NodeClassKind = ec2NodeClassResource.kind
