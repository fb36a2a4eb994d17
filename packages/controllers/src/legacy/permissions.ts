import { karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { legacyKinds, legacyResources } from '@kerf/apis/legacy'
import { may, mirrors, type Permission } from '@kerf/runtime'

const when = 'LegacyApis'

/** Returns the additional permissions for the legacy API. */
export const legacyPermissions = (nodeClasses: readonly ResourceKind[]): readonly Permission[] => [
  may(['create'], kinds.CustomResourceDefinition, 'installing the CRDs of Provisioner and AWSNodeTemplate', { when }),
  mirrors(legacyKinds.Provisioner, 'reading the Provisioners that NodePools are made from', { when }),
  mirrors(legacyKinds.AWSNodeTemplate, 'reading the AWSNodeTemplates that node classes are made from', { when }),
  ...legacyResources.map(({ kind }) => may(['patch'], kind, 'status and conditions', { subresource: 'status', when })),
  may(['create', 'patch'], karpenterKinds.NodePool, 'keeping the NodePool equal to its Provisioner', { when }),
  may(['get'], karpenterKinds.NodePool, 'checking who owns a NodePool that has the name already', {
    when,
    unseen: 'the informer knows it, unless it was created at the same moment',
  }),
  ...nodeClasses.map((kind) =>
    may(['get', 'create', 'delete'], kind, 'one node class for each AWSNodeTemplate', { when }),
  ),
  // Node classes of other kinds are never changed.
  ...nodeClasses
    .filter(({ group }) => group === karpenterKinds.EC2NodeClass.group)
    .map((kind) => may(['patch'], kind, 'keeping the node class equal to its AWSNodeTemplate', { when })),
]
