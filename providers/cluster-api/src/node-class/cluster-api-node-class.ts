import { type TUnsafe, Type } from 'typebox'
import type { Condition, KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import { anyText, listOf, mapOf, object, optional, type Shape, text } from '../schema/field.ts'
import { condition } from './condition-fields.ts'

const selectorRequirement = object(
  {
    key: text({ description: 'The key of the label.' }),
    operator: text({
      description:
        'What the label must be: In, NotIn, Exists or DoesNotExist. The API server admits any text here; of another operator the condition MembersClear says that the class selects nothing.',
    }),
    values: optional(
      listOf(anyText(), {
        description: 'The values of In and NotIn, at least one. Exists and DoesNotExist take none.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'One condition on the labels.' },
)

const clusterApiNodeClassSpec = object(
  {
    scalableResourceSelector: optional(
      object(
        {
          matchExpressions: optional(
            listOf(selectorRequirement, {
              description: 'Conditions on the labels, all of which must hold.',
              listType: 'atomic',
            }),
          ),
          matchLabels: optional(mapOf(anyText(), { description: 'Labels and the values that they must have.' })),
        },
        {
          description:
            'The labels of the MachineDeployments that nodes are made from. They must be of the Cluster that Kerf works for. Absent or empty: those with the label node.cluster.x-k8s.io/karpenter-member and an empty value.',
          mapType: 'atomic',
        },
      ),
    ),
  },
  { description: 'Which of Cluster API’s MachineDeployments nodes are made from.' },
)

/** An atomic list, as in upstream: it accepts the same type twice. */
const conditions: TUnsafe<readonly Condition[]> = Type.Unsafe<readonly Condition[]>(
  listOf(condition, {
    description: 'What the controllers found out about this object, one entry for each aspect.',
    listType: 'atomic',
  }),
)

const clusterApiNodeClassStatus = object(
  { conditions: optional(conditions) },
  { description: 'What the controllers found out about the MachineDeployments.' },
)

export interface ClusterAPINodeClassSpec extends Shape<typeof clusterApiNodeClassSpec> {}
export interface ClusterAPINodeClassStatus extends Shape<typeof clusterApiNodeClassStatus> {}

/** The node class for Machines of Cluster API (`docs/spec/cluster-api.md#clusterapinodeclass`). */
export interface ClusterAPINodeClass extends KubeObject {
  readonly spec?: ClusterAPINodeClassSpec
  readonly status?: ClusterAPINodeClassStatus
}

export const clusterApiNodeClassResource: CustomResource<ClusterAPINodeClass> = {
  kind: {
    group: 'karpenter.cluster.x-k8s.io',
    version: 'v1alpha1',
    kind: 'ClusterAPINodeClass',
    plural: 'clusterapinodeclasses',
    namespaced: false,
  },
  singular: 'clusterapinodeclass',
  shortNames: ['capinc', 'capincs'],
  categories: ['karpenter'],
  description: 'A ClusterAPINodeClass selects the MachineDeployments of Cluster API that nodes are made from.',
  printerColumns: [readyColumn, ageColumn],
  spec: clusterApiNodeClassSpec,
  specRequired: false,
  status: clusterApiNodeClassStatus,
}
