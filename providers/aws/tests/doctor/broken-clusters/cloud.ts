import { type Broken, exported, get, type Loose } from './broken.ts'

/** Returns a ClusterPolicy with one declared price as of the given date. */
const priceBookPolicy = (asOf: string, conditions: readonly object[]): Loose => {
  const price = { instanceType: 'm5.large', capacityType: 'on-demand', zone: '', usdPerHour: '0.08', asOf }
  const source = 'ConfigMap kerf-prices (prices.yaml)'
  return {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { priceBook: { configMap: { name: 'kerf-prices', key: 'prices.yaml' } } },
    status: { conditions, priceBook: { source, readAt: `${asOf}T00:00:00Z`, prices: [price] } },
  }
}

/** Faults in the cloud account, or differences between the cluster and the account. */
export const cloudFaults: Readonly<Record<string, Broken>> = {
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
  'declared prices that are refused': {
    id: 'CLD-010',
    breaks: (objects) => {
      const message =
        'spec.priceBook: ConfigMap kerf-prices (prices.yaml): prices[0]: price must be a number above 0, found 0.'
      objects.push(priceBookPolicy('2026-08-20', [{ type: 'Accepted', status: 'False', message }]))
    },
    objects: ['ClusterPolicy default'],
  },
  'declared prices of last year': {
    id: 'CLD-010',
    breaks: (objects) => {
      objects.push(priceBookPolicy('2025-08-20', [{ type: 'Accepted', status: 'True', message: '' }]))
    },
    objects: ['ClusterPolicy default'],
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
