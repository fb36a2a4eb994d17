import {
  autoscalerDeployment,
  budget,
  documents,
  type ExampleCluster,
  type Loose,
  namespace,
  workload,
} from '../../../../../tests/integration/migrate/objects.ts'
import { managedGroup, ZONES } from '../managed-group.ts'

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

/** A web shop: 36 nodes in three managed node groups. */
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
