import { labels } from '@kerf/apis'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { resourceTags } from './resource-tags.ts'

test('the class overrides the settings, and Kerf’s ownership tags override the class', () => {
  const settings = {
    clusterName: 'demo',
    additionalTags: { team: 'settings', 'cost/centre': '1', 'karpenter.azure.com/cluster': 'other' },
  }
  const spec = { tags: { team: 'class', 'karpenter.sh/nodepool': 'other', 'compute.aks.billing': 'windows' } }
  const claim = nodeClaim('a', { labels: { [labels.nodePool]: 'general' } })
  expect(resourceTags(settings, { spec }, claim)).toEqual({
    team: 'class',
    cost_centre: '1',
    'karpenter.azure.com_cluster': 'demo',
    'karpenter.sh_nodepool': 'general',
    'compute.aks.billing': 'linux',
  })
})

test('a NodeClaim without a pool has no pool tag', () => {
  expect(resourceTags({ clusterName: 'demo', additionalTags: {} }, {}, { metadata: { name: 'a' } })).toEqual({
    'karpenter.azure.com_cluster': 'demo',
    'compute.aks.billing': 'linux',
  })
})
