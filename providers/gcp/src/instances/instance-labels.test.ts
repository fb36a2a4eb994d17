import { expect, test } from 'vitest'
import { CLUSTER_ID } from '../testing/fake-gcp/names.ts'
import { clusterIdLabel, instanceLabels, networkTags, ownerProblem, ownInstancesFilter } from './instance-labels.ts'

const owner = {
  nodePool: 'general',
  nodeClass: 'default',
  cluster: 'demo',
  location: 'us-central1',
  clusterId: CLUSTER_ID,
}

test('the provider’s labels take precedence over those of the class', () => {
  expect(instanceLabels({ team: 'a', 'goog-gke-node': 'mine', 'karpenter-sh-nodepool': 'mine' }, owner, true)).toEqual({
    team: 'a',
    'goog-gke-cluster-id-base32': clusterIdLabel(CLUSTER_ID),
    'goog-gke-cost-management': '',
    'goog-gke-node': '',
    'goog-gke-node-pool-provisioning-model': 'spot',
    'karpenter-sh-nodepool': 'general',
    'karpenter-k8s-gcp-gcenodeclass': 'default',
    'goog-k8s-cluster-name': 'demo',
    'goog-k8s-cluster-location': 'us-central1',
  })
  expect(instanceLabels({}, owner, false)['goog-gke-node-pool-provisioning-model']).toBe('on-demand')
})

test('the id of the cluster is a label in base 32, and no label if it is not hexadecimal', () => {
  // The test vectors of RFC 4648 in lower case, without padding.
  const hex = (text: string) => Buffer.from(text).toString('hex')
  expect(['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => clusterIdLabel(hex(text)))).toEqual([
    ...['my', 'mzxq', 'mzxw6', 'mzxw6yq', 'mzxw6ytb', 'mzxw6ytboi'],
  ])
  for (const other of ['', 'abc', 'xy']) expect(clusterIdLabel(other)).toBeUndefined()
  expect(instanceLabels({}, { ...owner, clusterId: 'xy' }, false)).not.toHaveProperty('goog-gke-cluster-id-base32')
})

test('a name that is not a valid label value is refused before the launch', () => {
  expect(ownerProblem(owner)).toBeUndefined()
  expect(ownerProblem({ ...owner, nodePool: 'team.a' })).toContain('NodePool "team.a"')
  expect(ownerProblem({ ...owner, nodeClass: 'team.a' })).toContain('GCENodeClass "team.a"')
})

test('the filter finds the instances of clusters with this name', () => {
  expect(ownInstancesFilter('demo')).toBe(
    '(labels.karpenter-sh-nodepool:* AND labels.karpenter-k8s-gcp-gcenodeclass:* AND labels.goog-k8s-cluster-name:demo)',
  )
})

test('network tags are those of GKE’s firewall rules and of the class, each once', () => {
  expect(networkTags(owner, ['web', 'gke-demo-node', 'web'])).toEqual([
    'gke-demo-node',
    'gke-demo-01234567-node',
    'web',
  ])
  expect(networkTags({ ...owner, clusterId: 'short' }, [])).toEqual(['gke-demo-node'])
})
