import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { node, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { inferredProvider } from './inferred-provider.ts'

const pool = (name: string, group: string, kind: string) =>
  nodePool(name, { templateSpec: { nodeClassRef: { group, kind, name: 'default' } } })
const ofAws = pool('a', 'karpenter.k8s.aws', 'EC2NodeClass')
const ofKwok = pool('b', 'karpenter.kwok.sh', 'KWOKNodeClass')

test('if NodePools have several providers, the one that launches real instances is used', () => {
  expect(inferredProvider([kwokNodeClass('default'), ofKwok, ec2NodeClass('default'), ofAws])?.name).toBe('aws')
  expect(inferredProvider([ofKwok])?.name).toBe('kwok')
})

test('without a NodePool the provider of most nodes is used, from provider IDs', () => {
  const aws = ['i-1', 'i-2'].map((id) => node(id, { providerID: `aws:///eu-central-1a/${id}` }))
  const azure = node('vm', { providerID: 'azure:///subscriptions/s/resourceGroups/g/x' })
  expect(inferredProvider([azure, ...aws])?.name).toBe('aws')
  expect(inferredProvider([node('bare', { providerID: 'metal://1' })])).toBeUndefined()
})
