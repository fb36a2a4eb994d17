import type { FakeEc2, FakeInstance } from '@kerf/provider-aws/testing'

/**
 * The tags of instances in the same account that do not belong to this Kerf. The first belongs to another cluster's Karpenter or Kerf
 * (`providers/aws/docs/spec/aws.md#tags`). The second has lost its cluster name. The third belongs to a managed node group of this cluster
 * (Amazon EKS User Guide, "Managed node groups": `eks:nodegroup-name` and the cluster's tag). The last one is unrelated.
 */
const FOREIGN_INSTANCES: readonly Readonly<Record<string, string>>[] = [
  {
    'karpenter.sh/nodepool': 'open',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'eks:eks-cluster-name': 'other',
    'kubernetes.io/cluster/other': 'owned',
    'kerf.sh/nodeclaims': '0123456789ab',
  },
  {
    'karpenter.sh/nodepool': 'open',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'kubernetes.io/cluster/other': 'owned',
    'kerf.sh/nodeclaims': 'ba9876543210',
  },
  { 'kubernetes.io/cluster/demo': 'owned', 'eks:cluster-name': 'demo', 'eks:nodegroup-name': 'system' },
  { Name: 'database' },
]

const AN_HOUR = 3_600_000

/** Adds the foreign instances to the account. */
export const plantForeignInstances = (ec2: FakeEc2): readonly FakeInstance[] =>
  FOREIGN_INSTANCES.flatMap((tags) => ec2.instances.get(ec2.plant(tags, AN_HOUR)) ?? [])
