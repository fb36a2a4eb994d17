import {
  type DashboardCase,
  enumSchema,
  fields,
  list,
  number,
  quantity,
  readyClass,
  resourceSchema,
  selectors,
  text,
  texts,
  whole,
} from '@kerf/provider-contract/dashboard/testing'
import { ec2NodeClassResource } from '../src/node-class/ec2-node-class.ts'

/**
 * A typical node class of each kind. The schema of EKS Auto Mode is written for tests, from the fields, types and limits that AWS
 * documents.
 */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'AWS',
    plural: 'ec2nodeclasses',
    schema: resourceSchema(ec2NodeClassResource),
    example: readyClass(
      'karpenter.k8s.aws/v1',
      'EC2NodeClass',
      {
        role: 'KarpenterNodeRole-demo',
        amiSelectorTerms: [{ alias: 'al2023@latest' }],
        subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
        securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
        kubelet: { maxPods: 110 },
      },
      {
        instanceProfile: 'demo_1',
        amis: [{ id: 'ami-1', name: 'al2023-x86', requirements: [] }],
        subnets: [
          { id: 'subnet-1', zone: 'eu-west-1a' },
          { id: 'subnet-2', zone: 'eu-west-1b' },
        ],
      },
    ),
    shown: ['demo_1', 'KarpenterNodeRole-demo', 'al2023-x86', 'subnet-1, subnet-2', 'eu-west-1a, eu-west-1b'],
    mistake: ['alias: al2023@latest', 'alias: al2023', 'spec.amiSelectorTerms[0].alias: Invalid value'],
  },
  {
    provider: 'AWS (EKS Auto Mode)',
    plural: 'nodeclasses',
    schema: whole(
      fields({
        role: text,
        instanceProfile: text,
        subnetSelectorTerms: selectors,
        securityGroupSelectorTerms: selectors,
        capacityReservationSelectorTerms: selectors,
        snatPolicy: enumSchema('Random', 'Disabled'),
        networkPolicy: enumSchema('DefaultAllow', 'DefaultDeny'),
        networkPolicyEventLogs: enumSchema('Enabled', 'Disabled'),
        ephemeralStorage: fields({
          size: quantity,
          iops: number(3000, 16000),
          throughput: number(125, 1000),
          kmsKeyID: text,
        }),
        tags: texts,
      }),
      { subnets: list(fields({ id: text, zone: text })), instanceProfile: text },
    ),
    example: readyClass(
      'eks.amazonaws.com/v1',
      'NodeClass',
      {
        role: 'AutoNode',
        subnetSelectorTerms: [{ tags: { 'kubernetes.io/role/internal-elb': '1' } }],
        securityGroupSelectorTerms: [{ tags: { 'aws:eks:cluster-name': 'demo' } }],
        networkPolicy: 'DefaultAllow',
        ephemeralStorage: { size: '80Gi', iops: 3000, throughput: 125 },
      },
      {
        subnets: [
          { id: 'subnet-1', zone: 'eu-west-1a' },
          { id: 'subnet-2', zone: 'eu-west-1a' },
        ],
        instanceProfile: 'eks-eu-west-1-demo-1',
      },
    ),
    shown: ['eks-eu-west-1-demo-1', 'AutoNode', 'subnet-1, subnet-2', 'eu-west-1a'],
    mistake: ['DefaultAllow', 'AllowAll', 'spec.networkPolicy: Unsupported value: "AllowAll"'],
  },
]
