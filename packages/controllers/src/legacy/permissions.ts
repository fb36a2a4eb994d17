import { karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { type LegacyTemplates, legacyKinds, legacyResources } from '@kerf/apis/legacy'
import { may, mirrors, type Permission } from '@kerf/runtime'

const when = 'LegacyApis'

/** Returns the additional RBAC rules that Kerf needs to serve the legacy API. */
export const legacyPermissions = (
  nodeClasses: readonly ResourceKind[],
  templates: LegacyTemplates,
): readonly Permission[] => {
  const template = templates.resource.kind
  return [
    may(['create'], kinds.CustomResourceDefinition, `installing the CRDs of Provisioner and ${template.kind}`, {
      when,
    }),
    mirrors(legacyKinds.Provisioner, 'reading the Provisioners from which NodePools are created', { when }),
    mirrors(template, `reading the ${template.kind}s from which node classes are created`, { when }),
    ...legacyResources(templates).map(({ kind }) =>
      may(['patch'], kind, 'status and conditions', { subresource: 'status', when }),
    ),
    may(['create', 'patch'], karpenterKinds.NodePool, 'keeping the NodePool in sync with its Provisioner', { when }),
    may(['get'], karpenterKinds.NodePool, 'checking the owner of an existing NodePool with the same name', {
      when,
      unseen: 'only needed if it was created at the same moment; otherwise the informer has it',
    }),
    ...nodeClasses.map((kind) =>
      may(['get', 'create', 'delete'], kind, `one node class for each ${template.kind}`, { when }),
    ),
    // Kerf does not change node classes of other kinds.
    ...nodeClasses
      .filter(({ group }) => group === templates.nodeClass.kind.group)
      .map((kind) => may(['patch'], kind, `keeping the node class in sync with its ${template.kind}`, { when })),
  ]
}
