import {
  autoscalerDeployment,
  budget,
  documents,
  type ExampleCluster,
  type Loose,
  namespace,
  workload,
} from '../../../../../tests/integration/migrate/objects.ts'
import { ZONES } from '../managed-group.ts'

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
