import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  type CustomResource,
  object,
  oneOf,
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
      yesNo({ description: 'Whether instances get a public IPv4 address. Absent: as the subnet says.' }),
    ),
    ipPrefixCount: optional(
      whole({
        description:
          'How many IP prefixes each network interface gets at launch: IPv6 ones on IPv6 clusters, IPv4 ones otherwise. A change does not drift nodes.',
        format: 'int32',
        minimum: 0,
      }),
    ),
    amiSelectorTerms: amiSelectorTerms(),
    amiFamily: optional(
      oneOf([...aliasFamilies, 'Custom'], {
        description:
          'How nodes are started: which user data, volumes and defaults they get. Absent: the family of the alias. Custom: user data as it stands, nothing added.',
      }),
    ),
    userData: optional(
      text({
        description:
          'What the instance runs at its start, merged with what joins it to the cluster. AL2: MIME or shell script; AL2023: MIME, NodeConfig in YAML or shell script; Bottlerocket: TOML; Windows: PowerShell; Custom: anything, used as it is.',
      }),
    ),
    role: optional(
      text({
        description: 'The IAM role of the nodes; an instance profile is made for it. Either this or instanceProfile.',
        rules: [{ rule: "self != ''", message: '"role" may not be empty' }],
      }),
    ),
    instanceProfile: optional(
      text({
        description: 'The instance profile of the nodes, kept by you. Either this or role.',
        rules: [{ rule: "self != ''", message: '"instanceProfile" may not be empty' }],
      }),
    ),
    tags: ec2Tags(),
    kubelet: optional(
      openObject({
        description:
          'Configuration of the kubelet, as in its KubeletConfiguration. Any field with AL2023; with the other families clusterDNS, maxPods, podsPerCore, systemReserved, kubeReserved, evictionHard, evictionSoft, evictionSoftGracePeriod, evictionMaxPodGracePeriod, imageGCHighThresholdPercent, imageGCLowThresholdPercent and cpuCFSQuota. Checked by the controller: see the condition ValidationSucceeded.',
      }),
    ),
    blockDeviceMappings: blockDeviceMappings(),
    instanceStorePolicy: optional(
      oneOf(['RAID0'], {
        description:
          'What happens to instance store disks. RAID0: striped into one that holds pods and images; its size is the ephemeral storage of the node. Absent: left alone.',
      }),
    ),
    networkInterfaces: networkInterfaces(),
    detailedMonitoring: optional(
      yesNo({ description: 'Whether instances report to CloudWatch every minute, at a price. Absent: no.' }),
    ),
    metadataOptions: metadataOptions(),
    connectionTracking: connectionTracking(),
    context: optional(text({ description: 'Passed to CreateFleet as its Context; reserved by EC2.' })),
    cpuOptions: cpuOptions(),
  },
  {
    description: 'What the instances are launched with.',
    rules: [
      {
        rule: 'has(self.role) != has(self.instanceProfile)',
        message: 'exactly one of "role" and "instanceProfile" is needed',
      },
      ...aliasFamilies.map(familyFitsAlias),
      {
        rule: 'has(self.amiFamily) || self.amiSelectorTerms.exists(x, has(x.alias))',
        message: '"amiFamily" is needed unless a term of "amiSelectorTerms" has an alias',
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
    'An EC2NodeClass says how EC2 instances are launched: images, subnets, security groups, role, volumes, user data, tags.',
  printerColumns: [readyColumn, ageColumn, { name: 'Role', type: 'string', jsonPath: '.spec.role', priority: 1 }],
  spec: ec2NodeClassSpec,
  specRequired: true,
  status: ec2NodeClassStatus,
}

/** The address of EC2NodeClass in the API. */
export const ec2NodeClassKind = ec2NodeClassResource.kind
