import { type NodePool, parseQuantity } from '@kerf/apis'
import { ec2NodeClass, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { offlineInstanceTypes } from '../providers.ts'
import { typesOfPools } from './types-of-pools.ts'

const poolOf = (name: string, kind = 'EC2NodeClass'): NodePool =>
  nodePool(name, { templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind, name } } })
const small = ec2NodeClass('small', {
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], kubelet: { maxPods: 10 } },
})
const wrong = ec2NodeClass('wrong', {
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], kubelet: { maxPods: -1 } },
})
const types = (await offlineInstanceTypes('aws')) ?? []

test('each pool has the types of its own class', async () => {
  const pools = [poolOf('small'), poolOf('wrong'), poolOf('missing')] as const
  const found = await typesOfPools([...pools, small, wrong], { instanceTypes: 'aws' }, types)
  expect(
    found
      .typesOf(pools[0])
      .every(({ capacity }) => capacity['pods'] !== undefined && capacity['pods'] <= parseQuantity(10)),
  ).toBe(true)
  expect(found.typesOf(pools[1])).toEqual([])
  expect(found.typesOf(pools[2])).toBe(types)
  expect(found.notes).toEqual(['EC2NodeClass wrong launches nothing: spec.kubelet.maxPods: -1 is negative'])
  expect(found.notLookedAt).toEqual([
    'the subnets of EC2NodeClass small (every zone counts)',
    'EC2NodeClass missing (not there; defaults count)',
  ])
})

test('types of a file are taken as they stand, and classes that change nothing are not asked', async () => {
  const pools = [poolOf('small'), poolOf('plain', 'KWOKNodeClass')] as const
  const found = await typesOfPools([...pools, small], { instanceTypes: 'types.json' }, [])
  expect(found.typesOf(pools[0])).toEqual([])
  expect(found.notLookedAt).toEqual(['EC2NodeClass small (the types of types.json are taken as they stand)'])
})
