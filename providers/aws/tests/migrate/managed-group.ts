import type { Loose } from '../../../../tests/integration/migrate/objects.ts'

export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c']

/** Returns a managed node group in the format of `aws eks describe-nodegroup`. */
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
