import type { KubeObject } from '../kubernetes/object.ts'
import { conditions } from '../resources/condition-fields.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import {
  anyText,
  listOf,
  mapOf,
  object,
  oneOf,
  openObject,
  optional,
  quantity,
  type Shape,
  text,
  whole,
  yesNo,
} from '../schema/field.ts'
import { fieldFates } from './field-fates.ts'

const texts = (description: string) => optional(mapOf(anyText(), { description }))
const amounts = (description: string) => optional(mapOf(quantity(), { description }))
const count = (description: string) => optional(whole({ description, format: 'int32', minimum: 0 }))
const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

const taints = (description: string) =>
  optional(
    listOf(
      object(
        {
          key: text({ description: 'The key of the taint, as a pod tolerates it.', minLength: 1 }),
          value: optional(text({ description: 'The value of the taint.' })),
          effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
            description: 'What happens to pods that do not tolerate the taint.',
          }),
          timeAdded: optional(text({ description: 'When the taint was put on.', format: 'date-time' })),
        },
        { description: 'A taint: it keeps away pods that do not tolerate it.' },
      ),
      { description, listType: 'atomic' },
    ),
  )

const requirements = optional(
  listOf(
    object(
      {
        key: text({ description: 'The label that is looked at.' }),
        operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'], {
          description: 'How the label is compared with the values.',
        }),
        values: optional(
          listOf(text({ description: 'A label value.' }), {
            description: 'What the label is compared with.',
            listType: 'atomic',
          }),
        ),
      },
      { description: 'A condition on the labels of a node.' },
    ),
    {
      description:
        'What a node must be like. Where nothing is said of them: on-demand, Linux, amd64, and the categories c, m and r above generation 2.',
      listType: 'atomic',
    },
  ),
)

const kubeletConfiguration = optional(
  object(
    {
      clusterDNS: optional(
        listOf(text({ description: 'An IP address.' }), {
          description: 'The addresses of the DNS servers of the cluster.',
          listType: 'atomic',
        }),
      ),
      containerRuntime: optional(text({ description: 'Means nothing any more: nodes run containerd.' })),
      cpuCFSQuota: optional(yesNo({ description: 'Whether CPU limits are enforced by quota.' })),
      evictionHard: texts('Signals and the amounts at which pods are evicted at once.'),
      evictionMaxPodGracePeriod: optional(
        whole({ description: 'The longest grace period of a soft eviction, in seconds.', format: 'int32' }),
      ),
      evictionSoft: texts('Signals and the amounts at which pods are evicted after a grace period.'),
      evictionSoftGracePeriod: texts('How long each soft signal must hold.'),
      imageGCHighThresholdPercent: percent('How full the disk may get before images are removed.'),
      imageGCLowThresholdPercent: percent('How full the disk is after that.'),
      kubeReserved: amounts('What is kept for the daemons of Kubernetes.'),
      maxPods: count('The most pods that a node takes. Absent: by its instance type.'),
      podsPerCore: count('The most pods for each core.'),
      systemReserved: amounts('What is kept for the daemons of the system.'),
    },
    { description: 'How the kubelet of the nodes is configured. Becomes spec.kubelet of a node class.' },
  ),
)

const provisionerSpec = object(
  {
    annotations: texts('Annotations that every node gets.'),
    cluster: optional(
      object(
        {
          name: optional(text({ description: 'The name of the cluster.' })),
          endpoint: optional(text({ description: 'The URL of the API server.' })),
          caBundle: optional(text({ description: 'The certificate authority of the API server.' })),
        },
        { description: 'The cluster, as the oldest Provisioners name it. The settings of the controller say it.' },
      ),
    ),
    consolidation: optional(
      object(
        {
          enabled: optional(
            yesNo({ description: 'Whether nodes are replaced by cheaper ones and emptied where pods fit elsewhere.' }),
          ),
        },
        { description: 'Whether nodes are consolidated. Absent: no.' },
      ),
    ),
    kubeletConfiguration,
    labels: texts('Labels that every node gets.'),
    limits: optional(
      object(
        { resources: amounts('How much the nodes may have together.') },
        { description: 'Bounds of what is launched.' },
      ),
    ),
    provider: optional(
      openObject({
        description: 'What instances are launched with, as in the spec of a node template. Either this or providerRef.',
      }),
    ),
    providerRef: optional(
      object(
        {
          apiVersion: optional(text({ description: 'Group and version of the template.' })),
          kind: optional(text({ description: 'Kind of the node template.' })),
          name: optional(text({ description: 'Name of the template.' })),
        },
        { description: 'The node template that instances are launched from. Either this or provider.' },
      ),
    ),
    requirements,
    startupTaints: taints('Taints that a node starts with and that something else takes off when it is ready.'),
    taints: taints('Taints that every node carries for as long as it lives.'),
    ttlSecondsAfterEmpty: optional(
      whole({
        description: 'After how many seconds an empty node goes. Absent: never.',
        format: 'int64',
        minimum: 0,
      }),
    ),
    ttlSecondsUntilExpired: optional(
      whole({
        description: 'The age in seconds at which a node goes. Absent: none.',
        format: 'int64',
        minimum: 0,
      }),
    ),
    weight: optional(
      whole({
        description: 'Rank among the Provisioners: the one with the higher weight is tried first. Absent: 0.',
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
    ),
  },
  {
    description: 'What nodes may be launched, how many, and when they go.',
    rules: [
      {
        rule: '!(has(self.provider) && has(self.providerRef))',
        message: '"provider" and "providerRef" may not be given together',
      },
    ],
  },
)

const provisionerStatus = object(
  {
    nodePool: optional(text({ description: 'The NodePool that is kept in step with this object.' })),
    nodeClass: optional(text({ description: 'The node class that the NodePool refers to, as Kind/name.' })),
    resources: amounts('What the nodes have together.'),
    fields: fieldFates(),
    conditions: optional(conditions()),
  },
  { description: 'What became of the object.' },
)

export interface ProvisionerSpec extends Shape<typeof provisionerSpec> {}
export interface ProvisionerStatus extends Shape<typeof provisionerStatus> {}

/**
 * Karpenter's old description of nodes, which NodePool replaced
 * (`docs/spec/older-apis.md#provisioner-and-nodepool`).
 */
export interface Provisioner extends KubeObject {
  readonly spec?: ProvisionerSpec
  readonly status?: ProvisionerStatus
}

export const provisionerResource: CustomResource<Provisioner> = {
  kind: { group: 'karpenter.sh', version: 'v1alpha5', kind: 'Provisioner', plural: 'provisioners', namespaced: false },
  singular: 'provisioner',
  shortNames: [],
  categories: ['karpenter'],
  description:
    'A Provisioner is the older form of a NodePool. With --legacy-apis the controller keeps a NodePool of the same name equal to it, and reports in the status what became of each field.',
  printerColumns: [
    { name: 'NodePool', type: 'string', jsonPath: '.status.nodePool' },
    { name: 'NodeClass', type: 'string', jsonPath: '.status.nodeClass' },
    readyColumn,
    ageColumn,
  ],
  spec: provisionerSpec,
  specRequired: false,
  status: provisionerStatus,
}
