import type { ResourceKind } from '@kerf/apis'
import { stringify } from 'yaml'

/** Returns a ClusterRole as YAML that allows only the reads that a command needs. */
export const readerRole = (
  name: string,
  kinds: readonly Pick<ResourceKind, 'group' | 'plural'>[],
  verbs: readonly ('list' | 'watch')[] = ['list'],
): string => {
  const byGroup = Map.groupBy(kinds, ({ group }) => group)
  return stringify({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `kerf-${name}` },
    rules: [...byGroup].map(([group, own]) => ({
      apiGroups: [group],
      resources: [...new Set(own.map(({ plural }) => plural))].sort(),
      verbs: [...verbs],
    })),
  })
}
