import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  atomicConditions,
  type CustomResource,
  listOf,
  mapOf,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
} from '@kerf/apis/schema'

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

const clusterApiNodeClassStatus = object(
  {
    // As in upstream, the list accepts the same type twice.
    conditions: optional(atomicConditions()),
  },
  { description: 'What the controllers found out about the MachineDeployments.' },
)

export interface ClusterAPINodeClassSpec extends Shape<typeof clusterApiNodeClassSpec> {}
export interface ClusterAPINodeClassStatus extends Shape<typeof clusterApiNodeClassStatus> {}

/** The node class for Machines of Cluster API (`providers/cluster-api/docs/spec/cluster-api.md#clusterapinodeclass`). */
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

/** The address of ClusterAPINodeClass in the API. */
export const clusterApiNodeClassKind = clusterApiNodeClassResource.kind
