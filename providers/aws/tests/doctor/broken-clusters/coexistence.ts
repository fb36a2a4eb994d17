import {
  annotate,
  type Broken,
  DO_NOT_DISRUPT,
  event,
  exported,
  findPods,
  get,
  type Objects,
  SAFE_TO_EVICT,
} from './broken.ts'

const flags = (objects: Objects, ...words: readonly string[]): void => {
  get(objects, 'Deployment', 'cluster-autoscaler')['spec'].template.spec.containers[0].command.push(...words)
}

/** Faults in the coexistence of Kerf with Cluster Autoscaler and with other programs that move pods. */
/** Returns the Lease of a Karpenter controller that was last renewed at the given time. */
const controllerLease = (namespace: string, time: string): Objects[number] => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    name: 'karpenter-leader-election',
    namespace,
    managedFields: [{ manager: 'karpenter', operation: 'Update', time }],
  },
  spec: { holderIdentity: `${namespace}_1`, renewTime: time, leaseDurationSeconds: 15 },
})

export const coexistenceFaults: Readonly<Record<string, Broken>> = {
  'a workload that tolerates both taints': {
    id: 'COX-002',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'web')) pod['spec'].tolerations = [{ key: 'autoscaler', operator: 'Exists' }]
    },
    objects: ['Deployment shop/web'],
  },
  'a scale-up within a minute of a NodeClaim': {
    id: 'COX-003',
    breaks: (objects) => {
      objects.push(event('ScaledUpGroup', 'ConfigMap', 'kube-system', 'cluster-autoscaler-status'))
      get(objects, 'NodeClaim', 'default-new-a')['metadata'].creationTimestamp = '2026-08-22T09:00:10Z'
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a scale-up that an event of many tells of last': {
    id: 'COX-003',
    breaks: (objects) => {
      objects.push({
        ...event('ScaledUpGroup', 'ConfigMap', 'kube-system', 'cluster-autoscaler-status'),
        firstTimestamp: '2026-08-22T07:10:00Z',
        count: 12,
      })
      get(objects, 'NodeClaim', 'default-new-a')['metadata'].creationTimestamp = '2026-08-22T09:00:10Z'
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a scale-up that an event of many tells of first': {
    id: 'COX-003',
    breaks: (objects) => {
      objects.push({
        ...event('ScaledUpGroup', 'ConfigMap', 'kube-system', 'cluster-autoscaler-status'),
        lastTimestamp: '2026-08-22T09:00:50Z',
        count: 2,
      })
      get(objects, 'NodeClaim', 'default-new-a')['metadata'].creationTimestamp = '2026-08-22T08:58:40Z'
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a pod that both launched a node for': {
    id: 'COX-003',
    breaks: (objects) => {
      objects.push(
        event('TriggeredScaleUp', 'Pod', 'shop', 'web-7d9-0'),
        { ...event('Nominated', 'Pod', 'shop', 'web-7d9-0'), message: 'Pod should schedule on: nodeclaim/default-a' },
        event('TriggeredScaleUp', 'Pod', 'shop', 'web-7d9-1'),
        {
          ...event('Nominated', 'Pod', 'shop', 'web-7d9-1'),
          message: 'Pod should schedule on: nodeclaim/default-new-a, node/new-a',
        },
      )
    },
    objects: ['Pod shop/web-7d9-0'],
  },
  'a workload that both evicted': {
    id: 'COX-004',
    breaks: (objects) => {
      objects.push(event('ScaleDown', 'Pod', 'shop', 'web-7d9-old'), event('Evicted', 'Pod', 'shop', 'web-7d9-older'))
    },
    objects: ['Deployment shop/web'],
  },
  'an unhealthy Cluster Autoscaler': {
    id: 'COX-005',
    breaks: (objects) => {
      const { data } = get(objects, 'ConfigMap', 'cluster-autoscaler-status') as { data: Record<string, string> }
      data['status'] = (data['status'] ?? '').replace('status: Healthy', 'status: Unhealthy')
    },
    objects: ['ConfigMap kube-system/cluster-autoscaler-status'],
  },
  'a ceiling of six nodes over six': {
    id: 'COX-006',
    breaks: (objects) => flags(objects, '--max-nodes-total=6'),
    objects: ['Deployment kube-system/cluster-autoscaler'],
  },
  'the controller in a group that may shrink': {
    id: 'COX-007',
    breaks: (objects) => {
      const { data } = get(objects, 'ConfigMap', 'cluster-autoscaler-status') as { data: Record<string, string> }
      data['status'] = (data['status'] ?? '').replace('minSize: 2', 'minSize: 1')
    },
    objects: ['Node system-a', 'Node system-b'],
  },
  'a pod that only Cluster Autoscaler knows as protected': {
    id: 'COX-008',
    breaks: (objects) => annotate(objects, 'web', { [SAFE_TO_EVICT]: 'false' }),
    objects: ['Deployment shop/web'],
  },
  'local storage without a word': {
    id: 'COX-009',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'web')) pod['spec'].volumes = [{ name: 'cache', emptyDir: {} }]
    },
    objects: ['Deployment shop/web'],
  },
  'a taint that a killed Cluster Autoscaler left': {
    id: 'COX-010',
    breaks: (objects) => {
      get(objects, 'Node', 'old-a')['spec'].taints.push({
        key: 'DeletionCandidateOfClusterAutoscaler',
        value: String(Date.parse('2026-08-22T07:00:00Z') / 1_000),
        effect: 'PreferNoSchedule',
      })
    },
    objects: ['Node old-a'],
  },
  'Cluster Autoscaler on AWS, and nodes without its annotation': {
    id: 'COX-011',
    breaks: (objects) => flags(objects, '--cloud-provider=aws'),
    objects: ['NodePool default'],
  },
  'a second Karpenter': {
    id: 'COX-012',
    breaks: (objects) => {
      const { spec, metadata, ...rest } = get(objects, 'Deployment', 'karpenter')
      const budget = get(objects, 'PodDisruptionBudget', 'karpenter')
      objects.push(
        { ...rest, spec, metadata: { ...metadata, namespace: 'karpenter', uid: 'second' } },
        { ...budget, metadata: { name: 'karpenter', namespace: 'karpenter' } },
      )
    },
    objects: ['Deployment kube-system/karpenter', 'Deployment karpenter/karpenter'],
    // The service account of the second Karpenter has no role and no FlowSchema, so these checks also fail.
    besides: ['CTL-004', 'CTL-007'],
  },
  'a second Karpenter outside the cluster, with a Lease of its own': {
    id: 'COX-012',
    breaks: (objects) => {
      for (const namespace of ['kube-system', 'second'])
        objects.push(controllerLease(namespace, '2026-08-22T09:00:48Z'))
      // The check ignores both Leases. The first one belongs to an observing Kerf. The holder of the second one has stopped renewing it.
      const { metadata, ...rest } = controllerLease('third', '2026-08-22T09:00:49Z')
      objects.push({ ...rest, metadata: { ...metadata, name: 'kerf-observe' } })
      objects.push(controllerLease('fourth', '2026-08-22T08:58:00Z'))
    },
    objects: ['Lease kube-system/karpenter-leader-election', 'Lease second/karpenter-leader-election'],
  },
  'a termination handler beside the queue': {
    id: 'COX-013',
    breaks: (objects) => {
      const { spec, metadata, ...rest } = get(objects, 'DaemonSet', 'aws-node')
      objects.push({ ...rest, spec, metadata: { ...metadata, name: 'aws-node-termination-handler' } })
    },
    objects: ['DaemonSet kube-system/aws-node-termination-handler'],
  },
  'buffers that both serve': {
    id: 'COX-014',
    breaks: (objects) => {
      flags(objects, '--capacity-buffer-controller-enabled=true')
      const [container] = get(objects, 'Deployment', 'karpenter')['spec'].template.spec.containers
      container.env[1].value = 'CapacityBuffer=true'
      objects.push({
        apiVersion: 'autoscaling.x-k8s.io/v1beta1',
        kind: 'CapacityBuffer',
        metadata: { name: 'spare', namespace: 'shop' },
      })
    },
    objects: ['CapacityBuffer shop/spare'],
  },
  'a group that balances zones by itself': {
    id: 'COX-015',
    breaks: (_objects, cloud) => {
      exported(cloud, 'AutoScalingGroups')['AutoScalingGroups'][0].SuspendedProcesses = []
    },
    objects: ['AutoScalingGroup eks-workers-1234'],
  },
  'a descheduler that spreads': {
    id: 'COX-016',
    breaks: (objects) => {
      objects.push({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'descheduler', namespace: 'kube-system' },
        data: {
          'policy.yaml': 'kind: DeschedulerPolicy\nprofiles:\n- pluginConfig:\n  - name: "LowNodeUtilization"\n',
        },
      })
    },
    objects: ['ConfigMap kube-system/descheduler'],
  },
  'NotTriggerScaleUp on a pod that a NodePool serves': {
    id: 'COX-017',
    breaks: (objects) => {
      objects.push(event('NotTriggerScaleUp', 'Pod', 'shop', 'web-7d9-1'))
    },
    objects: ['Deployment shop/web'],
  },
  'a pod that only Karpenter knows as protected': {
    id: 'COX-018',
    breaks: (objects) => {
      annotate(objects, 'reports', { [DO_NOT_DISRUPT]: 'true' })
      // One node of the group is already draining. Cluster Autoscaler may still remove the next one, so the pod is not protected.
      const value = String(Date.parse('2026-08-22T09:00:30Z') / 1_000)
      const taint = { key: 'ToBeDeletedByClusterAutoscaler', value, effect: 'NoSchedule' }
      get(objects, 'Node', 'old-a')['spec'].taints.push(taint)
    },
    objects: ['Deployment shop/reports'],
  },
}
