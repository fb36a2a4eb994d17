import { type Pod, parseQuantity } from '@kerf/apis'
import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../plan.ts'
import type { ClusterSnapshot, PoolOption } from '../snapshot.ts'
import { CAPACITY_TYPE, cluster, HOST, instanceType, node, replicas, ZONE } from '../testing/cluster-builders.ts'
import { schedule } from '../testing/core-labels.ts'
import { randomCluster } from '../testing/random-clusters.ts'

// This file tests `docs/spec/scheduling.md#limits`. The pool `general` has instance types of 1, 2, 4 and 16 CPUs with 4Gi per CPU,
// on-demand at $0.1 per CPU, and spot at $0.04 in two zones.

const planTypes = (plan: Plan): readonly (readonly string[])[] => plan.claims.map(({ instanceTypes }) => instanceTypes)

const apart = (count: number, name = 'a'): readonly Pod[] =>
  replicas(count, name, {
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: HOST, labelSelector: { matchLabels: { app: name } } },
          ],
        },
      },
    },
  })

const onDemand = [{ key: CAPACITY_TYPE, operator: 'In' as const, values: ['on-demand'] }]

describe('a claim counts as the largest type that it lists', () => {
  test('if the limit allows the largest type of each claim, all types are listed', () => {
    const outcome = cluster()
      .pool('general', { limits: { cpu: '48' } })
      .schedule(apart(3))
    expect(outcome.sizes).toEqual([1, 1, 1])
    expect(planTypes(outcome.plan)).toEqual(Array(3).fill(['m-1', 'm-2', 'm-4', 'm-16']))
  })

  test.each([
    ['47', ['m-1', 'm-2', 'm-4']],
    ['12', ['m-1', 'm-2', 'm-4']],
    ['11', ['m-1', 'm-2']],
    ['6', ['m-1', 'm-2']],
    ['5', ['m-1']],
    ['3', ['m-1']],
  ])('if it allows less, every claim lists fewer large types: %s', (cpu, types) => {
    const outcome = cluster().pool('general', { limits: { cpu }, requirements: onDemand }).schedule(apart(3))
    expect(outcome.failed).toEqual([])
    expect(planTypes(outcome.plan)).toEqual(Array(3).fill(types))
  })

  test('a pod is refused only if even the smallest type exceeds the limit', () => {
    const limited = cluster().pool('general', { limits: { cpu: '3' } })
    const outcome = limited.schedule(apart(4))
    expect(outcome.sizes).toEqual([1, 1, 1])
    expect(outcome.plan.unschedulable[0]?.reasons[0]?.code).toBe('nodepool.limit')
  })

  test('existing nodes are counted with their own capacity', () => {
    const outcome = cluster()
      .pool('general', { limits: { cpu: '7' }, requirements: onDemand })
      .nodes(node('n', { cpu: '4', taints: [{ key: 'closed', effect: 'NoSchedule' }] }))
      .schedule(apart(3))
    // 4 of 7 CPUs are in use, so three claims of one CPU fit, and none of them may be larger.
    expect(planTypes(outcome.plan)).toEqual([['m-1'], ['m-1'], ['m-1']])
  })

  test('a claim grows as long as the limit leaves a type that is large enough', () => {
    const limited = cluster().pool('general', { limits: { cpu: '5' }, requirements: onDemand })
    // Six pods request 3.9 CPUs, so they fit on the instance type with four CPUs. The remaining CPU of the limit is enough for one more
    // node.
    const outcome = limited.schedule(replicas(7, 'a', { cpu: '650m' }))
    const found = outcome.plan.claims.map(({ pods, instanceTypes }) => [pods.length, instanceTypes])
    expect(found).toEqual([
      [1, ['m-1']],
      [6, ['m-4']],
    ])
  })

  test('every limited resource counts', () => {
    const types = [instanceType('wide', 8, '8Gi', 0.1), instanceType('tall', 1, '32Gi', 0.2)]
    const limited = cluster().pool('general', { limits: { cpu: '10', memory: '48Gi' }, types, requirements: onDemand })
    const outcome = limited.schedule(apart(3))
    // Two of `wide` would have 16 CPUs, and two of `tall` 64Gi. One of each has 9 CPUs and 40Gi, and a third node does not fit.
    expect(planTypes(outcome.plan).flat().sort()).toEqual(['tall', 'wide'])
    expect(outcome.failed).toHaveLength(1)
  })
})

describe('which types are kept if the limit leaves little', () => {
  const small = ['s-a', 's-b', 's-c', 's-d', 's-e'].map((name, i) => instanceType(name, 2, '8Gi', 0.2 + i / 100))
  const types = [instanceType('cheap', 8, '8Gi', 0.1), ...small, instanceType('huge', 64, '256Gi', 0.15)]

  test('the cheapest type takes precedence over a wider choice', () => {
    const limited = cluster().pool('general', { types, limits: { cpu: '16' }, requirements: onDemand })
    const { plan } = limited.schedule(apart(2))
    expect(plan.claims.map(({ cheapest }) => cheapest.instanceType)).toEqual(['cheap', 'cheap'])
    expect(planTypes(plan)).toEqual(Array(2).fill(['cheap', 's-a', 's-b', 's-c', 's-d', 's-e']))
  })

  test('if the limit does not allow the cheapest type twice, only one claim lists it', () => {
    const limited = cluster().pool('general', { types, limits: { cpu: '10' }, requirements: onDemand })
    const { plan } = limited.schedule(apart(2))
    expect(plan.claims.map(({ cheapest }) => cheapest.instanceType).sort()).toEqual(['cheap', 's-a'])
  })

  test('a spot node keeps five types and two zones before the cheapest type is added', () => {
    const spot = [{ key: CAPACITY_TYPE, operator: 'In' as const, values: ['spot'] }]
    const limited = cluster().pool('general', { types, limits: { cpu: '4' }, requirements: spot })
    const { plan } = limited.schedule(apart(2))
    expect(planTypes(plan)).toEqual(Array(2).fill(['s-a', 's-b', 's-c', 's-d', 's-e']))
    for (const { requirements } of plan.claims) expect(requirements.find(({ key }) => key === ZONE)).toBeUndefined()
  })

  test('minValues is satisfied with the smallest types', () => {
    const two = [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 2 }]
    const limited = cluster().pool('general', { limits: { cpu: '4' }, requirements: two })
    const outcome = limited.schedule(apart(3))
    // The two instance types are m-1 and m-2, so each claim uses two CPUs of the limit. Two claims fit, and a third does not.
    expect(planTypes(outcome.plan)).toEqual([
      ['m-1', 'm-2'],
      ['m-1', 'm-2'],
    ])
    expect(outcome.failed).toHaveLength(1)
  })
})

/**
 * Returns the largest amount of a resource that the nodes of a pool and the claims of a plan can have together, for any choice of instance
 * types by the cloud.
 */
const worst = (snapshot: ClusterSnapshot, plan: Plan, pool: string, resource: string): bigint => {
  const option = snapshot.pools.find(({ nodePool }) => nodePool.metadata.name === pool)
  const capacityOf = (name: string): bigint => {
    const type = option?.instanceTypes.find((each) => each.name === name)
    return resource === 'nodes' ? 1_000_000_000n : (type?.capacity[resource] ?? 0n)
  }
  const nodes = snapshot.nodes
    .filter(({ nodePool, markedForDeletion }) => nodePool === pool && !markedForDeletion)
    .reduce((sum, { capacity }) => sum + (resource === 'nodes' ? 1_000_000_000n : (capacity[resource] ?? 0n)), 0n)
  return plan.claims
    .filter(({ nodePool }) => nodePool === pool)
    .reduce(
      (sum, { instanceTypes }) =>
        sum + instanceTypes.map(capacityOf).reduce((most, each) => (each > most ? each : most), 0n),
      nodes,
    )
}

test.each([0, 300_000])('limits are never exceeded, whichever types the cloud launches: %s', (planBudget) => {
  let limited = 0
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      const plan = schedule(snapshot, pods, { planBudget })
      for (const { nodePool } of snapshot.pools) {
        const { name } = nodePool.metadata
        if (!plan.claims.some((claim) => claim.nodePool === name)) continue
        for (const [resource, limit] of Object.entries(nodePool.spec.limits ?? {})) {
          limited++
          expect(worst(snapshot, plan, name, resource)).toBeLessThanOrEqual(parseQuantity(limit))
        }
      }
    }),
    { numRuns: propertyRuns(300) },
  )
  expect(limited).toBeGreaterThan(propertyRuns(300) / 10)
})

const planNames = ({ unschedulable }: Plan): readonly string[] =>
  unschedulable.map(({ pod: { metadata } }) => metadata.name).sort()

test('a limit that allows the plan made without limits does not change the cost', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      const bare: ClusterSnapshot = {
        ...snapshot,
        pools: snapshot.pools.map(({ nodePool, instanceTypes }) => {
          const { limits: _, ...spec } = nodePool.spec
          return { nodePool: { ...nodePool, spec }, instanceTypes }
        }),
      }
      const limitedTo = (cpuOf: (pool: PoolOption) => number): ClusterSnapshot => ({
        ...bare,
        pools: bare.pools.map((pool) => {
          const { spec } = pool.nodePool
          const limits = { cpu: String(cpuOf(pool)) }
          return { ...pool, nodePool: { ...pool.nodePool, spec: { ...spec, limits } } }
        }),
      })
      const free = schedule(bare, pods, { planBudget: 0 })
      // This limit is just enough for the cheapest instance type of every claim.
      const cheapest: Plan = {
        ...free,
        claims: free.claims.map((claim) => ({ ...claim, instanceTypes: [claim.cheapest.instanceType] })),
      }
      const cpus = ({ nodePool: { metadata } }: PoolOption): number =>
        Number(worst(bare, cheapest, metadata.name, 'cpu') / 1_000_000n) / 1000
      const plan = schedule(limitedTo(cpus), pods, { planBudget: 0 })
      expect(planNames(plan)).toEqual(planNames(free))
      // If the limit is tight, spot nodes get enough types to choose from before other claims get their cheapest type.
      if (free.claims.every(({ cheapest: { capacityType } }) => capacityType !== 'spot'))
        expect(plan.hourlyCost).toBeCloseTo(free.hourlyCost, 9)
      // This limit is enough for every instance type. The improved plan must therefore equal the plan without a limit.
      const ample = limitedTo(({ instanceTypes, nodePool: { metadata } }) => {
        const existing = worst(bare, { ...free, claims: [] }, metadata.name, 'cpu')
        const largest = instanceTypes
          .map(({ capacity }) => capacity['cpu'] ?? 0n)
          .reduce((most, each) => (each > most ? each : most), 0n as bigint)
        return Number((existing + largest * BigInt(pods.length)) / 1_000_000n) / 1000
      })
      const improved = schedule(bare, pods, { planBudget: 300_000 })
      expect(schedule(ample, pods, { planBudget: 300_000 }).hourlyCost).toBeCloseTo(improved.hourlyCost, 9)
    }),
    { numRuns: propertyRuns(200) },
  )
})
