import { CLUSTER_POLICY } from '../cluster-policy-name.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource } from '../schema/custom-resource.ts'
import { amount, listField, mapField, object, optional, type Shape, text, whole } from '../schema/field.ts'
import { commitments, commitmentsStatus } from './commitment-fields.ts'
import { commitmentSource, commitmentSourceStatus } from './commitment-source-fields.ts'
import { conditions } from './condition-fields.ts'
import { priceBook, priceBookStatus } from './price-book-fields.ts'

const ceilings = object(
  {
    nodes: optional(
      whole({
        description: 'The highest number of nodes of all NodePools together. Default: no ceiling.',
        format: 'int32',
        minimum: 0,
      }),
    ),
    resources: optional(
      mapField(amount(), {
        description:
          'The most that all nodes of all NodePools may have together, by resource: cpu, memory, and every extended resource. A resource that is absent has no ceiling.',
        rules: [
          {
            rule: "!('nodes' in self)",
            message: 'the ceiling on nodes is the field spec.ceilings.nodes',
          },
          {
            rule: "!('usdPerHour' in self)",
            message: 'the ceiling on the price is the field spec.ceilings.usdPerHour',
          },
        ],
      }),
    ),
    usdPerHour: optional(
      text({
        description:
          'The highest total price of all nodes of all NodePools, in US dollars an hour. Below such a ceiling, Kerf launches no instance whose price is unknown. If prices rise above the ceiling, no node is removed. Default: no ceiling.',
        pattern: '^\\d+(\\.\\d+)?$',
        maxLength: 20,
      }),
    ),
    surge: optional(
      whole({
        description:
          'The number of nodes by which replacements may exceed the ceilings while the nodes that they replace still run. With 0, nodes at a ceiling are replaced only after they are gone.',
        format: 'int32',
        minimum: 0,
        maximum: 1000,
        default: 1,
      }),
    ),
  },
  {
    description:
      'Ceilings over the whole cluster. Pods that would need a node above a ceiling wait with the reason "ceiling". No node is removed because of a ceiling. Absent: no ceilings.',
    rules: [
      {
        rule: 'has(self.nodes) || has(self.usdPerHour) || (has(self.resources) && self.resources.size() > 0)',
        message: 'at least one ceiling must be set: "nodes", "resources" or "usdPerHour"',
      },
    ],
  },
)

const clusterPolicySpec = object(
  {
    ceilings: optional(ceilings),
    commitments: optional(commitments),
    commitmentSource: optional(commitmentSource),
    priceBook: optional(priceBook),
  },
  { description: 'Rules for the whole cluster. Each section is independent of the others.' },
)

const ceilingStatus = object(
  {
    name: text({ description: 'The resource, "nodes" or "usdPerHour".' }),
    ceiling: text({ description: 'The ceiling.' }),
    used: text({ description: 'What the nodes use, without nodes that a surge lets exceed the ceiling.' }),
    headroom: text({ description: 'What further nodes may use. Negative if more is in use than the ceiling allows.' }),
  },
  { description: 'One ceiling and its use.' },
)

const clusterPolicyStatus = object(
  {
    ceilings: optional(
      listField(ceilingStatus, {
        description: 'The ceilings and their use, at most a few seconds old.',
        listType: 'map',
        listMapKeys: ['name'],
      }),
    ),
    commitments: optional(commitmentsStatus),
    commitmentSource: optional(commitmentSourceStatus),
    priceBook: optional(priceBookStatus),
    conditions: optional(conditions()),
  },
  { description: 'Whether the policy is applied, and what it does.' },
)

export interface ClusterPolicySpec extends Shape<typeof clusterPolicySpec> {}
export interface ClusterPolicyStatus extends Shape<typeof clusterPolicyStatus> {}

/** Rules for the whole cluster (`docs/spec/policies.md`). */
export interface ClusterPolicy extends KubeObject {
  readonly spec: ClusterPolicySpec
  readonly status?: ClusterPolicyStatus
}

export const clusterPolicyResource: CustomResource<ClusterPolicy> = {
  kind: { group: 'kerf.sh', version: 'v1alpha1', kind: 'ClusterPolicy', plural: 'clusterpolicies', namespaced: false },
  singular: 'clusterpolicy',
  shortNames: [],
  categories: ['kerf'],
  description:
    'A ClusterPolicy contains rules for the whole cluster: ceilings on nodes, resources and cost, commitments, and declared prices. The only object is named default. Karpenter does not read it.',
  printerColumns: [
    { name: 'Accepted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].reason' },
    ageColumn,
    { name: 'Ceilings', type: 'string', jsonPath: '.status.ceilings[*].name', priority: 1 },
    { name: 'Headroom', type: 'string', jsonPath: '.status.ceilings[*].headroom', priority: 1 },
  ],
  rules: [
    {
      rule: `self.metadata.name == '${CLUSTER_POLICY}'`,
      message: `the only ClusterPolicy is named "${CLUSTER_POLICY}"`,
    },
  ],
  spec: clusterPolicySpec,
  specRequired: true,
  status: clusterPolicyStatus,
}
