import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import { object, optional, type Shape, text } from '../schema/field.ts'
import { relaxedConditions } from './condition-fields.ts'
import {
  expireAfter,
  nodeClassRef,
  noHostnameRule,
  ownDomainRule,
  requirements,
  resourceAmounts,
  startupTaints,
  taints,
  terminationGracePeriod,
} from './template-fields.ts'

const nodeClaimSpec = object(
  {
    taints: taints(),
    startupTaints: startupTaints(),
    requirements: requirements([ownDomainRule, noHostnameRule]),
    resources: optional(
      object(
        {
          requests: resourceAmounts(
            'The total requests of the pods planned for this node and of its DaemonSet pods. The node has at least these resources.',
          ),
        },
        { description: 'Resources that the node must have.' },
      ),
    ),
    nodeClassRef: nodeClassRef(),
    terminationGracePeriod: terminationGracePeriod(),
    expireAfter: expireAfter(),
  },
  {
    description: 'The desired node. Immutable.',
    rules: [{ rule: 'self == oldSelf', message: 'the spec of a NodeClaim may not be changed' }],
  },
)

const nodeClaimStatus = object(
  {
    nodeName: optional(text({ description: 'The name of the node, once it has registered.' })),
    providerID: optional(
      text({
        description: 'The provider ID of the instance, once it is launched. Equals spec.providerID of the node.',
      }),
    ),
    imageID: optional(text({ description: 'The image from which the instance was started.' })),
    capacity: resourceAmounts('The capacity of the instance, as the provider estimated it at launch.'),
    allocatable: resourceAmounts('The resources available to pods, as the provider estimated them at launch.'),
    lastPodEventTime: optional(
      text({
        description:
          'When a pod, except DaemonSet pods, was last added to or removed from the node. Written at most every ten seconds. consolidateAfter counts from this time.',
        format: 'date-time',
      }),
    ),
    conditions: optional(relaxedConditions()),
  },
  { description: 'The observed state of the node.' },
)

export interface NodeClaimSpec extends Shape<typeof nodeClaimSpec> {}
export interface NodeClaimStatus extends Shape<typeof nodeClaimStatus> {}

/**
 * A machine from its request to its termination: launch, registration, initialization, drain (`docs/spec/resources.md#nodeclaim`).
 */
export interface NodeClaim extends KubeObject {
  readonly spec: NodeClaimSpec
  readonly status?: NodeClaimStatus
}

const label = (key: string): string => `.metadata.labels.${key.replaceAll('.', '\\.')}`

export const nodeClaimResource: CustomResource<NodeClaim> = {
  kind: { group: 'karpenter.sh', version: 'v1', kind: 'NodeClaim', plural: 'nodeclaims', namespaced: false },
  singular: 'nodeclaim',
  shortNames: [],
  categories: ['karpenter'],
  description:
    'A NodeClaim represents one node, from the request for it to its termination. The controller creates NodeClaims from NodePools. Deleting one drains and terminates its node.',
  printerColumns: [
    { name: 'Type', type: 'string', jsonPath: label('node.kubernetes.io/instance-type') },
    { name: 'Capacity', type: 'string', jsonPath: label('karpenter.sh/capacity-type') },
    { name: 'Zone', type: 'string', jsonPath: label('topology.kubernetes.io/zone') },
    { name: 'Node', type: 'string', jsonPath: '.status.nodeName' },
    readyColumn,
    ageColumn,
    { name: 'ImageID', type: 'string', jsonPath: '.status.imageID', priority: 1 },
    { name: 'ID', type: 'string', jsonPath: '.status.providerID', priority: 1 },
    { name: 'NodePool', type: 'string', jsonPath: label('karpenter.sh/nodepool'), priority: 1 },
    { name: 'NodeClass', type: 'string', jsonPath: '.spec.nodeClassRef.name', priority: 1 },
    { name: 'Drifted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Drifted")].status', priority: 1 },
  ],
  spec: nodeClaimSpec,
  specRequired: true,
  status: nodeClaimStatus,
}
