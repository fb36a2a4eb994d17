import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

export const awsNames: CloudNames = {
  nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
  zones: ['us-east-1a', 'us-east-1b'],
  types: ['c5.large', 'm5.xlarge'],
}
