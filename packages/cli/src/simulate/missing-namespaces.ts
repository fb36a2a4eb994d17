import type { KubeObject, Namespace } from '@kerf/apis'

/** Namespaces that every cluster has. */
const ALWAYS = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/**
 * Returns the namespaces that the objects use but that have no Namespace object. A simulated cluster creates them, because
 * `kerf plan` also assumes that they exist.
 */
export const missingNamespaces = (objects: readonly KubeObject[]): readonly Namespace[] => {
  const known = new Set([
    ...ALWAYS,
    ...objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name),
  ])
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
}
