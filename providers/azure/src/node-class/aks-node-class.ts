import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  atomicConditions,
  type CustomResource,
  enumField,
  listField,
  mapField,
  object,
  optional,
  type Rule,
  readyColumn,
  type Shape,
  text,
  whole,
  yesNo,
} from '@kerf/apis/schema'
import { AZURE_GROUP } from '../label-names.ts'
import { aksKubelet } from './aks-kubelet-fields.ts'
import { aksLinuxOsConfig } from './aks-linux-os.ts'
import { aksLocalDns } from './aks-local-dns.ts'

const SUBNET_ID =
  '(?i)^\\/subscriptions\\/[^\\/]+\\/resourceGroups\\/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]\\/providers\\/Microsoft\\.Network\\/virtualNetworks\\/[^\\/]+\\/subnets\\/[^\\/]+$'

const isTrue = (field: string): string =>
  `(has(self.security.trustedLaunch.${field}) && self.security.trustedLaunch.${field})`
const TRUSTED_LAUNCH = `(has(self.security) && has(self.security.trustedLaunch) && (${isTrue('vtpm')} || ${isTrue('secureBoot')}))`
const FIPS = "(has(self.fipsMode) && self.fipsMode == 'FIPS')"

const specRules: readonly Rule[] = [
  {
    rule: `!${FIPS} || (has(self.imageFamily) && self.imageFamily != 'Ubuntu2404')`,
    message: 'fipsMode "FIPS" is not available for imageFamily "Ubuntu2404"',
  },
  {
    rule: `!${FIPS} || (has(self.imageFamily) && (self.imageFamily != 'Ubuntu2204' || ${TRUSTED_LAUNCH}))`,
    message: 'fipsMode "FIPS" with imageFamily "Ubuntu2204" needs trusted launch',
  },
  {
    rule: `!(${FIPS} && ${TRUSTED_LAUNCH}) || !has(self.imageFamily) || self.imageFamily in ['Ubuntu', 'Ubuntu2204']`,
    message: 'fipsMode "FIPS" with trusted launch is available for imageFamily "Ubuntu" and "Ubuntu2204" only',
  },
  {
    rule: '!has(self.linuxOSConfig) || !has(self.linuxOSConfig.swapFileSize) || (has(self.kubelet) && has(self.kubelet.failSwapOn) && !self.kubelet.failSwapOn)',
    message: '"linuxOSConfig.swapFileSize" needs "kubelet.failSwapOn" to be false',
  },
]

const security = object(
  {
    encryptionAtHost: optional(
      yesNo({ description: 'Whether disks and caches are encrypted at host. VM sizes without support are excluded.' }),
    ),
    trustedLaunch: optional(
      object(
        {
          vtpm: optional(yesNo({ description: 'Whether VMs have a virtual TPM.' })),
          secureBoot: optional(yesNo({ description: 'Whether secure boot is enabled.' })),
        },
        { description: 'Trusted launch. Either field turns it on; VM sizes without support are excluded.' },
      ),
    ),
  },
  { description: 'Security settings of VMs.' },
)

const aksNodeClassSpec = object(
  {
    vnetSubnetID: optional(
      text({
        description: 'Resource ID of the subnet of the nodes. Absent: that of the setting `--vnet-subnet-id`.',
        pattern: SUBNET_ID,
      }),
    ),
    osDiskSizeGB: optional(
      whole({
        description:
          'Size of the OS disk in GB, which is the ephemeral storage of the node. The disk is ephemeral if one of that size fits into the VM.',
        format: 'int32',
        minimum: 30,
        maximum: 2048,
        default: 128,
      }),
    ),
    imageFamily: optional(
      enumField(['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'], {
        description: 'The operating system. Ubuntu and AzureLinux: the release that matches the Kubernetes version.',
        default: 'Ubuntu',
      }),
    ),
    fipsMode: optional(enumField(['FIPS', 'Disabled'], { description: 'FIPS: images with validated cryptography.' })),
    tags: optional(
      mapField(anyText(), {
        description:
          'Tags of all resources created for nodes. A change is applied to existing resources and does not drift nodes.',
        rules: [
          { rule: 'self.all(key, size(key) <= 512)', message: 'a key of "tags" is longer than 512 characters' },
          {
            rule: "self.all(key, !key.matches('[<>%&?]'))",
            message: 'a key of "tags" has one of the characters < > % & ?',
          },
          { rule: "self.all(key, !key.contains('\\\\'))", message: 'a key of "tags" has a backslash' },
          { rule: 'self.all(key, size(self[key]) <= 256)', message: 'a value of "tags" is longer than 256 characters' },
        ],
      }),
    ),
    kubelet: aksKubelet(),
    maxPods: optional(
      whole({
        description:
          'Maximum number of pods of a node. Absent: 250 with Azure CNI overlay or without a network plugin, 30 with Azure CNI in the subnet of the nodes.',
        format: 'int32',
        minimum: 10,
        maximum: 250,
      }),
    ),
    security: optional(security),
    localDNS: aksLocalDns(),
    gpu: optional(
      object(
        {
          mode: optional(
            enumField(['Driver', 'None'], {
              description:
                'Driver: AKS installs drivers; only VM sizes that support this are used. None: all GPU sizes, without drivers.',
              default: 'Driver',
            }),
          ),
        },
        { description: 'GPU settings.' },
      ),
    ),
    artifactStreaming: optional(
      object(
        {
          enabled: optional(
            yesNo({
              description: 'Whether images are streamed while containers start. Excludes arm64. Default: false.',
            }),
          ),
        },
        { description: 'Streaming of container images.' },
      ),
    ),
    linuxOSConfig: aksLinuxOsConfig(),
  },
  { description: 'Launch configuration of the nodes.', rules: specRules },
)

const image = object(
  {
    id: text({ description: 'The resource ID of the image, of a shared or a community gallery.' }),
    requirements: listField(
      object(
        {
          key: text({ description: 'The label.' }),
          operator: text({ description: 'The operator: In, NotIn, Exists, DoesNotExist, Gt or Lt.' }),
          values: optional(listField(anyText(), { description: 'The values to compare with.', listType: 'atomic' })),
        },
        { description: 'A requirement on a label.' },
      ),
      { description: 'Requirements on instance types that can use the image.', listType: 'atomic' },
    ),
  },
  { description: 'One image.' },
)

const aksNodeClassStatus = object(
  {
    // As in upstream, the list may contain several conditions of one type.
    conditions: optional(atomicConditions()),
    images: optional(
      listField(image, {
        description: 'The images of nodes. Each instance type uses the first compatible image.',
        listType: 'atomic',
      }),
    ),
    kubernetesVersion: optional(text({ description: 'The Kubernetes version of new nodes, without `v`.' })),
    localDNSState: optional(enumField(['Enabled', 'Disabled'], { description: 'Whether new nodes have LocalDNS.' })),
  },
  { description: 'The observed state of the node class.' },
)

export interface AKSNodeClassSpec extends Shape<typeof aksNodeClassSpec> {}
export interface AKSNodeClassStatus extends Shape<typeof aksNodeClassStatus> {}

/** The node class of AKS nodes (`providers/azure/docs/spec/azure.md#api-object-aksnodeclass`). */
export interface AKSNodeClass extends KubeObject {
  readonly spec?: AKSNodeClassSpec
  readonly status?: AKSNodeClassStatus
}

export const aksNodeClassResource: CustomResource<AKSNodeClass> = {
  kind: {
    group: AZURE_GROUP,
    version: 'v1beta1',
    kind: 'AKSNodeClass',
    plural: 'aksnodeclasses',
    namespaced: false,
  },
  olderVersions: [{ name: 'v1alpha2', warning: 'use the version v1beta1 of AKSNodeClass instead' }],
  singular: 'aksnodeclass',
  shortNames: ['aksnc', 'aksncs'],
  categories: ['karpenter', 'nap'],
  description: 'An AKSNodeClass defines the launch configuration of AKS nodes: subnet, disk, image, kubelet, tags.',
  printerColumns: [
    readyColumn,
    ageColumn,
    { name: 'ImageFamily', type: 'string', jsonPath: '.spec.imageFamily', priority: 1 },
  ],
  spec: aksNodeClassSpec,
  specRequired: false,
  status: aksNodeClassStatus,
}

/** The API group, version and kind of AKSNodeClass. */
export const aksNodeClassKind = aksNodeClassResource.kind
