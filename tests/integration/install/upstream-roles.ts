interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

const READ = ['get', 'list', 'watch']
const rule = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  names?: readonly string[],
): Rule => ({
  apiGroups: [group],
  resources,
  verbs,
  ...(names === undefined ? {} : { resourceNames: names }),
})

/** The permissions in Karpenter's own chart for AWS (`docs/spec/chart.md#roles`). */
const core = [
  rule('karpenter.sh', ['nodepools', 'nodepools/status'], [...READ, 'update', 'patch']),
  rule('karpenter.sh', ['nodeclaims', 'nodeclaims/status'], [...READ, 'create', 'delete', 'update', 'patch']),
  rule('karpenter.sh', ['nodeoverlays'], READ),
  rule('karpenter.sh', ['nodeoverlays/status'], [...READ, 'update', 'patch']),
  rule('autoscaling.x-k8s.io', ['capacitybuffers'], READ),
  rule('autoscaling.x-k8s.io', ['capacitybuffers/status'], [...READ, 'update', 'patch']),
  rule('', ['pods'], [...READ, 'delete']),
  rule('', ['pods/eviction'], ['create']),
  rule('', ['nodes'], [...READ, 'patch', 'delete', 'update']),
  rule(
    '',
    ['persistentvolumes', 'persistentvolumeclaims', 'replicationcontrollers', 'namespaces', 'podtemplates'],
    READ,
  ),
  rule('', ['events'], [...READ, 'create', 'patch']),
  rule('storage.k8s.io', ['storageclasses', 'csinodes', 'volumeattachments'], READ),
  rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], READ),
  rule('policy', ['poddisruptionbudgets'], READ),
]
const provider = [
  rule('karpenter.k8s.aws', ['ec2nodeclasses'], [...READ, 'patch', 'update']),
  rule('karpenter.k8s.aws', ['ec2nodeclasses/status'], ['patch', 'update']),
]
const leases = [
  rule('coordination.k8s.io', ['leases'], ['get', 'watch', 'create']),
  rule('coordination.k8s.io', ['leases'], ['patch', 'update'], ['karpenter-leader-election']),
]
const dns = [rule('', ['services'], ['get'], ['kube-dns'])]

/** Returns the roles that an upstream installation creates, with their names, and their bindings to its service account. */
export const upstreamRoles = (
  account: { readonly namespace: string; readonly name: string },
  { labels }: { readonly labels?: Readonly<Record<string, string>> } = {},
): readonly object[] => {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const bound = (name: string, rules: readonly Rule[], namespace?: string): readonly object[] => {
    const kind = namespace === undefined ? 'ClusterRole' : 'Role'
    const metadata = {
      name,
      ...(labels === undefined ? {} : { labels }),
      ...(namespace === undefined ? {} : { namespace }),
    }
    return [
      { apiVersion, kind, metadata, rules },
      {
        apiVersion,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
        subjects: [{ kind: 'ServiceAccount', ...account }],
      },
    ]
  }
  return [
    ...bound('karpenter-core', core),
    ...bound('karpenter', provider),
    ...bound('karpenter', leases, account.namespace),
    ...bound('karpenter-dns', dns, 'kube-system'),
  ]
}
