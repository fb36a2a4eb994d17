import { type NodePool, parseQuantity } from '@kerf/apis'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { typesOfPools } from '../../../../packages/cli/src/plan/types-of-pools.ts'

const poolOf = (name: string, kind = 'EC2NodeClass'): NodePool =>
  nodePool(name, { templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind, name } } })
const small = ec2NodeClass('small', {
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], kubelet: { maxPods: 10 } },
})
const wrong = ec2NodeClass('wrong', {
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], kubelet: { maxPods: -1 } },
})
const opened = await openTypes({ instanceTypes: 'aws' })

test('each pool has the types of its own node class', () => {
  const pools = [poolOf('small'), poolOf('wrong'), poolOf('missing')] as const
  const found = typesOfPools([...pools, small, wrong], opened)
  expect(
    found
      .typesOf(pools[0])
      .every(({ capacity }) => capacity['pods'] !== undefined && capacity['pods'] <= parseQuantity(10)),
  ).toBe(true)
  expect(found.typesOf(pools[1])).toEqual([])
  expect(found.typesOf(pools[2])).toBe(opened.types)
  expect(found.notes).toEqual(['EC2NodeClass wrong launches nothing: spec.kubelet.maxPods: -1 is negative'])
  expect(found.notLookedAt).toEqual([
    'the subnets of EC2NodeClass small (assuming every zone)',
    'EC2NodeClass missing (not found; defaults apply)',
  ])
})

test('types of a file are used unchanged, and node classes without an effect on types are not asked', () => {
  const pools = [poolOf('small'), poolOf('plain', 'KWOKNodeClass')] as const
  const found = typesOfPools([...pools, small], { source: 'types.json', types: [] })
  expect(found.typesOf(pools[0])).toEqual([])
  expect(found.notLookedAt).toEqual(['EC2NodeClass small (the types of types.json are used unchanged)'])
})

test('the types that a running controller listed for a pool apply; a pool that it did not list has every type of the file', () => {
  const pools = [poolOf('told'), poolOf('untold')] as const
  const [one] = opened.types
  if (one === undefined) throw new Error('there are types')
  const byPool = new Map([['told', [one]]])
  const found = typesOfPools([...pools, small], { source: 'answer.json', types: opened.types, byPool })
  expect(found.typesOf(pools[0])).toEqual([one])
  expect(found.typesOf(pools[1])).toBe(opened.types)
  expect(found.notLookedAt).toEqual([
    'what NodePool untold may launch (answer.json does not name it; every type of the file is used)',
  ])
})
