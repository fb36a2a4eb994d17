import { Type } from 'typebox'
import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import {
  anyText,
  listOf,
  mapOf,
  NILLABLE_DURATION,
  object,
  oneOf,
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

/** Returns the rule for one key, applied to every key of a map. */
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
      mapOf(Type.String({ maxLength: 63, pattern: VALUE }), {
        description: 'Labels that every NodeClaim and node of this pool carries.',
        mapType: 'atomic',
        maxProperties: 100,
        rules: [ofEveryKey(ownDomainRule), ofEveryKey(noNodePoolRule), ofEveryKey(noHostnameRule)],
      }),
    ),
    annotations: optional(
      mapOf(anyText(), { description: 'Annotations that every NodeClaim and node of this pool carries.' }),
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
        'How many nodes of the pool may be disrupted at a time: a number, or a percentage of the pool rounded up. 0 blocks disruption. A number is written in quotes.',
      pattern: '^((100|[0-9]{1,2})%|[0-9]+)$',
      default: '10%',
    }),
    reasons: optional(
      listOf(oneOf(['Underutilized', 'Empty', 'Drifted'], { description: 'A cause of disruption.' }), {
        description:
          'The causes of disruption this budget bounds. Absent: all. An empty list: none, so the budget does nothing.',
        listType: 'set',
        maxItems: 50,
      }),
    ),
    schedule: optional(
      text({
        description:
          'When the budget begins to apply: five cron fields or a word like @daily, in UTC, or in the time zone that stands before the fields as in `TZ=Europe/Berlin 0 9 * * *`. Goes together with duration. Absent: it always applies.',
        pattern: '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$',
      }),
    ),
    duration: optional(
      text({
        description:
          'For how long the budget applies after each start, in hours and minutes. Goes together with schedule.',
        pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$',
      }),
    ),
  },
  { description: 'An upper bound on how many nodes of the pool are disrupted at the same time.' },
)

const disruption = object(
  {
    consolidateAfter: optional(
      text({
        description:
          'How long nothing may have been placed on or removed from a node before it is considered for consolidation, in hours, minutes and seconds; Never turns consolidation off.',
        pattern: NILLABLE_DURATION,
        default: '0s',
      }),
    ),
    consolidationPolicy: optional(
      oneOf(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'], {
        description:
          'Which nodes are consolidated: WhenEmpty only those without pods that matter, WhenEmptyOrUnderutilized also those whose pods fit elsewhere or on something cheaper, Balanced the same when the saving outweighs the disturbance.',
        default: 'WhenEmptyOrUnderutilized',
      }),
    ),
    budgets: optional(
      listOf(budget, {
        description: 'Upper bounds on voluntary disruption. Of those that apply at a moment, the smallest counts.',
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
    description: 'How and how fast the nodes of the pool may be replaced while they work.',
    default: { consolidateAfter: '0s' },
  },
)

const nodePoolSpec = object(
  {
    template: object(
      { metadata: optional(templateMetadata), spec: templateSpec },
      { description: 'What the NodeClaims of this pool are made from.' },
    ),
    disruption: optional(disruption),
    limits: resourceAmounts(
      'How much the nodes of the pool may have together; nothing is launched that would exceed it. Any resource may be named; nodes counts the nodes. Absent: no limit.',
    ),
    weight: optional(
      whole({
        description:
          'Rank among the pools: the one with the higher weight is tried first. Absent: 0, below all others.',
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
    ),
    replicas: optional(
      whole({
        description:
          'Makes the pool static: this many nodes are kept, whatever the pods ask for, and consolidation is off. Alpha. May not be added or taken away later.',
        format: 'int64',
        minimum: 0,
      }),
    ),
  },
  {
    description: 'What nodes the pool may launch, how many, and how they are replaced.',
    rules: [
      {
        rule: 'has(self.replicas) == has(oldSelf.replicas)',
        message: 'a pool may not change between static (with replicas) and dynamic (without)',
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
    resources: resourceAmounts('What the nodes of the pool have together, refreshed every five seconds.'),
    nodes: optional(
      whole({
        description: 'How many nodes the pool has. Read by the scale subresource.',
        format: 'int64',
        default: 0,
      }),
    ),
    nodeClassObservedGeneration: optional(
      whole({
        description:
          'The generation of the node class that the registration health refers to. A newer one starts it afresh.',
        format: 'int64',
      }),
    ),
    conditions: optional(conditions()),
  },
  { description: 'What the controllers found out about the pool.' },
)

export interface NodePoolSpec extends Shape<typeof nodePoolSpec> {}
export interface NodePoolStatus extends Shape<typeof nodePoolStatus> {}
export type NodePoolTemplate = NodePoolSpec['template']
export interface DisruptionBudget extends Shape<typeof budget> {}

/** Which nodes may be launched, and how they are disrupted (`docs/spec/resources.md#nodepool`). */
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
    'A NodePool says which nodes may be launched for unschedulable pods: with which requirements, from which node class, up to which limits, and when they may be disrupted.',
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
