import type { KubeObject } from '@kerf/apis'
import type { FoundDocument } from '../../cli/src/manifests/read-documents.ts'

/**
 * Three clusters on Cluster Autoscaler with thirty and more nodes, as their owners would export them: a web shop on managed node groups,
 * a batch cluster on Auto Scaling groups with spot instances, and a GPU cluster in an eksctl file. Types are EC2's.
 */

type Loose = Readonly<Record<string, unknown>>

export interface ExampleCluster {
  readonly name: string
  readonly documents: readonly FoundDocument[]
  /** Nodes of all groups at the beginning. */
  readonly nodes: number
}

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c']

export interface WorkloadShape {
  readonly namespace: string
  readonly name: string
  readonly replicas: number
  readonly cpu: string
  readonly memory: string
  readonly kind?: 'Deployment' | 'StatefulSet'
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Loose[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly extended?: Readonly<Record<string, string>>
  readonly image?: string
  readonly priorityClassName?: string
}

export const workload = ({ kind = 'Deployment', namespace, name, replicas, ...shape }: WorkloadShape): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace },
  ...{
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      template: {
        metadata: {
          labels: { app: name },
          ...(shape.annotations === undefined ? {} : { annotations: shape.annotations }),
        },
        spec: {
          ...(shape.nodeSelector === undefined ? {} : { nodeSelector: shape.nodeSelector }),
          ...(shape.tolerations === undefined ? {} : { tolerations: shape.tolerations }),
          containers: [
            {
              name: 'app',
              image: shape.image ?? `registry.example.com/${name}:1.0`,
              resources: {
                requests: { cpu: shape.cpu, memory: shape.memory, ...shape.extended },
                ...(shape.extended === undefined ? {} : { limits: shape.extended }),
              },
            },
          ],
        },
      },
    },
  },
})

/** A PodDisruptionBudget of the pods of that app. */
export const budget = (namespace: string, name: string, maxUnavailable: number | string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace },
  ...{ spec: { maxUnavailable, selector: { matchLabels: { app: name } } } },
})

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

/** The Deployment of Cluster Autoscaler with these flags. */
export const autoscalerDeployment = (...flags: readonly string[]): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cluster-autoscaler', namespace: 'kube-system' },
  ...{
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'cluster-autoscaler' } },
      template: {
        metadata: { labels: { app: 'cluster-autoscaler' } },
        spec: {
          containers: [
            {
              name: 'cluster-autoscaler',
              image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1',
              command: ['./cluster-autoscaler', ...flags],
              resources: { requests: { cpu: '100m', memory: '300Mi' } },
            },
          ],
        },
      },
    },
  },
})

const documents = (file: string, ...values: readonly unknown[]): readonly FoundDocument[] =>
  values.map((value) => ({ value, file }))

/** A managed node group as `aws eks describe-nodegroup` prints it. */
export const managedGroup = (
  name: string,
  types: readonly string[],
  min: number,
  max: number,
  desired: number,
  more: Loose = {},
): Loose => ({
  nodegroup: {
    nodegroupName: name,
    nodegroupArn: `arn:aws:eks:us-east-1:111122223333:nodegroup/shop/${name}/1`,
    clusterName: 'shop',
    version: '1.33',
    releaseVersion: '1.33.0-20250715',
    status: 'ACTIVE',
    capacityType: 'ON_DEMAND',
    scalingConfig: { minSize: min, maxSize: max, desiredSize: desired },
    instanceTypes: types,
    subnets: ['subnet-0a1', 'subnet-0b2', 'subnet-0c3'],
    amiType: 'AL2023_x86_64_STANDARD',
    nodeRole: 'arn:aws:iam::111122223333:role/shop-nodes',
    labels: { tier: name },
    diskSize: 50,
    health: { issues: [] },
    updateConfig: { maxUnavailable: 1 },
    tags: { team: 'shop' },
    resources: { autoScalingGroups: [{ name: `eks-${name}-12345678-1234-1234-1234-123456789abc` }] },
    ...more,
  },
})

const scalingGroup = (name: string, min: number, max: number, desired: number): Loose => ({
  AutoScalingGroupName: `eks-${name}-12345678-1234-1234-1234-123456789abc`,
  MinSize: min,
  MaxSize: max,
  DesiredCapacity: desired,
  AvailabilityZones: ZONES,
  VPCZoneIdentifier: 'subnet-0a1,subnet-0b2,subnet-0c3',
  HealthCheckType: 'EC2',
  TerminationPolicies: ['AllocationStrategy'],
  Tags: [
    { Key: 'k8s.io/cluster-autoscaler/enabled', Value: 'true', PropagateAtLaunch: true },
    { Key: 'k8s.io/cluster-autoscaler/shop', Value: 'owned', PropagateAtLaunch: true },
  ],
})

/** A web shop: 36 nodes in three managed groups. */
export const webShop = (): ExampleCluster => {
  const sizes = [
    ['web', ['c6i.2xlarge'], 2, 20, 14],
    ['apps', ['m6i.2xlarge'], 2, 24, 14],
    ['cache', ['r6i.xlarge'], 0, 12, 8],
  ] as const
  return {
    name: 'web shop',
    nodes: 36,
    documents: [
      ...documents(
        'nodegroups.json',
        ...sizes.map(([name, types, min, max, desired]) => managedGroup(name, types, min, max, desired)),
      ),
      ...documents('asgs.json', {
        AutoScalingGroups: sizes.map(([name, , min, max, desired]) => scalingGroup(name, min, max, desired)),
      }),
      ...documents(
        'cluster.yaml',
        ...['shop', 'data', 'backoffice'].map(namespace),
        autoscalerDeployment(
          '--cloud-provider=aws',
          '--expander=least-waste',
          '--balance-similar-node-groups',
          '--skip-nodes-with-system-pods=false',
          '--node-group-auto-discovery=asg:tag=k8s.io/cluster-autoscaler/enabled',
          '--scale-down-unneeded-time=10m',
          '--v=4',
        ),
        workload({
          namespace: 'shop',
          name: 'frontend',
          replicas: 60,
          cpu: '900m',
          memory: '1200Mi',
          nodeSelector: { tier: 'web' },
        }),
        workload({
          namespace: 'shop',
          name: 'gateway',
          replicas: 20,
          cpu: '1900m',
          memory: '2Gi',
          nodeSelector: { tier: 'web' },
        }),
        workload({
          namespace: 'shop',
          name: 'checkout',
          replicas: 24,
          cpu: '1500m',
          memory: '4Gi',
          nodeSelector: { tier: 'apps' },
        }),
        workload({
          namespace: 'shop',
          name: 'catalog',
          replicas: 40,
          cpu: '700m',
          memory: '2Gi',
          nodeSelector: { tier: 'apps' },
        }),
        workload({
          namespace: 'backoffice',
          name: 'reports',
          replicas: 12,
          cpu: '1',
          memory: '6Gi',
          nodeSelector: { 'eks.amazonaws.com/nodegroup': 'apps' },
        }),
        workload({
          namespace: 'backoffice',
          name: 'orders',
          replicas: 8,
          cpu: '1800m',
          memory: '5Gi',
          nodeSelector: { tier: 'apps' },
          annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
        }),
        workload({
          namespace: 'data',
          name: 'valkey',
          replicas: 16,
          cpu: '1500m',
          memory: '12Gi',
          nodeSelector: { tier: 'cache' },
        }),
        budget('shop', 'frontend', '10%'),
        budget('shop', 'checkout', 2),
        budget('data', 'valkey', 1),
      ),
    ],
  }
}

const template = (name: string, type: string): Loose => ({
  LaunchTemplateId: `lt-${name}`,
  LaunchTemplateName: name,
  VersionNumber: 3,
  DefaultVersion: true,
  CreateTime: '2026-01-02T03:04:05Z',
  LaunchTemplateData: {
    ImageId: 'ami-0123456789abcdef0',
    InstanceType: type,
    IamInstanceProfile: { Name: 'batch-nodes' },
    SecurityGroupIds: ['sg-0aa', 'sg-0bb'],
    UserData: Buffer.from(
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: application/node.eks.aws\n\napiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n--B--\n',
    ).toString('base64'),
    BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 100, VolumeType: 'gp3', Encrypted: true } }],
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
    KeyName: 'batch',
    TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'cost-center', Value: '42' }] }],
  },
})

const batchGroup = (
  name: string,
  types: readonly string[],
  max: number,
  desired: number,
  tags: Readonly<Record<string, string>>,
): Loose => ({
  AutoScalingGroupName: name,
  MinSize: 0,
  MaxSize: max,
  DesiredCapacity: desired,
  AvailabilityZones: ZONES.slice(0, 2),
  VPCZoneIdentifier: 'subnet-0a1,subnet-0b2',
  MixedInstancesPolicy: {
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateId: 'lt-batch', LaunchTemplateName: 'batch', Version: '3' },
      Overrides: types.map((InstanceType) => ({ InstanceType })),
    },
    InstancesDistribution: {
      OnDemandBaseCapacity: 0,
      OnDemandPercentageAboveBaseCapacity: name.endsWith('spot') ? 0 : 100,
      SpotAllocationStrategy: 'price-capacity-optimized',
    },
  },
  Tags: Object.entries({
    'k8s.io/cluster-autoscaler/enabled': 'true',
    'k8s.io/cluster-autoscaler/batch': 'owned',
    ...tags,
  }).map(([Key, Value]) => ({ Key, Value, PropagateAtLaunch: true })),
})

const templateTag = (kind: string, key: string): string => `k8s.io/cluster-autoscaler/node-template/${kind}/${key}`

/** A batch cluster: 32 nodes in three Auto Scaling groups, one of them with spot instances and a taint. */
export const batch = (): ExampleCluster => ({
  name: 'batch',
  nodes: 32,
  documents: [
    ...documents('templates.json', { LaunchTemplateVersions: [template('batch', 'm6i.4xlarge')] }),
    ...documents('asgs.json', {
      AutoScalingGroups: [
        batchGroup('batch-services', ['m6i.2xlarge', 'm5.2xlarge'], 20, 8, {
          [templateTag('label', 'pool')]: 'services',
        }),
        batchGroup('batch-workers-spot', ['c6i.4xlarge', 'c5.4xlarge', 'c5a.4xlarge'], 40, 16, {
          [templateTag('label', 'pool')]: 'workers',
          [templateTag('taint', 'spot')]: 'true:NoSchedule',
        }),
        batchGroup('batch-memory', ['r6i.2xlarge', 'r5.2xlarge'], 16, 8, { [templateTag('label', 'pool')]: 'memory' }),
      ],
    }),
    ...documents(
      'cluster.yaml',
      ...['batch', 'queue'].map(namespace),
      autoscalerDeployment(
        '--cloud-provider=aws',
        '--expander=priority,least-waste',
        '--max-nodes-total=100',
        '--skip-nodes-with-local-storage=false',
        '--node-group-auto-discovery=asg:tag=k8s.io/cluster-autoscaler/enabled,k8s.io/cluster-autoscaler/batch',
      ),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cluster-autoscaler-priority-expander', namespace: 'kube-system' },
        ...{ data: { priorities: '10:\n- .*\n50:\n- .*spot.*\n' } },
      },
      workload({
        namespace: 'batch',
        name: 'worker',
        replicas: 64,
        cpu: '3500m',
        memory: '6Gi',
        nodeSelector: { pool: 'workers' },
        tolerations: [{ key: 'spot', operator: 'Exists' }],
      }),
      workload({
        namespace: 'batch',
        name: 'scheduler',
        replicas: 6,
        cpu: '2',
        memory: '6Gi',
        nodeSelector: { pool: 'services' },
      }),
      workload({
        namespace: 'queue',
        name: 'broker',
        replicas: 12,
        cpu: '3',
        memory: '12Gi',
        nodeSelector: { pool: 'services' },
      }),
      workload({
        namespace: 'batch',
        name: 'joiner',
        replicas: 22,
        cpu: '2500m',
        memory: '20Gi',
        nodeSelector: { pool: 'memory' },
      }),
      budget('queue', 'broker', 1),
      budget('batch', 'worker', '20%'),
    ),
  ],
})

/** A GPU cluster: 30 nodes in an eksctl file, and a Deployment of pause pods that keeps room free. */
const gpu = (): ExampleCluster => ({
  name: 'GPU',
  nodes: 30,
  documents: [
    ...documents('cluster.eksctl.yaml', {
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'gpu', region: 'us-east-1' },
      managedNodeGroups: [
        {
          name: 'system',
          instanceType: 'm6i.xlarge',
          minSize: 2,
          maxSize: 6,
          desiredCapacity: 4,
          labels: { role: 'system' },
          availabilityZones: ZONES.slice(0, 2),
          amiFamily: 'AmazonLinux2023',
          volumeSize: 80,
          iam: { instanceRoleARN: 'arn:aws:iam::111122223333:role/gpu-nodes' },
          subnets: ['subnet-0a1', 'subnet-0b2'],
          securityGroups: { attachIDs: ['sg-0aa'] },
        },
        {
          name: 'inference',
          instanceTypes: ['g5.2xlarge'],
          minSize: 0,
          maxSize: 30,
          desiredCapacity: 20,
          labels: { role: 'inference' },
          taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' }],
          availabilityZones: ZONES.slice(0, 2),
          amiFamily: 'AmazonLinux2023',
          volumeSize: 200,
          iam: { instanceRoleARN: 'arn:aws:iam::111122223333:role/gpu-nodes' },
          subnets: ['subnet-0a1', 'subnet-0b2'],
          securityGroups: { attachIDs: ['sg-0aa'] },
        },
        {
          name: 'training',
          instanceTypes: ['g5.12xlarge'],
          minSize: 0,
          maxSize: 8,
          desiredCapacity: 6,
          labels: { role: 'training' },
          taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' }],
          availabilityZones: ZONES.slice(0, 1),
          amiFamily: 'AmazonLinux2023',
          volumeSize: 200,
          iam: { instanceRoleARN: 'arn:aws:iam::111122223333:role/gpu-nodes' },
          subnets: ['subnet-0a1'],
          securityGroups: { attachIDs: ['sg-0aa'] },
        },
      ],
    }),
    ...documents(
      'cluster.yaml',
      ...['ml', 'web'].map(namespace),
      autoscalerDeployment('--cloud-provider=aws', '--expander=least-waste', '--scale-down-utilization-threshold=0.6'),
      workload({
        namespace: 'ml',
        name: 'inference',
        replicas: 20,
        cpu: '6',
        memory: '24Gi',
        nodeSelector: { role: 'inference' },
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
        extended: { 'nvidia.com/gpu': '1' },
      }),
      workload({
        namespace: 'ml',
        name: 'training',
        replicas: 6,
        cpu: '40',
        memory: '160Gi',
        nodeSelector: { role: 'training' },
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
        extended: { 'nvidia.com/gpu': '4' },
        annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
      }),
      workload({
        namespace: 'web',
        name: 'api',
        replicas: 8,
        cpu: '1500m',
        memory: '5Gi',
        nodeSelector: { role: 'system' },
      }),
      budget('ml', 'inference', 2),
      budget('web', 'api', 1),
    ),
  ],
})

export const exampleClusters: readonly ExampleCluster[] = [webShop(), batch(), gpu()]
