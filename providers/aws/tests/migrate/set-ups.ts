import { autoscaler } from '../../../../tests/integration/migrate/objects.ts'
import type { SetUp } from '../../../../tests/integration/migrate/set-up.ts'
import { managed } from './drafted.ts'
import { exampleClusters } from './example-clusters.ts'

const PREFIX = 'k8s.io/cluster-autoscaler/'

const state = (...resources: readonly { readonly type: string; readonly values: object }[]) => ({
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      child_modules: [{ resources: resources.map((each) => ({ mode: 'managed', address: each.type, ...each })) }],
    },
  },
})

const launchTemplate = {
  type: 'aws_launch_template',
  values: {
    id: 'lt-0a1b2c3d4e5f60718',
    name: 'web-2024',
    latest_version: 3,
    default_version: 3,
    description: 'web nodes',
    ebs_optimized: 'true',
    image_id: '',
    instance_type: '',
    key_name: 'ops',
    vpc_security_group_ids: ['sg-0123456789abcdef0'],
    monitoring: [{ enabled: true }],
    metadata_options: [
      { http_endpoint: 'enabled', http_protocol_ipv6: '', http_put_response_hop_limit: 2, http_tokens: 'required' },
    ],
    block_device_mappings: [
      {
        device_name: '/dev/xvda',
        ebs: [{ volume_size: 75, volume_type: 'gp3', iops: 3000, throughput: 150, encrypted: 'true', snapshot_id: '' }],
      },
    ],
    tag_specifications: [{ resource_type: 'instance', tags: { Name: 'web', team: 'web' } }],
    network_interfaces: [],
  },
}

const terraformManaged: SetUp = {
  name: 'Terraform: a managed node group on spot, with a launch template and tags that are resources',
  documents: [
    state(
      launchTemplate,
      {
        type: 'aws_eks_node_group',
        values: {
          ami_type: 'AL2023_x86_64_STANDARD',
          capacity_type: 'SPOT',
          cluster_name: 'shop',
          disk_size: 0,
          instance_types: ['m6i.large', 'm5.large'],
          labels: { team: 'web' },
          launch_template: [{ id: 'lt-0a1b2c3d4e5f60718', name: 'web-2024', version: '3' }],
          node_group_name: 'web',
          node_role_arn: 'arn:aws:iam::111122223333:role/web-node',
          release_version: '1.34.1-20251029',
          resources: [{ autoscaling_groups: [{ name: 'eks-web-aaaa' }] }],
          scaling_config: [{ desired_size: 2, max_size: 6, min_size: 1 }],
          subnet_ids: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
          taint: [{ effect: 'NO_SCHEDULE', key: 'dedicated', value: 'web' }],
          update_config: [{ max_unavailable: 0, max_unavailable_percentage: 33 }],
        },
      },
      {
        type: 'aws_autoscaling_group_tag',
        values: {
          autoscaling_group_name: 'eks-web-aaaa',
          tag: [
            {
              key: `${PREFIX}node-template/autoscaling-options/scaledownunneededtime`,
              value: '45m0s',
              propagate_at_launch: false,
            },
          ],
        },
      },
    ),
    autoscaler(['--cloud-provider=aws', '--expander=least-waste', '--skip-nodes-with-system-pods=false', '--v=4']),
  ],
}

const terraformMixed: SetUp = {
  name: 'Terraform: an Auto Scaling group with a mixed-instances policy',
  documents: [
    state(launchTemplate, {
      type: 'aws_autoscaling_group',
      values: {
        name: 'batch',
        min_size: 0,
        max_size: 12,
        desired_capacity: 3,
        default_cooldown: 300,
        health_check_type: 'EC2',
        max_instance_lifetime: 604_800,
        capacity_rebalance: true,
        availability_zones: ['us-east-1a', 'us-east-1b'],
        vpc_zone_identifier: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
        mixed_instances_policy: [
          {
            instances_distribution: [
              {
                on_demand_base_capacity: 1,
                on_demand_percentage_above_base_capacity: 20,
                spot_allocation_strategy: 'price-capacity-optimized',
              },
            ],
            launch_template: [
              {
                launch_template_specification: [{ launch_template_id: 'lt-0a1b2c3d4e5f60718', version: '$Latest' }],
                override: [{ instance_type: 'm5.2xlarge', weighted_capacity: '1' }, { instance_type: 'm6i.2xlarge' }],
              },
            ],
          },
        ],
        tag: [
          { key: `${PREFIX}enabled`, value: 'true', propagate_at_launch: true },
          { key: `${PREFIX}node-template/label/tier`, value: 'batch', propagate_at_launch: true },
          { key: `${PREFIX}node-template/taint/dedicated`, value: 'batch:NoSchedule', propagate_at_launch: true },
          { key: 'cost-centre', value: '42', propagate_at_launch: true },
        ],
      },
    }),
    autoscaler([`--node-group-auto-discovery=asg:tag=${PREFIX}enabled`, '--scale-down-enabled=false']),
  ],
}

const template = (rest: object = {}) => ({
  LaunchTemplateVersions: [
    {
      LaunchTemplateId: 'lt-1',
      LaunchTemplateName: 'plain',
      VersionNumber: 1,
      DefaultVersion: true,
      LaunchTemplateData: {
        ImageId: 'ami-0123456789abcdef0',
        InstanceType: 'm5.large',
        IamInstanceProfile: { Name: 'nodes' },
        SecurityGroupIds: ['sg-0123456789abcdef0'],
        UserData: Buffer.from('[settings.kubernetes]\nmax-pods = 40\n').toString('base64'),
        ...rest,
      },
    },
  ],
})

const group = (name: string, rest: object = {}) => ({
  AutoScalingGroupName: name,
  MinSize: 0,
  MaxSize: 9,
  DesiredCapacity: 1,
  AvailabilityZones: ['us-east-1a'],
  VPCZoneIdentifier: 'subnet-0123456789abcdef0',
  LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '1' },
  Tags: [],
  ...rest,
})

const plainGroups: SetUp = {
  name: 'Auto Scaling groups that flags name, on Bottlerocket',
  documents: [
    { AutoScalingGroups: [group('web-a'), group('Batch_B', { PlacementGroup: 'close' })] },
    template({ Placement: { GroupName: 'close' }, InstanceMarketOptions: { MarketType: 'spot' } }),
    autoscaler(['--nodes=1:4:web-a', '--nodes=0:2:Batch_B', '--scale-down-unneeded-time=5m', '--max-nodes-total=40']),
  ],
}

const byAttributes: SetUp = {
  name: 'an Auto Scaling group that chooses types by attributes, with priorities',
  documents: [
    {
      AutoScalingGroups: [
        group('spot-by-attributes', {
          LaunchTemplate: undefined,
          MixedInstancesPolicy: {
            LaunchTemplate: {
              LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', Version: '1' },
              Overrides: [
                {
                  InstanceRequirements: {
                    VCpuCount: { Min: 4, Max: 8 },
                    MemoryMiB: { Min: 16_384, Max: 65_536 },
                    CpuManufacturers: ['intel', 'amd'],
                    BurstablePerformance: 'excluded',
                    ExcludedInstanceTypes: ['m4.*', 'c5.large'],
                    InstanceGenerations: ['current'],
                  },
                },
              ],
            },
            InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
          },
        }),
        group('on-demand'),
      ],
    },
    template(),
    autoscaler(['--expander=priority', '--namespace=kube-system']),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cluster-autoscaler-priority-expander', namespace: 'kube-system' },
      data: { priorities: '10:\n- on-demand\n50:\n- (?i)^SPOT-\n70:\n- ^gpu' },
    },
  ],
}

const eksctl: SetUp = {
  name: 'eksctl: managed and own node groups with selectors, volumes, taints and GPUs',
  documents: [
    {
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'shop', region: 'us-east-1', version: '1.34' },
      managedNodeGroups: [
        { name: 'plain', amiFamily: 'AmazonLinux2023', minSize: 1, maxSize: 4, privateNetworking: true },
        {
          name: 'chosen',
          amiFamily: 'Bottlerocket',
          instanceSelector: { vCPUs: 8, memory: '32GiB', cpuArchitecture: 'arm64' },
          spot: true,
          maxSize: 4,
          volumeSize: 120,
          volumeType: 'gp3',
          volumeIOPS: 4000,
          volumeThroughput: 200,
          volumeEncrypted: true,
          updateConfig: { maxUnavailablePercentage: 25 },
        },
      ],
      nodeGroups: [
        {
          name: 'gpu',
          amiFamily: 'AmazonLinux2023',
          instanceType: 'g5.xlarge',
          maxSize: 2,
          labels: { accelerator: 'nvidia' },
          taints: { 'nvidia.com/gpu': 'true:NoSchedule' },
          iam: { instanceRoleARN: 'arn:aws:iam::111122223333:role/gpu' },
          maxPodsPerNode: 30,
          enableDetailedMonitoring: true,
          disablePodIMDS: true,
        },
      ],
    },
    autoscaler(['--scale-down-utilization-threshold=0']),
  ],
}

const deployment = (name: string, spec: object, rest: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    ...rest,
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m', memory: '512Mi' } } }],
        ...spec,
      },
    },
  },
})

const workloads: SetUp = {
  name: 'managed node groups whose labels workloads select, with volumes',
  documents: [
    managed('spot', { capacityType: 'SPOT' }),
    managed('od', { labels: { tier: 'web' }, taints: [{ key: 'dedicated', effect: 'NO_EXECUTE' }] }),
    deployment('by-type', { nodeSelector: { 'eks.amazonaws.com/capacityType': 'SPOT' } }),
    deployment('by-group', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'spot' } }),
    deployment(
      'stateful',
      { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    ),
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    deployment('spare', { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }] }),
    autoscaler(['--expander=random', '--balance-similar-node-groups']),
  ],
}

/** Nine typical clusters, as exports of AWS, eksctl and Terraform. */
export const setUps: readonly SetUp[] = [
  ...exampleClusters.map(({ name, documents }) => ({ name, documents: documents.map(({ value }) => value) })),
  ...[terraformManaged, terraformMixed, plainGroups, byAttributes, eksctl, workloads],
]
