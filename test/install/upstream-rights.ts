interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

const READ = ['get', 'list', 'watch']
const rule = (group: string, resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: [group],
  resources,
  verbs,
})

/** What Karpenter's own chart for AWS allows, by the role it stands in (`spec/core-api.md` 5.4). */
export const upstreamRights = {
  'karpenter-core': [
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
  ],
  karpenter: [
    rule('karpenter.k8s.aws', ['ec2nodeclasses'], [...READ, 'patch', 'update']),
    rule('karpenter.k8s.aws', ['ec2nodeclasses/status'], ['patch', 'update']),
  ],
  'karpenter in the namespace': [
    rule('coordination.k8s.io', ['leases'], ['get', 'watch', 'create']),
    {
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      resourceNames: ['karpenter-leader-election'],
      verbs: ['patch', 'update'],
    },
  ],
  'karpenter-dns in kube-system': [
    { apiGroups: [''], resources: ['services'], resourceNames: ['kube-dns'], verbs: ['get'] },
  ],
} as const satisfies Readonly<Record<string, readonly Rule[]>>
