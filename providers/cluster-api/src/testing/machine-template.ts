import { groupVersion, type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

/** Returns the kind of an infrastructure's machine templates. */
export const templateKind = (kind: string, version: string): ResourceKind => ({
  group: 'infrastructure.cluster.x-k8s.io',
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
})

/** Installs the kind, and creates a template that publishes the capacity of its machines. */
export const installTemplate = async (
  admin: KubeClient,
  kind: ResourceKind,
  name: string,
  status: object,
): Promise<void> => {
  await admin.create(kinds.CustomResourceDefinition, {
    apiVersion: groupVersion(kinds.CustomResourceDefinition),
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}` },
    spec: {
      group: kind.group,
      names: { kind: kind.kind, plural: kind.plural, singular: kind.kind.toLowerCase(), listKind: `${kind.kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  })
  const template: KubeObject & { readonly status: object } = {
    apiVersion: groupVersion(kind),
    kind: kind.kind,
    metadata: { namespace: 'default', name },
    status,
  }
  await admin.create<KubeObject>(kind, template)
}
