import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource } from '../schema/custom-resource.ts'
import { object, optional, type Shape, text, whole } from '../schema/field.ts'
import { conditions } from './condition-fields.ts'
import { resourceAmounts } from './template-fields.ts'

const capacityBufferSpec = object(
  {
    provisioningStrategy: optional(
      text({
        description:
          'The provisioning strategy of the buffer. Only buffer.x-k8s.io/active-capacity (running nodes) has an effect.',
        default: 'buffer.x-k8s.io/active-capacity',
      }),
    ),
    podTemplateRef: optional(
      object(
        { name: text({ description: 'Name of the PodTemplate.', minLength: 1 }) },
        {
          description:
            'A PodTemplate in this namespace that defines the size of one replica of the buffer. Requires replicas or limits. Not together with scalableRef.',
        },
      ),
    ),
    scalableRef: optional(
      object(
        {
          apiGroup: optional(
            text({ description: 'API group of the workload. Default: apps, the only supported group.' }),
          ),
          kind: text({ description: 'Deployment, StatefulSet or ReplicaSet.', minLength: 1 }),
          name: text({ description: 'Name of the workload.', minLength: 1 }),
        },
        {
          description:
            'A workload in this namespace whose pods define the size of one replica of the buffer. Not together with podTemplateRef.',
        },
      ),
    ),
    replicas: optional(
      whole({
        description:
          'The number of replicas for which capacity is kept free. If percentage is set too, the larger value is used.',
        format: 'int32',
        minimum: 0,
      }),
    ),
    percentage: optional(
      whole({
        description:
          'The number of replicas for which capacity is kept free, as a percentage of the replicas of the workload, rounded up. May exceed 100. Only with scalableRef.',
        format: 'int32',
        minimum: 0,
      }),
    ),
    limits: resourceAmounts(
      'The maximum total requests of the replicas of the buffer. Without replicas and percentage, the buffer has as many replicas as fit.',
    ),
  },
  {
    description: 'How much capacity to keep free, and for which pods.',
    rules: [
      {
        rule: '!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)',
        message: '"podTemplateRef" needs "replicas" or "limits"',
      },
      {
        rule: '!(has(self.podTemplateRef) && has(self.scalableRef))',
        message: '"podTemplateRef" and "scalableRef" may not be given together',
      },
    ],
  },
)

const capacityBufferStatus = object(
  {
    podTemplateRef: optional(
      object(
        { name: text({ description: 'Name of the PodTemplate.', minLength: 1 }) },
        { description: 'The PodTemplate in use. Absent if the buffer refers to a workload.' },
      ),
    ),
    podTemplateGeneration: optional(
      whole({ description: 'The generation of the PodTemplate in use.', format: 'int64' }),
    ),
    replicas: optional(
      whole({ description: 'The number of replicas for which capacity is kept free.', format: 'int32' }),
    ),
    provisioningStrategy: optional(text({ description: 'The provisioning strategy in use.' })),
    conditions: optional(conditions()),
  },
  { description: 'The observed state of the buffer.' },
)

export interface CapacityBufferSpec extends Shape<typeof capacityBufferSpec> {}
export interface CapacityBufferStatus extends Shape<typeof capacityBufferStatus> {}

/** Capacity that is kept free for future pods (`docs/spec/resources.md#capacitybuffer`). */
export interface CapacityBuffer extends KubeObject {
  readonly spec: CapacityBufferSpec
  readonly status?: CapacityBufferStatus
}

export const capacityBufferResource: CustomResource<CapacityBuffer> = {
  kind: {
    group: 'autoscaling.x-k8s.io',
    version: 'v1beta1',
    kind: 'CapacityBuffer',
    plural: 'capacitybuffers',
    namespaced: true,
  },
  singular: 'capacitybuffer',
  shortNames: ['cb'],
  categories: ['autoscaling'],
  description:
    'A CapacityBuffer keeps capacity free for future pods, so that they start without waiting for a node. Needs the feature gate CapacityBuffer.',
  printerColumns: [
    { name: 'Strategy', type: 'string', jsonPath: '.spec.provisioningStrategy' },
    { name: 'PodTemplate', type: 'string', jsonPath: '.status.podTemplateRef.name' },
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'ConditionsType', type: 'string', jsonPath: '.status.conditions[*].type' },
    { name: 'ConditionsStatus', type: 'string', jsonPath: '.status.conditions[*].status' },
    { name: 'ConditionsReason', type: 'string', jsonPath: '.status.conditions[*].reason' },
    ageColumn,
  ],
  spec: capacityBufferSpec,
  specRequired: true,
  status: capacityBufferStatus,
}
