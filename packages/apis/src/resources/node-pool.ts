import { Type } from 'typebox'
import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import {
  anyText,
  enumField,
  listField,
  mapField,
  NILLABLE_DURATION,
  object,
  optional,
  type Rule,
  type Shape,
  text,
  VALUE,
  whole,
} from '../schema/field.ts'
import { conditions } from './condition-fields.ts'
import {
  expireAfter,
  nodeClassRef,
  noHostnameRule,
  noNodePoolRule,
  ownDomainRule,
  requirements,
  resourceAmounts,
  startupTaints,
  taints,
  terminationGracePeriod,
} from './template-fields.ts'

/** Returns a rule that applies the given rule for one key to every key of a map. */
const ofEveryKey = ({ rule, message }: Rule): Rule => ({
  rule: `self.all(k, ${rule.replaceAll(/\bself\b/g, 'k')})`,
  message,
})

const unchanged = (field: string): Rule => ({
  rule: `self.${field} == oldSelf.${field}`,
  message: `nodeClassRef.${field} may not change`,
})

const templateMetadata = object(
  {
    labels: optional(
      mapField(Type.String({ maxLength: 63, pattern: VALUE }), {
        description: 'Labels of every NodeClaim and node of this NodePool.',
        mapType: 'atomic',
        maxProperties: 100,
        rules: [ofEveryKey(ownDomainRule), ofEveryKey(noNodePoolRule), ofEveryKey(noHostnameRule)],
      }),
    ),
    annotations: optional(
      mapField(anyText(), { description: 'Annotations of every NodeClaim and node of this NodePool.' }),
    ),
  },
  { description: 'Labels and annotations of the NodeClaims.' },
)

const templateSpec = object(
  {
    taints: taints(),
    startupTaints: startupTaints(),
    requirements: requirements([ownDomainRule, noNodePoolRule, noHostnameRule]),
    nodeClassRef: nodeClassRef([unchanged('group'), unchanged('kind')]),
    terminationGracePeriod: terminationGracePeriod(),
    expireAfter: expireAfter(),
  },
  { description: 'The spec of the NodeClaims.' },
)

const budget = object(
  {
    nodes: text({
      description:
        'How many nodes of the NodePool may be disrupted at the same time: a number in quotes, or a percentage, rounded up. "0" blocks disruption.',
      pattern: '^((100|[0-9]{1,2})%|[0-9]+)$',
      default: '10%',
    }),
    reasons: optional(
      listField(enumField(['Underutilized', 'Empty', 'Drifted'], { description: 'A reason for disruption.' }), {
        description:
          'The reasons for disruption that this budget limits. Absent: all. An empty list: none, so the budget has no effect.',
        listType: 'set',
        maxItems: 50,
      }),
    ),
    schedule: optional(
      text({
        description:
          'When the budget starts to apply: five cron fields, or a macro such as @daily, in UTC, or in a time zone written before the fields, as in `TZ=Europe/Berlin 0 9 * * *`. Requires duration. Absent: the budget always applies.',
        pattern: '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$',
      }),
    ),
    duration: optional(
      text({
        description: 'How long the budget applies after each start, in hours and minutes. Requires schedule.',
        pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$',
      }),
    ),
  },
  { description: 'A limit on how many nodes of the NodePool are disrupted at the same time.' },
)

const disruption = object(
  {
    consolidateAfter: optional(
      text({
        description:
          'How long no pod may have been added to or removed from a node before it is considered for consolidation, in hours, minutes and seconds. Never turns consolidation off.',
        pattern: NILLABLE_DURATION,
        default: '0s',
      }),
    ),
    consolidationPolicy: optional(
      enumField(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'], {
        description:
          'Which nodes are consolidated. WhenEmpty: only nodes without reschedulable pods. WhenEmptyOrUnderutilized: also nodes whose pods fit on other nodes or on a cheaper node. Balanced: the same, if the saving outweighs the disruption.',
        default: 'WhenEmptyOrUnderutilized',
      }),
    ),
    budgets: optional(
      listField(budget, {
        description: 'Limits on voluntary disruption. If several apply at a time, the smallest is used.',
        listType: 'atomic',
        maxItems: 50,
        default: [{ nodes: '10%' }],
        rules: [
          {
            rule: 'self.all(b, has(b.schedule) == has(b.duration))',
            message: '"schedule" and "duration" must be given together',
          },
        ],
      }),
    ),
  },
  {
    description: 'How nodes of the NodePool may be disrupted, and how many at a time.',
    default: { consolidateAfter: '0s' },
  },
)

const nodePoolSpec = object(
  {
    template: object(
      { metadata: optional(templateMetadata), spec: templateSpec },
      { description: 'Template of the NodeClaims of this NodePool.' },
    ),
    disruption: optional(disruption),
    limits: resourceAmounts(
      'Limits on the total resources of the nodes of this NodePool. No node is launched that would exceed a limit. Any resource is allowed; "nodes" limits the number of nodes. Absent: no limit.',
    ),
    weight: optional(
      whole({
        description:
          'Priority among NodePools: the NodePool with the highest weight is tried first. Default: 0, the lowest.',
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
    ),
    replicas: optional(
      whole({
        description:
          'Makes the NodePool static: it keeps this number of nodes regardless of pods, and consolidation is off. Alpha. Cannot be added or removed later.',
        format: 'int64',
        minimum: 0,
      }),
    ),
  },
  {
    description: 'Which nodes the NodePool may launch, how many, and how they are disrupted.',
    rules: [
      {
        rule: 'has(self.replicas) == has(oldSelf.replicas)',
        message: 'a NodePool may not change between static (with replicas) and dynamic (without)',
      },
      {
        rule: "!has(self.replicas) || !has(self.limits) || self.limits.size() == 0 || (self.limits.size() == 1 && 'nodes' in self.limits)",
        message: 'with "replicas" the only limit may be "nodes"',
      },
      {
        rule: '!(has(self.replicas) && has(self.weight))',
        message: '"weight" may not be given together with "replicas"',
      },
    ],
  },
)

const nodePoolStatus = object(
  {
    resources: resourceAmounts('Total resources of the nodes of this NodePool, refreshed every five seconds.'),
    nodes: optional(
      whole({
        description: 'Number of nodes of this NodePool. Used by the scale subresource.',
        format: 'int64',
        default: 0,
      }),
    ),
    nodeClassObservedGeneration: optional(
      whole({
        description:
          'The generation of the node class for which registration health is tracked. A newer generation resets it.',
        format: 'int64',
      }),
    ),
    conditions: optional(conditions()),
  },
  { description: 'The observed state of the NodePool.' },
)

export interface NodePoolSpec extends Shape<typeof nodePoolSpec> {}
export interface NodePoolStatus extends Shape<typeof nodePoolStatus> {}
export type NodePoolTemplate = NodePoolSpec['template']
export interface DisruptionBudget extends Shape<typeof budget> {}

/** Defines which nodes may be launched, and how they are disrupted (`docs/spec/resources.md#nodepool`). */
export interface NodePool extends KubeObject {
  readonly spec: NodePoolSpec
  readonly status?: NodePoolStatus
}

export const nodePoolResource: CustomResource<NodePool> = {
  kind: { group: 'karpenter.sh', version: 'v1', kind: 'NodePool', plural: 'nodepools', namespaced: false },
  singular: 'nodepool',
  shortNames: [],
  categories: ['karpenter'],
  description:
    'A NodePool defines which nodes may be launched for unschedulable pods: requirements, node class, limits, and when the nodes may be disrupted.',
  printerColumns: [
    { name: 'NodeClass', type: 'string', jsonPath: '.spec.template.spec.nodeClassRef.name' },
    { name: 'Nodes', type: 'string', jsonPath: '.status.nodes' },
    readyColumn,
    ageColumn,
    { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
    { name: 'CPU', type: 'string', jsonPath: '.status.resources.cpu', priority: 1 },
    { name: 'Memory', type: 'string', jsonPath: '.status.resources.memory', priority: 1 },
  ],
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
  spec: nodePoolSpec,
  specRequired: true,
  status: nodePoolStatus,
}
