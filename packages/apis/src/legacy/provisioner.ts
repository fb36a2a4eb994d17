import type { KubeObject } from '../kubernetes/object.ts'
import { conditions } from '../resources/condition-fields.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import {
  anyText,
  enumField,
  listField,
  mapField,
  object,
  openObject,
  optional,
  quantity,
  type Shape,
  text,
  whole,
  yesNo,
} from '../schema/field.ts'
import { convertedFields } from './converted-fields.ts'

const texts = (description: string) => optional(mapField(anyText(), { description }))
const amounts = (description: string) => optional(mapField(quantity(), { description }))
const count = (description: string) => optional(whole({ description, format: 'int32', minimum: 0 }))
const percent = (description: string) => optional(whole({ description, format: 'int32', minimum: 0, maximum: 100 }))

const taints = (description: string) =>
  optional(
    listField(
      object(
        {
          key: text({ description: 'The key of the taint.', minLength: 1 }),
          value: optional(text({ description: 'The value of the taint.' })),
          effect: enumField(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
            description: 'What happens to pods that do not tolerate the taint.',
          }),
          timeAdded: optional(text({ description: 'When the taint was added.', format: 'date-time' })),
        },
        { description: 'A taint repels pods that do not tolerate it.' },
      ),
      { description, listType: 'atomic' },
    ),
  )

const requirements = optional(
  listField(
    object(
      {
        key: text({ description: 'The label key.' }),
        operator: enumField(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'], {
          description: 'How to compare the label with the values.',
        }),
        values: optional(
          listField(text({ description: 'A label value.' }), {
            description: 'The values to compare with.',
            listType: 'atomic',
          }),
        ),
      },
      { description: 'A requirement on the labels of a node.' },
    ),
    {
      description:
        'Requirements on the labels of a node. Defaults: on-demand, Linux, amd64, and the instance categories c, m and r above generation 2.',
      listType: 'atomic',
    },
  ),
)

const kubeletConfiguration = optional(
  object(
    {
      clusterDNS: optional(
        listField(text({ description: 'An IP address.' }), {
          description: 'The addresses of the DNS servers of the cluster.',
          listType: 'atomic',
        }),
      ),
      containerRuntime: optional(text({ description: 'Has no effect: nodes run containerd.' })),
      cpuCFSQuota: optional(yesNo({ description: 'Whether CPU limits are enforced by quota.' })),
      evictionHard: texts('Eviction signals and thresholds for hard eviction.'),
      evictionMaxPodGracePeriod: optional(
        whole({ description: 'The maximum grace period of a soft eviction, in seconds.', format: 'int32' }),
      ),
      evictionSoft: texts('Eviction signals and thresholds for soft eviction.'),
      evictionSoftGracePeriod: texts('The grace period of each soft eviction signal.'),
      imageGCHighThresholdPercent: percent('Disk usage at which image garbage collection starts.'),
      imageGCLowThresholdPercent: percent('Disk usage at which image garbage collection stops.'),
      kubeReserved: amounts('Resources reserved for Kubernetes daemons.'),
      maxPods: count('The maximum number of pods of a node. Default: depends on the instance type.'),
      podsPerCore: count('The maximum number of pods per core.'),
      systemReserved: amounts('Resources reserved for system daemons.'),
    },
    { description: 'Configuration of the kubelet. Becomes spec.kubelet of a node class.' },
  ),
)

const provisionerSpec = object(
  {
    annotations: texts('Annotations of every node.'),
    cluster: optional(
      object(
        {
          name: optional(text({ description: 'The name of the cluster.' })),
          endpoint: optional(text({ description: 'The URL of the API server.' })),
          caBundle: optional(text({ description: 'The certificate authority of the API server.' })),
        },
        {
          description:
            'The cluster, as in the oldest Provisioners. Has no effect: the settings of the controller name the cluster.',
        },
      ),
    ),
    consolidation: optional(
      object(
        {
          enabled: optional(yesNo({ description: 'Whether nodes are consolidated.' })),
        },
        { description: 'Whether nodes are consolidated. Default: false.' },
      ),
    ),
    kubeletConfiguration,
    labels: texts('Labels of every node.'),
    limits: optional(
      object(
        { resources: amounts('Limits on the total resources of the nodes.') },
        { description: 'Limits of the NodePool.' },
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
    startupTaints: taints('Taints of a starting node that another component removes when it is ready.'),
    taints: taints('Permanent taints of every node.'),
    ttlSecondsAfterEmpty: optional(
      whole({
        description: 'Seconds after which an empty node is deleted. Absent: never.',
        format: 'int64',
        minimum: 0,
      }),
    ),
    ttlSecondsUntilExpired: optional(
      whole({
        description: 'The age in seconds at which a node expires. Absent: never.',
        format: 'int64',
        minimum: 0,
      }),
    ),
    weight: optional(
      whole({
        description: 'Priority among Provisioners: the highest weight is tried first. Default: 0.',
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
    ),
  },
  {
    description: 'Which nodes may be launched, how many, and when they are deleted.',
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
    nodePool: optional(text({ description: 'The NodePool that is kept in sync with this object.' })),
    nodeClass: optional(text({ description: 'The node class that the NodePool refers to, as Kind/name.' })),
    resources: amounts('Total resources of the nodes.'),
    fields: convertedFields(),
    conditions: optional(conditions()),
  },
  { description: 'The result of the conversion.' },
)

export interface ProvisionerSpec extends Shape<typeof provisionerSpec> {}
export interface ProvisionerStatus extends Shape<typeof provisionerStatus> {}

/** Karpenter's old description of nodes, which NodePool has replaced (`docs/spec/older-apis.md#provisioner-and-nodepool`). */
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
    'A Provisioner is the predecessor of a NodePool. With --legacy-apis the controller keeps a NodePool of the same name in sync with it, and reports the result of each field in the status.',
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
