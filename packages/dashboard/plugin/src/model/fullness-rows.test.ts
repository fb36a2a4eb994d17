import { describe, expect, test } from 'vitest'
import { fullnessByName, requestedShare } from './fullness.ts'
import { nodeRows, poolRows } from './fullness-rows.ts'
import { labelPrices } from './prices.ts'
import { hasJoined, hasLaunched, NODE_CPU, type PlannedNode, randomCluster } from './testing/random-cluster.ts'

const cents = (amount: number): number => Math.round(amount * 1e6) / 1e6
const requested = ({ requests }: PlannedNode): number => requests.reduce((sum, each) => sum + each, 0)

describe.each(Array.from({ length: 40 }, (_, seed) => [seed]))('the fullness of random cluster %i', (seed) => {
  const { plannedNodes, objects } = randomCluster(seed)
  const joined = plannedNodes.filter(hasJoined)
  // Half of the pods end, so that nodes differ.
  const pods = (objects.pods as readonly { readonly metadata: { readonly name: string } }[]).filter(
    ({ metadata }) => !metadata.name.endsWith('-1') || metadata.name.startsWith('m1'),
  )
  const left = ({ name, requests }: PlannedNode): number =>
    name.startsWith('m1') ? requested({ requests } as PlannedNode) : requests[0] ?? 0
  const fullness = fullnessByName(objects.nodes, pods)

  test('a pool has its nodes, their requests and the cost of its instances', () => {
    const pools = [...new Set(joined.map(({ pool }) => pool))].sort()
    const rows = poolRows(fullness, objects.nodes, objects.claims, labelPrices)
    expect(
      rows.map(({ pool, nodes, cost, fullness: own }) => [
        pool,
        nodes,
        cents(requestedShare(own, 'cpu') ?? -1),
        cents(cost?.total ?? -1),
        cost?.unknown,
      ]),
    ).toEqual(
      pools.map((pool) => {
        const own = joined.filter((each) => each.pool === pool)
        const launched = plannedNodes.filter((each) => each.pool === pool && hasLaunched(each))
        return [
          pool,
          own.length,
          cents(own.reduce((sum, each) => sum + left(each), 0) / (own.length * NODE_CPU)),
          cents(launched.reduce((sum, { price = 0 }) => sum + price, 0)),
          launched.filter(({ price }) => price === undefined).length,
        ]
      }),
    )
    expect(poolRows(fullness, objects.nodes, undefined, labelPrices).every(({ cost }) => cost === undefined)).toBe(true)
  })

  test('the emptiest node comes first, with its own price', () => {
    const rows = nodeRows(fullness, objects.nodes, objects.claims, labelPrices)
    expect(rows).toHaveLength(joined.length)
    const byNode = new Map(joined.map((each) => [each.name, each]))
    for (const { node, pool, price, fullness: own } of rows) {
      const planned = byNode.get(node)
      expect([pool, price]).toEqual([planned?.pool, planned?.price])
      expect(cents(requestedShare(own, 'cpu') ?? -1)).toBe(cents((planned ? left(planned) : 0) / NODE_CPU))
    }
    const shares = rows.map(({ fullness: own }) =>
      Math.max(requestedShare(own, 'cpu') ?? 0, requestedShare(own, 'memory') ?? 0),
    )
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })
})
