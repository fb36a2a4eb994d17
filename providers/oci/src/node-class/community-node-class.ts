import type { KubeObject } from '@kerf/apis'
import {
  anyText,
  type CustomResource,
  enumField,
  listField,
  mapField,
  object,
  optional,
  type Rule,
  type Shape,
  text,
  whole,
  yesNo,
} from '@kerf/apis/schema'
import { COMMUNITY_GROUP } from '../names.ts'
import { communityStatus } from './community-status.ts'
import { communityTagFields } from './community-tag-fields.ts'
import { communityKubelet } from './kubelet-fields.ts'

const hasIdOrName = (field: string): Rule => ({
  rule: 'self.all(x, has(x.id) || has(x.name))',
  message: `each entry of "${field}" needs "id" or "name"`,
})

/** The rule of the public provider. It rejects a list only if every entry has both fields. Therefore it also rejects an empty list. */
const notAllBoth = (field: string): Rule => ({
  rule: '!self.all(x, has(x.id) && has(x.name))',
  message: `"${field}" needs at least one entry with only one of "id" and "name"`,
})

const selector = (what: string) =>
  object(
    {
      id: optional(text({ description: `The OCID of the ${what}.` })),
      name: optional(text({ description: `The display name of the ${what}.` })),
    },
    { description: 'Selects by OCID or by name.' },
  )

const image = object(
  {
    id: optional(text({ description: 'The OCID of the image.', pattern: 'ocid1.image.[0-9a-z]+' })),
    name: optional(text({ description: 'The display name of the image.' })),
    compartmentId: optional(
      text({
        description: 'The OCID of the compartment of an image that is selected by name. Absent: that of the settings.',
      }),
    ),
  },
  { description: 'Selects an image by OCID or by name.' },
)

const VOLUME_TYPES = ['ISCSI', 'SCSI', 'IDE', 'VFIO', 'PARAVIRTUALIZED'] as const

const launchOptions = object(
  {
    bootVolumeType: optional(enumField(VOLUME_TYPES, { description: 'How the boot volume is attached.' })),
    firmware: optional(enumField(['BIOS', 'UEFI_64'], { description: 'The firmware of the virtual machine.' })),
    networkType: optional(
      enumField(['E1000', 'VFIO', 'PARAVIRTUALIZED'], { description: 'How the network interface is emulated.' }),
    ),
    remoteDataVolumeType: optional(enumField(VOLUME_TYPES, { description: 'How block volumes are attached.' })),
    isConsistentVolumeNamingEnabled: optional(
      yesNo({ description: 'Whether block volumes have consistent device names. Absent: no.' }),
    ),
  },
  { description: 'Options of the virtual machine. If an option is absent, the image decides.' },
)

const spec = object(
  {
    vcnId: text({ description: 'The OCID of the network in which subnets and security groups are selected by name.' }),
    imageSelector: listField(image, {
      description: 'The images. Entries are alternatives.',
      listType: 'atomic',
      minItems: 1,
      maxItems: 30,
      rules: [
        hasIdOrName('imageSelector'),
        {
          rule: '!self.exists(x, has(x.id) && has(x.name))',
          message: 'an entry of "imageSelector" must not have both "id" and "name"',
        },
      ],
    }),
    subnetSelector: listField(selector('subnet'), {
      description: 'The subnets. A launch uses the subnet with the most free addresses.',
      listType: 'atomic',
      maxItems: 30,
      rules: [
        { rule: 'self.size() != 0', message: '"subnetSelector" must not be empty' },
        hasIdOrName('subnetSelector'),
        notAllBoth('subnetSelector'),
      ],
    }),
    securityGroupSelector: listField(selector('network security group'), {
      description: 'The network security groups of each instance.',
      listType: 'atomic',
      maxItems: 30,
      rules: [hasIdOrName('securityGroupSelector'), notAllBoth('securityGroupSelector')],
    }),
    userData: optional(
      text({
        description:
          'A script or a MIME document that runs before the node joins. For the image family Custom, it is the whole user data.',
      }),
    ),
    preInstallScript: optional(
      text({ description: 'A script that installs the kubelet. Only the image family Ubuntu2204 uses it.' }),
    ),
    metaData: optional(
      mapField(anyText(), { description: 'Metadata of the instances. The key user_data is overwritten.' }),
    ),
    imageFamily: text({
      description:
        'How instances join the cluster: OracleOKELinux, Ubuntu2204 or Custom. Any other text means OracleOKELinux.',
    }),
    ...communityTagFields(),
    kubelet: communityKubelet(),
    bootConfig: object(
      {
        bootVolumeSizeInGBs: whole({ description: 'The size of the boot volume in GB.', format: 'int64' }),
        bootVolumeVpusPerGB: whole({
          description: 'The performance of the boot volume in VPU per GB.',
          format: 'int64',
        }),
      },
      { description: 'The boot volume.' },
    ),
    launchOptions: optional(launchOptions),
    blockDevices: optional(
      listField(
        object(
          {
            sizeInGBs: whole({ description: 'The size in GB.', format: 'int64', minimum: 50, maximum: 32_768 }),
            vpusPerGB: whole({
              description: 'The performance in VPU per GB: 0 (lower cost), 10 (balanced) or 20 (higher performance).',
              format: 'int64',
              enum: [0, 10, 20],
            }),
          },
          { description: 'One block volume.' },
        ),
        { description: 'Block volumes that are created and deleted with each instance.', listType: 'atomic' },
      ),
    ),
    agentList: optional(
      listField(anyText(), {
        description: 'The names of plugins of Oracle Cloud Agent that are enabled.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'The settings that instances are launched with.' },
)

export interface CommunityNodeClassSpec extends Shape<typeof spec> {}
export interface CommunityNodeClassStatus extends Shape<typeof communityStatus> {}

/** OciNodeClass, the node class of zoom/karpenter-oci (`providers/oci/docs/spec/oci.md#ocinodeclass`). */
export interface CommunityNodeClass extends KubeObject {
  /** Optional, because the CRD does not require it. */
  readonly spec?: CommunityNodeClassSpec
  readonly status?: CommunityNodeClassStatus
}

export const communityNodeClassResource: CustomResource<CommunityNodeClass> = {
  kind: {
    group: COMMUNITY_GROUP,
    version: 'v1alpha1',
    kind: 'OciNodeClass',
    plural: 'ocinodeclasses',
    namespaced: false,
  },
  singular: 'ocinodeclass',
  shortNames: ['ocinc', 'ocincs'],
  categories: ['karpenter'],
  description: 'An OciNodeClass has the settings of Oracle Cloud instances: images, subnets, volumes.',
  printerColumns: [],
  spec,
  specRequired: false,
  status: communityStatus,
}

/** The group, version and names of OciNodeClass in the Kubernetes API. */
export const communityNodeClassKind = communityNodeClassResource.kind
