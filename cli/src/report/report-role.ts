import { stringify } from 'yaml'
import { reportKinds } from './cluster-reader.ts'

/** A ClusterRole with every right that a report can use: `list`, and nothing else. */
export const reportRole = (): string => {
  const byGroup = Map.groupBy(reportKinds, ({ group }) => group)
  return stringify({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'kerf-report' },
    rules: [...byGroup].map(([group, kinds]) => ({
      apiGroups: [group],
      resources: kinds.map(({ plural }) => plural).sort(),
      verbs: ['list'],
    })),
  })
}
