import type { Pod, Quantity } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { InstanceType } from '../instance-type.ts'
import { atOnce } from '../steps.ts'
import {
  type LeastMerge,
  likelyMerges as likelyMergesInSteps,
  type Mergeable,
  mergeOffers,
  PARTNERS_PER_STEP,
} from './merge-pairs.ts'

const likelyMerges = <Item extends Mergeable>(items: readonly Item[], least: LeastMerge) =>
  atOnce(likelyMergesInSteps(items, least))

const NANO = 1_000_000_000n
const type = (
  name: string,
  cpu: number,
  price: number,
  capacityType = 'on-demand',
  available = true,
): InstanceType => ({
  name,
  requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [name] }],
  offerings: [
    {
      requirements: [
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
      ],
      price,
      available,
    },
  ],
  capacity: { cpu: (BigInt(cpu) * NANO) as Quantity, pods: (110n * NANO) as Quantity },
  overhead: { kubeReserved: { cpu: NANO as Quantity } },
})

const pod = (name: string, cpu: string): Pod => buildPod(name, { requests: { cpu } })

const catalogue = [type('two', 3, 2), type('four', 5, 4), type('eight', 9, 8)]
const offers = mergeOffers(catalogue, [])

interface Node extends Mergeable {
  readonly name: string
}
const node = (name: string, typeName: string, price: number, cpu: string, traits: Partial<Node> = {}): Node => ({
  name,
  typeName,
  price,
  disruption: 2,
  launches: 'general',
  pods: [pod(name, cpu)],
  offers,
  isHeldBySpot: false,
  ...traits,
})
const names = (pairs: readonly (readonly [Node, Node])[]): readonly string[] =>
  pairs.map((pair) => pair.map(({ name }) => name).join('+'))
const ANY = { rate: 0, share: 0 }

describe('pairs that may be worth merging', () => {
  test('two nodes whose pods fit on one cheaper machine', () => {
    const fit = [node('a', 'eight', 8, '1500m'), node('b', 'eight', 8, '2'), node('c', 'eight', 8, '7')]
    // The pods of a and b together fit on one `four`. The pods of c and another node together do not fit on any machine that is cheaper
    // than the two nodes.
    expect(names(likelyMerges(fit, ANY))).toEqual(['a+b'])
  })

  test('a merge into the type that one of the nodes has is skipped, because deleting the other node has the same effect', () => {
    expect(names(likelyMerges([node('a', 'four', 4, '2'), node('b', 'eight', 8, '2')], ANY))).toEqual([])
  })

  test('pairs with the highest savings per disruption come first, and pairs with too little are left out', () => {
    const three = [node('a', 'eight', 8, '500m'), node('b', 'eight', 8, '500m'), node('c', 'four', 4, '500m')]
    expect(names(likelyMerges(three, ANY))).toEqual(['a+b', 'a+c', 'b+c'])
    const busy = [...three, node('d', 'eight', 8, '500m', { disruption: 40 })]
    expect(names(likelyMerges(busy, { rate: 2, share: 0 }))).toEqual(['a+b', 'a+c', 'b+c'])
    expect(names(likelyMerges(three, { rate: 0, share: 0.85 }))).toEqual(['a+b'])
  })

  test('nodes whose pods need no new node are paired with one another, and with nodes whose pods need one', () => {
    const free = { launches: undefined, pods: [], offers: [] }
    const three = [node('a', 'eight', 8, '0', free), node('b', 'four', 4, '0', free), node('c', 'eight', 8, '1')]
    expect(names(likelyMerges(three, ANY))).toEqual(['a+c', 'a+b', 'b+c'])
  })

  test('two spot nodes that must not be replaced by spot are not merged, and do not displace other pairs', () => {
    const held = { isHeldBySpot: true }
    const spot = ['a', 'b', 'c', 'd', 'e'].map((name) => node(name, 'eight', 8, '500m', held))
    expect(names(likelyMerges(spot, ANY))).toEqual([])
    const pairs = names(likelyMerges([...spot, node('x', 'eight', 8, '500m')], ANY))
    expect(pairs).toEqual(['a+x', 'b+x', 'c+x', 'd+x', 'e+x'])
    // The pods of both nodes fit on other nodes, so no new node is needed.
    const free = { launches: undefined, pods: [], offers: [], ...held }
    const one = node('f', 'eight', 8, '0', free)
    expect(names(likelyMerges([one, node('g', 'eight', 8, '0', free), ...spot], ANY))).toEqual(['f+g'])
  })

  test('partners of another pool do not displace those of the same pool', () => {
    const others = Array.from({ length: 20 }, (_, index) =>
      node(`x${index}`, 'eight', 8, '500m', { launches: 'other', offers: [] }),
    )
    const pairs = names(likelyMerges([node('a', 'eight', 8, '500m'), ...others, node('b', 'eight', 8, '500m')], ANY))
    expect(pairs).toContain('a+b')
    expect(pairs.length).toBeLessThan(20)
  })

  test('pairs are found in steps of limited work, however many instance types a node can use', () => {
    // The pods of one node fit on every instance type, but those of two nodes together fit on none. No pair succeeds, so the search never
    // ends early and tries every pair of nodes for each type.
    const eight = offers.filter(({ type: name }) => name === 'eight')
    const machines = Array.from({ length: 20 }, (_, index) => eight.map((offer) => ({ ...offer, type: `e${index}` })))
    const many = Array.from({ length: 100 }, (_, index) =>
      node(`n${index}`, 'four', 4, '5', { offers: machines.flat() }),
    )
    let steps = 0
    for (const search = likelyMergesInSteps(many, ANY); search.next().done !== true; ) steps++
    expect(steps).toBe(Math.floor((20 * many.length * many.length) / PARTNERS_PER_STEP))
  })

  test('offers are the instance types that a pool can launch now, cheapest first', () => {
    const mixed = [type('dear', 4, 9), type('spot', 4, 1, 'spot'), type('gone', 4, 1, 'on-demand', false), ...catalogue]
    const onDemand = [{ key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] }]
    expect(mergeOffers(mixed, onDemand).map(({ type: name, price }) => `${name} ${price}`)).toEqual([
      'two 2',
      'four 4',
      'eight 8',
      'dear 9',
    ])
    expect(mergeOffers(mixed, onDemand)[0]?.allocatable.get('cpu')).toBe(2n * NANO)
  })

  test('likely merges are computed only if there are too many pairs, and are tried in their order', async () => {
    const { searchMoves } = await import('./search.ts')
    const many = Array.from({ length: 200 }, (_, index) => ({ name: `n${index}`, pool: 'a', price: 1, disruption: 1 }))
    const asked: string[] = []
    const run = (items: typeof many) =>
      searchMoves({
        items,
        slots: new Map([['a', 1_000]]),
        ask: async (set) => {
          const text = set.map(({ name }) => name).join('+')
          asked.push(text)
          return text === 'n7+n9' ? { savings: 1, replaces: true } : undefined
        },
        mayGoOn: () => true,
        likelyMerges: async (least) => {
          expect(least.share).toBeGreaterThan(0)
          return [
            [many[3], many[5]],
            [many[7], many[9]],
          ].filter((pair): pair is [(typeof many)[0], (typeof many)[0]] => !pair.includes(undefined))
        },
      })
    expect((await run(many))?.items.map(({ name }) => name)).toEqual(['n7', 'n9'])
    const pairs = asked.filter((text) => text.split('+').length === 2 && text !== 'n0+n1')
    expect(pairs.slice(0, 2)).toEqual(['n3+n5', 'n7+n9'])
    asked.splice(0)
    await run(many.slice(0, 20))
    expect(asked).toContain('n0+n15')
  })
})
