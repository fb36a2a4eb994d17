import type { ConditionSet, KubeObject } from '@kerf/apis'
import { convertedFields } from '@kerf/apis/legacy'
import {
  ageColumn,
  anyText,
  type CustomResource,
  conditions,
  listField,
  mapField,
  object,
  optional,
  quantity,
  readyColumn,
  type Shape,
  text,
  whole,
  yesNo,
} from '@kerf/apis/schema'

const selector = (description: string) => optional(mapField(anyText(), { description }))
const word = (description: string) => optional(text({ description }))
const amount = (description: string) => optional(whole({ description, format: 'int64' }))

const blockDeviceMappings = optional(
  listField(
    object(
      {
        deviceName: word('The device name, for example /dev/xvda.'),
        ebs: optional(
          object(
            {
              deleteOnTermination: optional(yesNo({ description: 'Whether the volume is deleted with the instance.' })),
              encrypted: optional(yesNo({ description: 'Whether the volume is encrypted.' })),
              iops: amount('IOPS of the volume.'),
              kmsKeyID: word('The key for the encryption of the volume.'),
              snapshotID: word('The snapshot of the volume.'),
              throughput: amount('Throughput in MiB/s, for gp3.'),
              volumeSize: optional(quantity({ description: 'The size, in whole Gi or Ti.' })),
              volumeType: word('The type of the volume, for example gp3.'),
            },
            { description: 'The EBS volume.' },
          ),
        ),
      },
      { description: 'One volume.' },
    ),
    { description: 'The volumes of the instance.', listType: 'atomic' },
  ),
)

const awsNodeTemplateSpec = object(
  {
    apiVersion: word('Has no effect; manifests that were moved out of spec.provider have it.'),
    kind: word('Has no effect; manifests that were moved out of spec.provider have it.'),
    amiFamily: word(
      'The image family: AL2, Bottlerocket, Ubuntu, Windows2019, Windows2022 or Custom. Absent: AL2, or AL2023 if the Kubernetes version has no AL2 images.',
    ),
    amiSelector: selector('The images, by aws::ids, by aws::name and aws::owners, and by tags.'),
    blockDeviceMappings,
    context: word('Passed to CreateFleet as its Context.'),
    detailedMonitoring: optional(yesNo({ description: 'Whether detailed CloudWatch monitoring is enabled.' })),
    instanceProfile: word('The instance profile of the nodes.'),
    launchTemplate: word('A custom launch template. v1 does not support it: see status.fields.'),
    metadataOptions: optional(
      object(
        {
          httpEndpoint: word('Whether the instance metadata service is enabled.'),
          httpProtocolIPv6: word('Whether its IPv6 endpoint is enabled.'),
          httpPutResponseHopLimit: amount('Hop limit of its responses. Default: 2.'),
          httpTokens: word('Whether requests need a token.'),
        },
        { description: 'Options of the instance metadata service.' },
      ),
    ),
    securityGroupSelector: selector('The security groups, by aws::ids or by tags.'),
    subnetSelector: selector('The subnets, by aws::ids or by tags.'),
    tags: selector('Tags of all created resources.'),
    userData: word('User data of the instance.'),
  },
  { description: 'Launch configuration of the instances.' },
)

const awsNodeTemplateStatus = object(
  {
    nodeClass: word('The node class that is kept in sync with this object, as Kind/name.'),
    fields: convertedFields(),
    conditions: optional(conditions()),
  },
  { description: 'The result of the conversion.' },
)

export interface AWSNodeTemplateSpec extends Shape<typeof awsNodeTemplateSpec> {}
export interface AWSNodeTemplateStatus extends Shape<typeof awsNodeTemplateStatus> {}

/**
 * Karpenter's old description of EC2 instances, which EC2NodeClass replaced
 * (`docs/spec/older-apis.md#awsnodetemplate-and-ec2nodeclass`).
 */
export interface AWSNodeTemplate extends KubeObject {
  readonly spec?: AWSNodeTemplateSpec
  readonly status?: AWSNodeTemplateStatus
}

export const awsNodeTemplateResource: CustomResource<AWSNodeTemplate> = {
  kind: {
    group: 'karpenter.k8s.aws',
    version: 'v1alpha1',
    kind: 'AWSNodeTemplate',
    plural: 'awsnodetemplates',
    namespaced: false,
  },
  singular: 'awsnodetemplate',
  shortNames: [],
  categories: ['karpenter'],
  description:
    'An AWSNodeTemplate is the predecessor of an EC2NodeClass. With --legacy-apis the controller keeps a node class of the same name in sync with it, and reports the result of each field in the status.',
  printerColumns: [{ name: 'NodeClass', type: 'string', jsonPath: '.status.nodeClass' }, readyColumn, ageColumn],
  spec: awsNodeTemplateSpec,
  specRequired: false,
  status: awsNodeTemplateStatus,
}

/**
 * The conditions of AWSNodeTemplate. The independent conditions do not affect Ready. They list fields that the conversion changed, and
 * fields that v1 does not have.
 */
export const awsNodeTemplateConditions = {
  dependents: ['Converted', 'NodeClassReady'],
  independent: ['FieldsChanged', 'FieldsGone'],
} as const satisfies ConditionSet

/** The meaning of each condition. */
export const awsNodeTemplateMeanings = {
  Converted: {
    isTrue: 'an EC2NodeClass was created from this AWSNodeTemplate',
    otherwise: 'the reason and the message explain why not',
  },
  NodeClassReady: {
    isTrue: 'that EC2NodeClass is Ready',
    otherwise: 'the reason of the node class: see its conditions',
  },
  FieldsChanged: { isTrue: 'some fields were not simply moved: the message names them', otherwise: 'absent' },
  FieldsGone: { isTrue: 'some fields have no counterpart in v1: the message names them', otherwise: 'absent' },
}
