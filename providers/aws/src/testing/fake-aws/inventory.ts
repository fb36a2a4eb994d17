import type { Image, SecurityGroup, Subnet } from '@aws-sdk/client-ec2'

/** The initial resources of the fake account. Tests add and remove resources. */

export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const
export const TYPES = [
  't3.medium',
  't3.large',
  'm5.large',
  'm5.xlarge',
  'm5.4xlarge',
  'm6g.large',
  'c5.large',
  'c5.9xlarge',
  'r5.large',
  'g4dn.xlarge',
  'm5.metal',
  'c6i.32xlarge',
]

export const someSubnets = (): Subnet[] =>
  ZONES.map((zone, index) => ({
    SubnetId: `subnet-${zone.slice(-1)}`,
    AvailabilityZone: zone,
    AvailabilityZoneId: `use1-az${index + 1}`,
    AvailableIpAddressCount: 4000 - index,
    Tags: [{ Key: 'karpenter.sh/discovery', Value: 'demo' }],
  }))

export const someGroups = (): SecurityGroup[] => [
  { GroupId: 'sg-1', GroupName: 'nodes', Tags: [{ Key: 'karpenter.sh/discovery', Value: 'demo' }] },
]

/** Images with the names that AWS uses for EKS images (user guide, "Retrieve recommended Amazon Linux AMI IDs"). */
export const someImages = (): Image[] => [
  {
    ImageId: 'ami-x86',
    Name: 'amazon-eks-node-al2023-x86_64-standard-1.36-v20260101',
    Architecture: 'x86_64',
    CreationDate: '2026-01-01T00:00:00.000Z',
    State: 'available',
  },
  {
    ImageId: 'ami-arm',
    Name: 'amazon-eks-node-al2023-arm64-standard-1.36-v20260101',
    Architecture: 'arm64',
    CreationDate: '2026-01-01T00:00:00.000Z',
    State: 'available',
  },
  {
    ImageId: 'ami-gpu',
    Name: 'amazon-eks-node-al2023-x86_64-nvidia-1.36-v20260101',
    Architecture: 'x86_64',
    CreationDate: '2026-01-01T00:00:00.000Z',
    State: 'available',
  },
]
