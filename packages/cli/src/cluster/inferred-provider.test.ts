import type { KnownProvider } from '@kerf/provider-contract'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { node, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { defaultProvider, knownProviders, nodeClassRefTo } from '../providers.ts'
import { inferredProvider } from './inferred-provider.ts'

/** The clouds that can be recognised by their nodes. */
const clouds = knownProviders.filter(({ name, instanceTypes }) => name !== defaultProvider && instanceTypes?.nodes)
const providerPool = (provider: KnownProvider) =>
  nodePool(`of-${provider.name}`, { templateSpec: { nodeClassRef: nodeClassRefTo(provider, 'default') } })
const ofKwok = nodePool('b', {
  templateSpec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } },
})
const providerNode = ({ instanceTypes }: KnownProvider, id: string) =>
  node(id, { providerID: instanceTypes?.nodes?.exampleProviderId ?? '' })

test.each(clouds)(
  'if NodePools have several providers, the one that launches real instances is used: $name',
  (cloud) => {
    const [{ example }] = cloud.nodeClasses
    expect(inferredProvider([kwokNodeClass('default'), ofKwok, example, providerPool(cloud)])?.name).toBe(cloud.name)
    expect(inferredProvider([ofKwok])?.name).toBe('kwok')
  },
)

test('a node class of another API group with a kind that Kerf knows is not one of Kerf’s', () => {
  for (const cloud of clouds) {
    const { name, kind } = nodeClassRefTo(cloud, 'default')
    const foreign = nodePool('b', { templateSpec: { nodeClassRef: { group: 'karpenter.other.example', kind, name } } })
    expect(inferredProvider([foreign])).toBeUndefined()
  }
})

test('without a NodePool the provider IDs of the nodes decide: the most frequent provider is used', () => {
  for (const cloud of clouds) {
    const others = clouds.filter((each) => each !== cloud).map((each) => providerNode(each, `one-of-${each.name}`))
    const many = ['i-1', 'i-2'].map((id) => providerNode(cloud, id))
    expect(inferredProvider([...others, ...many])?.name).toBe(cloud.name)
  }
  expect(inferredProvider([node('bare', { providerID: 'metal://1' })])).toBeUndefined()
})
