import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  atomicConditions,
  type CustomResource,
  listField,
  mapField,
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
        'The operator: In, NotIn, Exists or DoesNotExist. The API server accepts any string; with another operator the class selects nothing, and the MembersClear condition reports it.',
    }),
    values: optional(
      listField(anyText(), {
        description: 'The values of In and NotIn, at least one. Exists and DoesNotExist take none.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'A label requirement.' },
)

const clusterApiNodeClassSpec = object(
  {
    scalableResourceSelector: optional(
      object(
        {
          matchExpressions: optional(
            listField(selectorRequirement, {
              description: 'Label requirements, all of which must be met.',
              listType: 'atomic',
            }),
          ),
          matchLabels: optional(mapField(anyText(), { description: 'Labels with their required values.' })),
        },
        {
          description:
            'Selects the MachineDeployments of the nodes by label. They must belong to the Cluster of this cluster. Absent or empty: MachineDeployments whose label node.cluster.x-k8s.io/karpenter-member has an empty value.',
          mapType: 'atomic',
        },
      ),
    ),
  },
  { description: 'The MachineDeployments of the nodes.' },
)

const clusterApiNodeClassStatus = object(
  {
    // As in upstream, the list may contain several conditions of one type.
    conditions: optional(atomicConditions()),
  },
  { description: 'The observed state of the MachineDeployments.' },
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
  description: 'A ClusterAPINodeClass selects the MachineDeployments of Cluster API from which nodes are created.',
  printerColumns: [readyColumn, ageColumn],
  spec: clusterApiNodeClassSpec,
  specRequired: false,
  status: clusterApiNodeClassStatus,
}

/** The API group, version and kind of ClusterAPINodeClass. */
export const clusterApiNodeClassKind = clusterApiNodeClassResource.kind
