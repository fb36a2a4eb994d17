import { expect, test } from 'vitest'
import { makeLaunchTags, reservedTags } from './reserved-tags.ts'

test('ownership tags in a class are reported', () => {
  const reserved = [
    'karpenter.sh/nodepool',
    'karpenter.sh/nodeclaim',
    'karpenter.k8s.aws/ec2nodeclass',
    'eks:eks-cluster-name',
    'kubernetes.io/cluster/demo',
    'kubernetes.io/cluster/other_1-x',
  ]
  const free = ['Name', 'team', 'kubernetes.io/cluster/', 'kubernetes.io/cluster/-x', 'kubernetesxio/cluster/a']
  expect(reservedTags(Object.fromEntries([...reserved, ...free].map((tag) => [tag, 'x'])))).toEqual(reserved)
  expect(reservedTags(undefined)).toEqual([])
})

test('a launch has the user’s tags and the ownership tags, which take precedence', () => {
  const of = { clusterName: 'demo', nodePool: 'general', nodeClass: 'default' }
  expect(makeLaunchTags({ team: 'a', 'karpenter.sh/nodepool': 'stolen', Name: 'mine' }, of)).toEqual({
    team: 'a',
    Name: 'mine',
    'kubernetes.io/cluster/demo': 'owned',
    'karpenter.sh/nodepool': 'general',
    'eks:eks-cluster-name': 'demo',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
  })
})
