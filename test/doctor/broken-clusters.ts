import { ec2NodeClass, pod } from '@kerf/testing'

/** What `JSON.parse` returns for an object: a test breaks any field, which need not be of the right type afterwards. */
export type Loose = Record<string, ReturnType<typeof JSON.parse>>
/** Objects as parsed, to be changed in place. */
export type Objects = Loose[]

/** A cluster in order with one fault in it. */
export interface Broken {
  readonly id: string
  readonly breaks: (objects: Objects, cloud: Objects) => void
  readonly objects: readonly string[]
  /** Other checks that the same fault triggers. */
  readonly besides?: readonly string[]
  readonly severity?: 'critical' | 'warning' | 'information'
}

const get = (objects: Objects, kind: string, name: string): Loose => {
  const found = objects.find((each) => each['kind'] === kind && each['metadata'].name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name} to break`)
  return found
}

/** The pod templates and the pods of a Deployment. */
const podsOf = (objects: Objects, name: string): readonly Loose[] => [
  get(objects, 'Deployment', name)['spec'].template,
  get(objects, 'ReplicaSet', `${name}-7d9`)['spec'].template,
  ...objects.filter((each) => each['kind'] === 'Pod' && each['metadata'].name.startsWith(`${name}-7d9-`)),
]

const annotate = (objects: Objects, name: string, annotations: Record<string, string>): void => {
  for (const pod of podsOf(objects, name))
    pod['metadata'].annotations = { ...pod['metadata'].annotations, ...annotations }
}

const flags = (objects: Objects, ...words: readonly string[]): void => {
  get(objects, 'Deployment', 'cluster-autoscaler')['spec'].template.spec.containers[0].command.push(...words)
}

const pool = (objects: Objects): Loose => get(objects, 'NodePool', 'default')

const event = (reason: string, kind: string, namespace: string, name: string): Loose => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${reason}-${name}`, namespace },
  involvedObject: { kind, namespace, name },
  reason,
  firstTimestamp: '2026-08-22T08:59:30Z',
  lastTimestamp: '2026-08-22T08:59:30Z',
})

const move = (objects: Objects, name: string, ...nodes: readonly string[]): void => {
  const pods = objects.filter((each) => each['kind'] === 'Pod' && each['metadata'].name.startsWith(`${name}-7d9-`))
  for (const [index, pod] of pods.entries()) pod['spec'].nodeName = nodes[index % nodes.length]
}

/** The document of an export that holds the field. */
const exported = (cloud: Objects, field: string): Loose => {
  const found = cloud.find((each) => field in each)
  if (found === undefined) throw new Error(`there is no export of ${field} to break`)
  return found
}

/** Has the NodePool launch on AWS, with the EC2NodeClass of the cluster. */
const onAws = (objects: Objects): void => {
  pool(objects)['spec'].template.spec.nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' }
}

const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt'
const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'

const pendingPod = (spec: Loose = {}): Loose => ({
  ...pod('alone', {
    namespace: 'shop',
    annotations: { [SAFE_TO_EVICT]: 'true' },
    requests: { cpu: '1', memory: '1Gi' },
    spec,
  }),
})

const ec2Class = (amiSelectorTerms: readonly object[]): Loose => ({
  ...ec2NodeClass('web', { spec: { amiSelectorTerms, role: 'node' } }),
})

const replaceClass = (objects: Objects, by: Loose): void => {
  objects.splice(objects.indexOf(get(objects, 'EC2NodeClass', 'web')), 1, by)
}

/** A fault for each check, by what it is. */
export const brokenClusters: Readonly<Record<string, Broken>> = {
  'a workload that tolerates both taints': {
    id: 'COX-002',
    breaks: (objects) => {
      for (const pod of podsOf(objects, 'web')) pod['spec'].tolerations = [{ key: 'autoscaler', operator: 'Exists' }]
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
      for (const pod of podsOf(objects, 'web')) pod['spec'].volumes = [{ name: 'cache', emptyDir: {} }]
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
    // Its account has no role, and shares its level with all others.
    besides: ['CTL-004', 'CTL-007'],
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
      // A node of the group drains just now: the next one of the group will not.
      const value = String(Date.parse('2026-08-22T09:00:30Z') / 1_000)
      const taint = { key: 'ToBeDeletedByClusterAutoscaler', value, effect: 'NoSchedule' }
      get(objects, 'Node', 'old-a')['spec'].taints.push(taint)
    },
    objects: ['Deployment shop/reports'],
  },
  'a replica of the controller that is not ready': {
    id: 'CTL-001',
    breaks: (objects) => {
      get(objects, 'Deployment', 'karpenter')['status'].readyReplicas = 1
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'the controller on its own nodes': {
    id: 'CTL-001',
    breaks: (objects) => move(objects, 'karpenter', 'new-a', 'system-b'),
    objects: ['Pod kube-system/karpenter-7d9-0'],
  },
  'a CRD that serves v1beta1 only': {
    id: 'CTL-003',
    breaks: (objects) => {
      const crd = get(objects, 'CustomResourceDefinition', 'nodepools.karpenter.sh')
      crd['spec'].versions = [{ name: 'v1beta1', served: true, storage: true }]
    },
    objects: ['CustomResourceDefinition nodepools.karpenter.sh'],
    severity: 'critical',
  },
  'a CRD with an older stored version': {
    id: 'CTL-003',
    breaks: (objects) => {
      const crd = get(objects, 'CustomResourceDefinition', 'nodepools.karpenter.sh')
      crd['status'].storedVersions = ['v1beta1', 'v1']
    },
    objects: ['CustomResourceDefinition nodepools.karpenter.sh'],
    severity: 'warning',
  },
  'one replica of the controller': {
    id: 'CTL-006',
    breaks: (objects) => {
      const controller = get(objects, 'Deployment', 'karpenter')
      controller['spec'].replicas = 1
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a webhook whose backends run on NodePools alone': {
    id: 'CTL-008',
    breaks: (objects) => {
      objects.push({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'policy' },
        webhooks: [
          {
            failurePolicy: 'Fail',
            rules: [{ apiGroups: [''], resources: ['pods'] }],
            clientConfig: { service: { namespace: 'shop', name: 'web' } },
          },
        ],
      })
    },
    objects: ['ValidatingWebhookConfiguration policy'],
  },
  'a NodeOverlay without its feature gate': {
    id: 'CTL-010',
    breaks: (objects) => {
      objects.push({ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name: 'cheap' }, spec: {} })
    },
    objects: ['NodeOverlay cheap'],
  },
  'DNS on nodes of NodePools': {
    id: 'CTL-011',
    breaks: (objects) => move(objects, 'coredns', 'new-a', 'new-b'),
    objects: ['Pod kube-system/coredns-7d9-0', 'Pod kube-system/coredns-7d9-1'],
  },
  'a critical workload on nodes of NodePools': {
    id: 'CTL-012',
    breaks: (objects) => {
      for (const pod of podsOf(objects, 'web')) pod['spec'].priorityClassName = 'system-cluster-critical'
    },
    objects: ['Deployment shop/web'],
  },
  'a NodePool that is not ready': {
    id: 'POOL-001',
    breaks: (objects) => {
      pool(objects)['status'].conditions = [{ type: 'Ready', status: 'False', reason: 'NodeClassNotReady' }]
    },
    objects: ['NodePool default'],
  },
  'requirements that admit nothing': {
    id: 'POOL-002',
    breaks: (objects) => {
      pool(objects)['spec'].template.spec.requirements.push({
        key: 'node.kubernetes.io/instance-type',
        operator: 'In',
        values: ['z9.mega'],
      })
    },
    objects: ['NodePool default'],
  },
  'two NodePools for the same pods': {
    id: 'POOL-003',
    breaks: (objects) => {
      const { metadata, ...rest } = pool(objects)
      objects.push({ ...rest, metadata: { ...metadata, name: 'second' } })
    },
    objects: ['NodePool default', 'NodePool second'],
  },
  'no limits': {
    id: 'POOL-004',
    breaks: (objects) => {
      delete pool(objects)['spec'].limits
    },
    objects: ['NodePool default'],
  },
  'a limit that is used up': {
    id: 'POOL-005',
    breaks: (objects) => {
      pool(objects)['spec'].limits = { cpu: '8' }
    },
    objects: ['NodePool default'],
  },
  'spot of one instance type': {
    id: 'POOL-006',
    breaks: (objects) => {
      pool(objects)['spec'].template.spec.requirements.push({
        key: 'node.kubernetes.io/instance-type',
        operator: 'In',
        values: ['m-4x-amd64-linux'],
      })
    },
    objects: ['NodePool default'],
  },
  'a budget of zero': {
    id: 'POOL-007',
    breaks: (objects) => {
      pool(objects)['spec'].disruption.budgets = [{ nodes: '0' }]
    },
    objects: ['NodePool default'],
  },
  'a budget whose schedule cannot be read': {
    id: 'POOL-007',
    breaks: (objects) => {
      pool(objects)['spec'].disruption.budgets = [{ nodes: '1', schedule: '0 9 * * 7', duration: '8h' }]
    },
    objects: ['NodePool default'],
  },
  'a protected pod, and no end of draining': {
    id: 'POOL-008',
    breaks: (objects) => {
      annotate(objects, 'web', { [DO_NOT_DISRUPT]: '24h', [SAFE_TO_EVICT]: 'false' })
      delete pool(objects)['spec'].template.spec.terminationGracePeriod
    },
    objects: ['NodePool default'],
  },
  'twelve nodes of one hour': {
    id: 'POOL-009',
    breaks: (objects) => {
      const { metadata, ...claim } = get(objects, 'NodeClaim', 'default-new-a')
      for (let count = 0; count < 10; count++)
        objects.push({ ...claim, metadata: { ...metadata, name: `default-${count}`, uid: `c-${count}` } })
    },
    objects: ['NodePool default'],
  },
  'a CNI that tolerates nothing': {
    id: 'POOL-010',
    breaks: (objects) => {
      delete get(objects, 'DaemonSet', 'aws-node')['spec'].template.spec.tolerations
    },
    objects: ['NodePool default'],
  },
  'an image that is not pinned': {
    id: 'POOL-011',
    breaks: (objects) => {
      replaceClass(objects, ec2Class([{ alias: 'al2023@latest' }]))
      pool(objects)['spec'].template.spec.nodeClassRef = {
        group: 'karpenter.k8s.aws',
        kind: 'EC2NodeClass',
        name: 'web',
      }
    },
    objects: ['EC2NodeClass web'],
    severity: 'warning',
  },
  'a node class that finds no subnet': {
    id: 'POOL-011',
    breaks: (objects) => {
      replaceClass(objects, {
        ...ec2Class([{ alias: 'al2023@v20260801' }]),
        status: { conditions: [], subnets: [] },
      })
      pool(objects)['spec'].template.spec.nodeClassRef = {
        group: 'karpenter.k8s.aws',
        kind: 'EC2NodeClass',
        name: 'web',
      }
    },
    objects: ['EC2NodeClass web'],
    severity: 'critical',
  },
  'a drifted node': {
    id: 'POOL-016',
    breaks: (objects) => {
      get(objects, 'NodeClaim', 'default-new-a')['status'].conditions.push({
        type: 'Drifted',
        status: 'True',
        reason: 'NodePoolDrifted',
      })
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a PodDisruptionBudget that never allows an eviction': {
    id: 'WL-001',
    breaks: (objects) => {
      const budget = get(objects, 'PodDisruptionBudget', 'reports')
      budget['spec'] = { ...budget['spec'], maxUnavailable: 0 }
      budget['status'].disruptionsAllowed = 0
    },
    objects: ['PodDisruptionBudget shop/reports'],
  },
  'two PodDisruptionBudgets over one pod': {
    id: 'WL-001',
    breaks: (objects) => {
      const budget = get(objects, 'PodDisruptionBudget', 'web')
      objects.push({ ...budget, metadata: { name: 'web-too', namespace: 'shop' } })
    },
    objects: ['PodDisruptionBudget shop/web', 'PodDisruptionBudget shop/web-too'],
  },
  'one replica': {
    id: 'WL-002',
    breaks: (objects) => {
      get(objects, 'Deployment', 'reports')['spec'].replicas = 1
    },
    objects: ['Deployment shop/reports'],
  },
  'no requests': {
    id: 'WL-003',
    breaks: (objects) => {
      for (const pod of podsOf(objects, 'reports')) delete pod['spec'].containers[0].resources
    },
    objects: ['Deployment shop/reports'],
  },
  'a resource that nothing has': {
    id: 'WL-010',
    breaks: (objects) => {
      for (const each of podsOf(objects, 'reports'))
        each['spec'].containers[0].resources.requests['example.com/fpga'] = '1'
    },
    objects: ['Deployment shop/reports'],
  },
  'a pending pod that nothing can run': {
    id: 'WL-004',
    breaks: (objects) => {
      objects.push(pendingPod({ nodeSelector: { 'example.com/nowhere': 'yes' } }))
    },
    objects: ['Pod shop/alone'],
  },
  'a pod that takes longer than its NodePool gives': {
    id: 'WL-005',
    breaks: (objects) => {
      for (const pod of podsOf(objects, 'web')) pod['spec'].terminationGracePeriodSeconds = 7_200
    },
    objects: ['Pod shop/web-7d9-0', 'Pod shop/web-7d9-1', 'Pod shop/web-7d9-2'],
  },
  'a selector of a node group that is gone': {
    id: 'WL-006',
    breaks: (objects) => {
      for (const pod of podsOf(objects, 'reports'))
        pod['spec'].nodeSelector = { 'alpha.eksctl.io/nodegroup-name': 'gone' }
    },
    objects: ['Deployment shop/reports'],
  },
  'many pods that prefer a node each': {
    id: 'WL-008',
    breaks: (objects) => {
      get(objects, 'Deployment', 'web')['spec'].replicas = 12
      for (const pod of podsOf(objects, 'web'))
        pod['spec'].topologySpreadConstraints = [
          { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 1 },
        ]
    },
    objects: ['Deployment shop/web'],
  },
  'a DaemonSet without a priority class': {
    id: 'WL-009',
    breaks: (objects) => {
      delete get(objects, 'DaemonSet', 'aws-node')['spec'].template.spec.priorityClassName
    },
    objects: ['DaemonSet kube-system/aws-node'],
  },
  'a pod that has been protected for two weeks': {
    id: 'WL-011',
    breaks: (objects) => {
      annotate(objects, 'web', { [DO_NOT_DISRUPT]: 'true', [SAFE_TO_EVICT]: 'false' })
      const [, , first] = podsOf(objects, 'web')
      if (first !== undefined) first['metadata'].creationTimestamp = '2026-08-08T09:00:00Z'
    },
    objects: ['Pod shop/web-7d9-0'],
  },
  'a node that has been draining for an hour': {
    id: 'WL-012',
    breaks: (objects) => {
      get(objects, 'NodeClaim', 'default-new-a')['metadata'].deletionTimestamp = '2026-08-22T08:00:00Z'
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a gated pod': {
    id: 'WL-013',
    breaks: (objects) => {
      const gated = pendingPod({ schedulingGates: [{ name: 'example.com/quota' }] })
      gated['status'] = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }
      objects.push(gated)
    },
    objects: ['Pod shop/alone'],
  },
  'a group that balances zones by itself': {
    id: 'COX-015',
    breaks: (_objects, cloud) => {
      exported(cloud, 'AutoScalingGroups')['AutoScalingGroups'][0].SuspendedProcesses = []
    },
    objects: ['AutoScalingGroup eks-workers-1234'],
  },
  'no room for the controller on the other node': {
    id: 'CTL-002',
    breaks: (objects) => {
      get(objects, 'Node', 'system-b')['status'].allocatable.memory = '1Gi'
    },
    objects: ['Node system-a'],
  },
  'a role without NodeClaims': {
    id: 'CTL-004',
    breaks: (objects) => {
      const everything = { apiGroups: ['', 'apps', 'policy', 'storage.k8s.io'], resources: ['*'], verbs: ['*'] }
      get(objects, 'ClusterRole', 'karpenter')['rules'] = [everything]
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a memory limit that is too small': {
    id: 'CTL-005',
    breaks: (objects) => {
      const [container] = get(objects, 'Deployment', 'karpenter')['spec'].template.spec.containers
      container.resources.limits = { memory: '256Mi' }
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a flow schema that all share': {
    id: 'CTL-007',
    breaks: (objects) => {
      const schema = get(objects, 'FlowSchema', 'kube-system-service-accounts')
      objects.splice(objects.indexOf(schema), 1)
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a kubelet that is four releases behind': {
    id: 'CTL-009',
    breaks: (objects) => {
      get(objects, 'Node', 'new-a')['status'].nodeInfo.kubeletVersion = 'v1.32.4-eks-1'
    },
    objects: ['Node new-a'],
  },
  'a subnet with forty addresses': {
    id: 'POOL-012',
    breaks: (objects, cloud) => {
      onAws(objects)
      exported(cloud, 'Subnets')['Subnets'][0].AvailableIpAddressCount = 40
      pool(objects)['spec'].limits = { nodes: '50' }
    },
    objects: ['NodePool default'],
  },
  'a node group whose pods take the role of the node': {
    id: 'POOL-013',
    breaks: (_objects, cloud) => {
      const [version] = exported(cloud, 'LaunchTemplateVersions')['LaunchTemplateVersions']
      version.LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit = 2
    },
    objects: ['EC2NodeClass web'],
  },
  'two security groups with the tag of the cluster': {
    id: 'POOL-014',
    breaks: (objects) => {
      get(objects, 'EC2NodeClass', 'web')['status'].securityGroups.push({ id: 'sg-b' })
    },
    objects: ['EC2NodeClass web'],
  },
  'two roles and no taint': {
    id: 'POOL-015',
    breaks: (objects) => {
      onAws(objects)
      const strong = structuredClone(get(objects, 'EC2NodeClass', 'web'))
      strong['metadata'].name = 'strong'
      strong['spec'].role = 'admin'
      const second = structuredClone(pool(objects))
      second['metadata'].name = 'second'
      second['spec'].weight = 10
      second['spec'].template.spec.nodeClassRef.name = 'strong'
      objects.push(strong, second)
      for (const each of [pool(objects), second]) delete each['spec'].template.spec.taints
    },
    objects: ['NodePool default', 'NodePool second'],
    // Without a taint both NodePools are open to every pod, and the role is one that the cluster does not know.
    besides: ['CLD-003', 'COX-002'],
  },
  'six nodes of a pool of two gone within the hour': {
    id: 'POOL-017',
    breaks: (objects) => {
      for (let count = 0; count < 6; count++)
        objects.push(event('DisruptionTerminating', 'NodeClaim', '', `default-aaaa${count}`))
    },
    objects: ['NodePool default'],
  },
  'a volume in a zone of nobody': {
    id: 'WL-007',
    breaks: (objects) => {
      const [term] = get(objects, 'PersistentVolume', 'data')['spec'].nodeAffinity.required.nodeSelectorTerms
      term.matchExpressions[0].values = ['elsewhere']
      for (const each of podsOf(objects, 'web'))
        each['spec'].volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    },
    objects: ['Deployment shop/web'],
  },
  'a right that is denied': {
    id: 'CLD-001',
    breaks: (_objects, cloud) => {
      exported(cloud, 'EvaluationResults')['EvaluationResults'].push({
        EvalActionName: 'ec2:CreateFleet',
        EvalDecision: 'implicitDeny',
      })
    },
    objects: ['Action ec2:CreateFleet'],
  },
  'PassRole on every role': {
    id: 'CLD-002',
    breaks: (_objects, cloud) => {
      exported(cloud, 'PolicyDocument')['PolicyDocument'].Statement[0].Resource = '*'
    },
    objects: ['Action iam:PassRole'],
  },
  'a node role that the cluster does not know': {
    id: 'CLD-003',
    breaks: (_objects, cloud) => {
      exported(cloud, 'accessEntries')['accessEntries'] = ['arn:aws:iam::111122223333:role/other']
    },
    objects: ['Role node'],
  },
  'an instance of nobody': {
    id: 'CLD-004',
    breaks: (_objects, cloud) => {
      const [first] = exported(cloud, 'Reservations')['Reservations'][0].Instances
      exported(cloud, 'Reservations')['Reservations'].push({ Instances: [{ ...first, InstanceId: 'i-lost' }] })
    },
    objects: ['Instance i-lost'],
  },
  'a NodeClaim without its instance': {
    id: 'CLD-004',
    breaks: (_objects, cloud) => {
      exported(cloud, 'Reservations')['Reservations'][0].Instances[0].State.Name = 'terminated'
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a queue without the rule for spot': {
    id: 'CLD-005',
    breaks: (_objects, cloud) => {
      exported(cloud, 'Rules')['Rules'][0].State = 'DISABLED'
    },
    objects: ['Queue queue'],
  },
  'a quota of 25 vCPUs': {
    id: 'CLD-006',
    breaks: (_objects, cloud) => {
      exported(cloud, 'Quotas')['Quotas'][0].Value = 25
    },
    objects: ['Quota L-1216C47A'],
  },
  'a launch template of a node class that is gone': {
    id: 'CLD-007',
    breaks: (_objects, cloud) => {
      exported(cloud, 'LaunchTemplates')['LaunchTemplates'][0].Tags[0].Value = 'gone'
    },
    objects: ['LaunchTemplate karpenter.k8s.aws/1'],
  },
  'prices of three days ago': {
    id: 'CLD-008',
    breaks: (objects) => {
      const kept = get(objects, 'ConfigMap', 'karpenter-aws-prices')
      kept['data']['us-east-1.json'] = '{"onDemand":{"m5.large":0.096},"spot":{},"readAt":"2026-08-19T07:00:00.000Z"}'
    },
    objects: ['ConfigMap kube-system/karpenter-aws-prices'],
  },
  'a clock that is two minutes late': {
    id: 'CLD-009',
    breaks: (objects) => {
      get(objects, 'Lease', 'new-a')['spec'].renewTime = '2026-08-22T08:58:50.000000Z'
    },
    objects: ['Lease kube-node-lease/new-a'],
  },
}
