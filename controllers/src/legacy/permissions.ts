import { karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { legacyKinds, legacyResources } from '@kerf/apis/legacy'
import { may, mirrors, type Permission } from '@kerf/runtime'

const when = 'LegacyApis'

/** What serving the old API takes besides. */
export const legacyPermissions = (nodeClasses: readonly ResourceKind[]): readonly Permission[] => [
  may(['create'], kinds.CustomResourceDefinition, 'the definitions of Provisioner and AWSNodeTemplate', { when }),
  mirrors(legacyKinds.Provisioner, 'what pools are to be like', { when }),
  mirrors(legacyKinds.AWSNodeTemplate, 'what node classes are to be like', { when }),
  ...legacyResources.map(({ kind }) =>
    may(['patch'], kind, 'what became of it, and conditions', { subresource: 'status', when }),
  ),
  may(['create', 'patch'], karpenterKinds.NodePool, 'keeping it in step with its Provisioner', { when }),
  may(['get'], karpenterKinds.NodePool, 'whose it is that has the name already', {
    when,
    unseen: 'the mirror knows it, unless it came in the same moment',
  }),
  ...nodeClasses.map((kind) => may(['get', 'create', 'delete'], kind, 'there is one for each template', { when })),
  // Of other classes the old objects say nothing, so those stay as they are.
  ...nodeClasses
    .filter(({ group }) => group === karpenterKinds.EC2NodeClass.group)
    .map((kind) => may(['patch'], kind, 'keeping it in step with its template', { when })),
]
