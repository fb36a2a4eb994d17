import type { DashboardCase } from './dashboard-case.ts'

/** Returns the CustomResourceDefinition of a case, with the case's schema and a status. */
export const caseDefinition = ({ example, plural, schema }: DashboardCase): object => {
  const [group = '', name = ''] = example.apiVersion.split('/')
  const { kind } = example
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        { name, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
      ],
    },
  }
}
