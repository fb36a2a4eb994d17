interface Account {
  readonly namespace: string
  readonly name: string
}

const rule = (group: string, resources: readonly string[], verbs: readonly string[], names?: readonly string[]) => ({
  apiGroups: [group],
  resources,
  verbs,
  ...(names === undefined ? {} : { resourceNames: names }),
})

const read = ['get', 'list', 'watch'] as const

/** The matrix of rights of Karpenter's AWS chart, as `spec/core-api.md` 5.4 has it. */
const core = [
  rule('karpenter.sh', ['nodepools', 'nodepools/status'], [...read, 'update', 'patch']),
  rule('karpenter.sh', ['nodeclaims', 'nodeclaims/status'], [...read, 'create', 'delete', 'update', 'patch']),
  rule('karpenter.sh', ['nodeoverlays'], read),
  rule('karpenter.sh', ['nodeoverlays/status'], [...read, 'update', 'patch']),
  rule('autoscaling.x-k8s.io', ['capacitybuffers'], read),
  rule('autoscaling.x-k8s.io', ['capacitybuffers/status'], [...read, 'update', 'patch']),
  rule('', ['pods'], [...read, 'delete']),
  rule('', ['pods/eviction'], ['create']),
  rule('', ['nodes'], [...read, 'patch', 'delete', 'update']),
  rule(
    '',
    ['persistentvolumes', 'persistentvolumeclaims', 'replicationcontrollers', 'namespaces', 'podtemplates'],
    read,
  ),
  rule('', ['events'], [...read, 'create', 'patch']),
  rule('storage.k8s.io', ['storageclasses', 'csinodes', 'volumeattachments'], read),
  rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], read),
  rule('policy', ['poddisruptionbudgets'], read),
]
/** Of clusters that check owners; without the rule upstream could not set them there either. */
const owners = rule('karpenter.sh', ['nodepools/finalizers', 'nodeclaims/finalizers'], ['update'])
const provider = [
  rule('karpenter.k8s.aws', ['ec2nodeclasses'], [...read, 'patch', 'update']),
  rule('karpenter.k8s.aws', ['ec2nodeclasses/status'], ['patch', 'update']),
]
const leases = [
  rule('coordination.k8s.io', ['leases'], ['get', 'watch', 'create']),
  rule('coordination.k8s.io', ['leases'], ['patch', 'update'], ['karpenter-leader-election']),
]
const dns = [rule('', ['services'], ['get'], ['kube-dns'])]

/** The service account of an upstream installation with its roles, as one list for kubectl. */
export const upstreamRoles = (account: Account) => {
  const bound = (name: string, rules: readonly object[], namespace?: string) => {
    const kind = namespace === undefined ? 'ClusterRole' : 'Role'
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
    const apiVersion = 'rbac.authorization.k8s.io/v1'
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
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
      ...bound('karpenter-core', [...core, owners]),
      ...bound('karpenter', provider),
      ...bound('karpenter', leases, account.namespace),
      ...bound('karpenter-dns', dns, 'kube-system'),
    ],
  }
}
