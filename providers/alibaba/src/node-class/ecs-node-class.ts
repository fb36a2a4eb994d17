import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  type CustomResource,
  enumField,
  mapField,
  object,
  optional,
  type Rule,
  readyColumn,
  type Shape,
  text,
  yesNo,
} from '@kerf/apis/schema'
import { ALIBABA_GROUP } from '../label-names.ts'
import { dataDiskCategories, dataDisks, systemDisk } from './disk-fields.ts'
import { ecsNodeClassStatus } from './ecs-node-class-status.ts'
import { kubeletConfiguration } from './kubelet-fields.ts'
import { imageSelectorTerms, securityGroupSelectorTerms, vSwitchSelectorTerms } from './selector-terms.ts'

/** The tags that only the controller sets. Like upstream, the CRD accepts `ecs:ecs-cluster-id`, and the controller overwrites it. */
const RESERVED_TAGS = [
  'ecs:ecs-cluster-name',
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  `${ALIBABA_GROUP}/ecsnodeclass`,
]

const tagRules: readonly Rule[] = [
  { rule: "self.all(k, k != '')", message: 'a tag needs a key' },
  {
    rule: "self.all(k, !k.startsWith('kubernetes.io/cluster'))",
    message: 'only the controller sets tags that begin with "kubernetes.io/cluster"',
  },
  ...RESERVED_TAGS.map((tag) => ({
    rule: `self.all(k, k != '${tag}')`,
    message: `only the controller sets the tag "${tag}"`,
  })),
]

const ecsNodeClassSpec = object(
  {
    vSwitchSelectorTerms: vSwitchSelectorTerms(),
    vSwitchSelectionPolicy: optional(
      enumField(['balanced', 'cheapest'], {
        description: 'How the zone of an instance is chosen: the cheapest one, or equally from all possible zones.',
        default: 'cheapest',
      }),
    ),
    securityGroupSelectorTerms: securityGroupSelectorTerms(),
    imageSelectorTerms: imageSelectorTerms(),
    kubeletConfiguration: kubeletConfiguration(),
    systemDisk: systemDisk(),
    dataDisks: dataDisks(),
    dataDiskCategories: dataDiskCategories(),
    formatDataDisk: optional(
      yesNo({ description: 'Whether ACK formats the data disk for the container runtime.', default: false }),
    ),
    tags: optional(mapField(anyText(), { description: 'Tags of the instances.', rules: tagRules })),
    resourceGroupId: optional(
      text({ description: 'The ID of the resource group of the instances.', pattern: 'rg-[0-9a-z]+' }),
    ),
    userData: optional(
      text({
        description: 'A script or a MIME document that the instance runs at its start, after joining the cluster.',
      }),
    ),
    password: optional(
      text({
        description: 'The password of the user root, 8 to 30 characters. Anybody who can read the class can read it.',
        pattern: '^[A-Za-z\\d~!@#$%^&*()_+\\-=\\[\\]{}|\\\\:;"\'<>,.?/]{8,30}$',
      }),
    ),
    keyPairName: optional(
      text({ description: 'The name of the SSH key pair.', pattern: '^[A-Za-z][A-Za-z\\d._:-]{1,127}$' }),
    ),
    passwordInherit: optional(
      yesNo({ description: 'Whether the instances have the password of their image.', default: false }),
    ),
  },
  {
    description: 'The settings that instances are launched with.',
    rules: [
      {
        rule: '!(has(self.passwordInherit) && self.passwordInherit && has(self.password))',
        message: '"password" cannot be set if "passwordInherit" is true',
      },
    ],
  },
)

export interface ECSNodeClassSpec extends Shape<typeof ecsNodeClassSpec> {}
export interface ECSNodeClassStatus extends Shape<typeof ecsNodeClassStatus> {}

/** The node class of ECS instances (`providers/alibaba/docs/spec/alibaba.md#api-object-ecsnodeclass`). */
export interface ECSNodeClass extends KubeObject {
  /** Optional like in the CRD of Karpenter's provider, although a node class without a spec selects nothing. */
  readonly spec?: ECSNodeClassSpec
  readonly status?: ECSNodeClassStatus
}

export const ecsNodeClassResource: CustomResource<ECSNodeClass> = {
  kind: {
    group: ALIBABA_GROUP,
    version: 'v1alpha1',
    kind: 'ECSNodeClass',
    plural: 'ecsnodeclasses',
    namespaced: false,
  },
  singular: 'ecsnodeclass',
  shortNames: ['ecsnc', 'ecsncs'],
  categories: ['karpenter'],
  description:
    'An ECSNodeClass has the settings of ECS instances: networks, security groups, images, disks, kubelet, tags.',
  printerColumns: [readyColumn, ageColumn],
  spec: ecsNodeClassSpec,
  specRequired: false,
  status: ecsNodeClassStatus,
}

/** The group, version and names of ECSNodeClass in the Kubernetes API. */
export const ecsNodeClassKind = ecsNodeClassResource.kind
