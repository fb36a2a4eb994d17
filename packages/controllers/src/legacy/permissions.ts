import { karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { type LegacyTemplates, legacyKinds, legacyResources } from '@kerf/apis/legacy'
import { may, mirrors, type Permission } from '@kerf/runtime'

const when = 'LegacyApis'

/** Returns the additional permissions for the legacy API. */
export const legacyPermissions = (
  nodeClasses: readonly ResourceKind[],
  templates: LegacyTemplates,
): readonly Permission[] => {
  const template = templates.resource.kind
  return [
    may(['create'], kinds.CustomResourceDefinition, `installing the CRDs of Provisioner and ${template.kind}`, {
      when,
    }),
    mirrors(legacyKinds.Provisioner, 'reading the Provisioners that NodePools are made from', { when }),
    mirrors(template, `reading the ${template.kind}s that node classes are made from`, { when }),
    ...legacyResources(templates).map(({ kind }) =>
      may(['patch'], kind, 'status and conditions', { subresource: 'status', when }),
    ),
    may(['create', 'patch'], karpenterKinds.NodePool, 'keeping the NodePool equal to its Provisioner', { when }),
    may(['get'], karpenterKinds.NodePool, 'checking who owns a NodePool that has the name already', {
      when,
      unseen: 'the informer knows it, unless it was created at the same moment',
    }),
    ...nodeClasses.map((kind) =>
      may(['get', 'create', 'delete'], kind, `one node class for each ${template.kind}`, { when }),
    ),
    // Node classes of other kinds are never changed.
    ...nodeClasses
      .filter(({ group }) => group === templates.nodeClass.kind.group)
      .map((kind) => may(['patch'], kind, `keeping the node class equal to its ${template.kind}`, { when })),
  ]
}
