import { describe, expect, test } from 'vitest'
import { nodesToKeep, type RemovableNode } from './nodes-to-keep.ts'

const GIB = 1_073_741_824n * 1_000_000_000n
const CPU = 1_000_000_000n
const amounts = (cpu: number, gib: number): ReadonlyMap<string, bigint> =>
  new Map([
    ['cpu', BigInt(Math.round(cpu * 1_000)) * (CPU / 1_000n)],
    ['memory', BigInt(Math.round(gib * 1_024)) * (GIB / 1_024n)],
  ])
const NOTHING = amounts(0, 0)

interface Named extends RemovableNode {
  readonly name: string
}
const nodes = (
  count: number,
  name: string,
  price: number,
  allocatable: RemovableNode['allocatable'],
  pods = 1,
): readonly Named[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${name}${index}`, price, allocatable, disruption: 1 + pods }))
const sortedNames = (kept: Iterable<Named>): readonly string[] => [...kept].map(({ name }) => name).sort()
const count = (kept: Iterable<Named>, name: string): number =>
  sortedNames(kept).filter((each) => each.startsWith(name)).length

describe('the nodes to keep', () => {
  test('as many as the requests need, and no more', () => {
    const fleet = nodes(10, 'n', 1, amounts(4, 16))
    expect(nodesToKeep({ nodes: fleet, keptAllocatable: NOTHING, requested: amounts(15, 10) }).size).toBe(4)
    expect(nodesToKeep({ nodes: fleet, keptAllocatable: amounts(8, 32), requested: amounts(15, 10) }).size).toBe(2)
    expect(nodesToKeep({ nodes: fleet, keptAllocatable: NOTHING, requested: NOTHING }).size).toBe(0)
  })

  test('among equal nodes, those with the highest disruption cost, or else the last ones', () => {
    const free = amounts(4, 16)
    const fleet = [1, 5, 3, 2, 4].flatMap((pods) => nodes(1, `p${pods}-`, 1, free, pods))
    expect(sortedNames(nodesToKeep({ nodes: fleet, keptAllocatable: NOTHING, requested: amounts(7, 1) }))).toEqual([
      'p4-0',
      'p5-0',
    ])
    const alike = nodes(4, 'n', 1, free)
    expect(sortedNames(nodesToKeep({ nodes: alike, keptAllocatable: NOTHING, requested: amounts(7, 1) }))).toEqual([
      'n2',
      'n3',
    ])
  })

  test('a few nodes with much of the scarce resource, even if they are expensive and empty', () => {
    // The pods request 2.6 GiB per CPU, which is between the ratios of the small and the large nodes.
    const small = nodes(36, 'small', 0.43, amounts(15.9, 31), 8)
    const large = nodes(5, 'large', 0.537, amounts(15.9, 127), 1)
    const kept = nodesToKeep({ nodes: [...large, ...small], keptAllocatable: NOTHING, requested: amounts(195, 510) })
    expect(count(kept, 'large')).toBe(2)
    expect(count(kept, 'small')).toBe(11)
  })

  test('the more expensive node is removed, unless its disruption cost is much higher', () => {
    const free = amounts(4, 16)
    const kept = (pods: number) =>
      sortedNames(
        nodesToKeep({
          nodes: [...nodes(1, 'dear', 1.1, free, pods), ...nodes(1, 'cheap', 1, free, 1)],
          keptAllocatable: NOTHING,
          requested: amounts(3, 1),
        }),
      )
    expect(kept(2)).toEqual(['cheap0'])
    expect(kept(30)).toEqual(['dear0'])
  })

  test('a resource that only some nodes have is kept for the pods that request it', () => {
    const plain = nodes(3, 'plain', 1, amounts(8, 32))
    const gpu = nodes(1, 'gpu', 9, new Map([...amounts(8, 32), ['example.com/gpu', 4n * CPU]]))
    const requested = new Map([...amounts(6, 20), ['example.com/gpu', CPU]])
    expect(sortedNames(nodesToKeep({ nodes: [...plain, ...gpu], keptAllocatable: NOTHING, requested }))).toEqual([
      'gpu0',
    ])
    expect(
      sortedNames(nodesToKeep({ nodes: [...plain, ...gpu], keptAllocatable: NOTHING, requested: amounts(6, 20) })),
    ).toEqual(['plain2'])
  })
})
