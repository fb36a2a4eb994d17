import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource } from '../schema/custom-resource.ts'
import { enumField, listField, object, optional, type Shape, text } from '../schema/field.ts'
import { conditions } from './condition-fields.ts'
import { labelSelector } from './selector-fields.ts'

const targetRef = object(
  {
    group: enumField(['karpenter.sh'], { description: 'API group of the target.' }),
    kind: enumField(['NodePool'], { description: 'Kind of the target.' }),
    name: text({ description: 'Name of the NodePool.', minLength: 1, maxLength: 253 }),
  },
  { description: 'A NodePool to which the policy applies.' },
)

const access = object(
  {
    namespaceSelector: optional(
      labelSelector(
        'Only pods in namespaces with these labels may use the NodePools. An empty selector matches every namespace. Default: every namespace.',
      ),
    ),
    schedulerNames: optional(
      listField(text({ description: 'A spec.schedulerName of pods.', minLength: 1, maxLength: 253 }), {
        description:
          'Only pods with one of these scheduler names may use the NodePools. Default: every scheduler name.',
        listType: 'set',
        minItems: 1,
        maxItems: 16,
      }),
    ),
  },
  {
    description:
      'Which pods may use the NodePools. Kerf plans and nominates no other pod for their nodes. DaemonSet pods are exempt. Absent: all pods.',
    rules: [
      {
        rule: 'has(self.namespaceSelector) || has(self.schedulerNames)',
        message: 'at least one of "namespaceSelector" and "schedulerNames" must be set',
      },
    ],
  },
)

const nodePoolPolicySpec = object(
  {
    targetRefs: optional(
      listField(targetRef, {
        description: 'The NodePools to which the policy applies, by name. Not together with targetSelector.',
        listType: 'map',
        listMapKeys: ['group', 'kind', 'name'],
        minItems: 1,
        maxItems: 64,
      }),
    ),
    targetSelector: optional(
      labelSelector(
        'The policy applies to NodePools with these labels. An empty selector matches every NodePool. Not together with targetRefs.',
      ),
    ),
    access: optional(access),
  },
  {
    description:
      'Rules for some NodePools. Each section is independent of the others. If several policies have the same section for a NodePool, the oldest policy applies, then the first by name.',
    rules: [
      {
        rule: 'has(self.targetRefs) != has(self.targetSelector)',
        message: 'exactly one of "targetRefs" and "targetSelector" must be set',
      },
      { rule: 'has(self.access)', message: 'at least one section must be set: "access"' },
    ],
  },
)

const targetStatus = object(
  {
    name: text({ description: 'Name of the NodePool.' }),
    conditions: conditions(),
  },
  { description: 'Whether the policy applies to a NodePool, and what it does there.' },
)

const nodePoolPolicyStatus = object(
  {
    targets: optional(
      listField(targetStatus, {
        description: 'The targets of the policy, by name.',
        listType: 'map',
        listMapKeys: ['name'],
      }),
    ),
    conditions: optional(conditions()),
  },
  { description: 'Whether the policy is applied, and what it does.' },
)

export interface NodePoolPolicySpec extends Shape<typeof nodePoolPolicySpec> {}
export interface NodePoolPolicyStatus extends Shape<typeof nodePoolPolicyStatus> {}

/** Rules for some NodePools (`docs/spec/policies.md`). */
export interface NodePoolPolicy extends KubeObject {
  readonly spec: NodePoolPolicySpec
  readonly status?: NodePoolPolicyStatus
}

export const nodePoolPolicyResource: CustomResource<NodePoolPolicy> = {
  kind: {
    group: 'kerf.sh',
    version: 'v1alpha1',
    kind: 'NodePoolPolicy',
    plural: 'nodepoolpolicies',
    namespaced: false,
  },
  singular: 'nodepoolpolicy',
  shortNames: [],
  categories: ['kerf'],
  description:
    'A NodePoolPolicy contains rules for some NodePools: which pods may use them. Karpenter does not read it.',
  printerColumns: [
    { name: 'Accepted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].reason' },
    ageColumn,
    { name: 'Targets', type: 'string', jsonPath: '.status.targets[*].name', priority: 1 },
  ],
  spec: nodePoolPolicySpec,
  specRequired: true,
  status: nodePoolPolicyStatus,
}
