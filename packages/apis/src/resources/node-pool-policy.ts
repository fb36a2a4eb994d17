import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource } from '../schema/custom-resource.ts'
import { DURATION, enumField, listField, object, optional, type Shape, text } from '../schema/field.ts'
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

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

const awakeHours = object(
  {
    days: listField(enumField(DAYS, { description: 'A day of the week.' }), {
      description: 'The days on which the hours begin.',
      listType: 'set',
      minItems: 1,
      maxItems: 7,
    }),
    start: text({
      description: 'When the hours begin, as HH:MM.',
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      maxLength: 5,
    }),
    end: text({
      description: 'When the hours end, as HH:MM or 24:00. If the end is not after the start, it is on the next day.',
      pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      maxLength: 5,
    }),
  },
  {
    description: 'Hours on some days of the week.',
    rules: [
      { rule: 'self.start != self.end', message: '"start" and "end" must differ' },
      {
        rule: "!(self.days.size() == 7 && self.start == '00:00' && self.end == '24:00')",
        message: 'these hours cover the whole week, so the NodePools would never sleep',
      },
    ],
  },
)

const sleep = object(
  {
    timeZone: text({
      description: 'The time zone of the hours, as the time zone database names it, for example Europe/Berlin.',
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
      maxLength: 64,
    }),
    awake: listField(awakeHours, {
      description: 'The hours in which the NodePools are awake. Outside of them, the NodePools sleep.',
      listType: 'atomic',
      minItems: 1,
      maxItems: 14,
    }),
    deadline: optional(
      text({
        description:
          'How long after the NodePools fall asleep their last nodes may run, in hours, minutes and seconds (1h30m). Nodes that remain are terminated despite disruption budgets, PodDisruptionBudgets and do-not-disrupt annotations of pods, early enough to stop in time. Absent: no limit.',
        pattern: DURATION,
        maxLength: 32,
      }),
    ),
  },
  {
    description:
      'When the NodePools sleep: Kerf launches no node for them and removes their nodes, within disruption budgets and PodDisruptionBudgets. Not for static NodePools. Absent: never.',
    rules: [
      {
        // If the string is not a duration, this rule passes, because the pattern already reports the error.
        rule: `!has(self.deadline) || !self.deadline.matches('${DURATION}') || duration(self.deadline) >= duration('1m')`,
        message: '"deadline" must be at least 1m',
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
    sleep: optional(sleep),
  },
  {
    description:
      'Rules for some NodePools. Each section is independent of the others. If several policies have the same section for a NodePool, the oldest policy applies, then the first by name.',
    rules: [
      {
        rule: 'has(self.targetRefs) != has(self.targetSelector)',
        message: 'exactly one of "targetRefs" and "targetSelector" must be set',
      },
      { rule: 'has(self.access) || has(self.sleep)', message: 'at least one section must be set: "access" or "sleep"' },
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
    'A NodePoolPolicy contains rules for some NodePools: which pods may use them, and when they sleep. Karpenter does not read it.',
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
