import { type Pod, parseQuantity } from '@kerf/apis'
import { propertyRuns, running } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Offering } from '../instance-type.ts'
import type { Plan, PlannedClaim } from '../plan.ts'
import { type CeilingHeadroom, type ClusterSnapshot, HOURLY_COST, NODES } from '../snapshot.ts'
import { CAPACITY_TYPE, cluster, HOST, node, pod, replicas } from '../testing/cluster-builders.ts'
import { indexSnapshot, schedule } from '../testing/core-labels.ts'
import { randomCluster } from '../testing/random-clusters.ts'

// docs/spec/policies.md#ceilings. The pools have types of 1, 2, 4 and 16 CPUs with 4Gi per CPU, on-demand at $0.1 per CPU in the
// first zone (1 and 2 % more in the others), and spot at $0.04.

const headroom = (free: Readonly<Record<string, string>>, more: Partial<CeilingHeadroom> = {}) => ({
  ceilings: {
    most: new Map(Object.entries(free).map(([name, text]) => [name, parseQuantity(text)])),
    free: new Map(Object.entries(free).map(([name, text]) => [name, parseQuantity(text)])),
    surge: 0,
    ...more,
  },
})

const apart = (count: number, name = 'a', spec: Pod['spec'] | object = {}): readonly Pod[] =>
  replicas(count, name, {
    spec: {
      ...spec,
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
const twoPools = cluster()
  .pool('high', { weight: 10, requirements: onDemand, limits: { nodes: '2' } })
  .pool('low', { requirements: onDemand })

describe('the claims of all pools together stay below a ceiling', () => {
  test('on nodes', () => {
    const outcome = twoPools.with(headroom({ nodes: '3' })).schedule(apart(5))
    expect(outcome.plan.claims.map(({ nodePool }) => nodePool)).toEqual(['high', 'high', 'low'])
    expect(outcome.failed).toHaveLength(2)
    const reason = outcome.plan.unschedulable[0]?.reasons.find(({ code }) => code === 'ceiling')
    expect(reason?.detail).toMatchObject({ resource: 'nodes (0 left)' })
  })

  test('on a resource: types are left out of the claims of every pool until all fit', () => {
    const outcome = twoPools.with(headroom({ cpu: '7' })).schedule(apart(4))
    expect(outcome.failed).toEqual([])
    const largest = outcome.plan.claims.map(({ instanceTypes }) => Number(instanceTypes.at(-1)?.slice(2)))
    expect(largest.reduce((sum, cpu) => sum + cpu, 0)).toBeLessThanOrEqual(7)
  })

  test('on the price: the most expensive offering of each type is counted', () => {
    const outcome = twoPools.with(headroom({ [HOURLY_COST]: '310m' })).schedule(apart(5))
    expect(outcome.sizes).toEqual([1, 1, 1])
    expect(outcome.plan.unschedulable[0]?.reasons.map(({ code }) => code)).toContain('ceiling')
  })

  test('an offering of unknown price is not launched below a ceiling on the price', () => {
    const [type] = twoPools.snapshot.pools[0]?.instanceTypes ?? []
    if (type === undefined) throw new Error('no type')
    const unpriced = { ...type, offerings: type.offerings.map((each) => ({ ...each, price: undefined })) }
    const pools = cluster().pool('general', { types: [unpriced] })
    expect(
      pools
        .with(headroom({ [HOURLY_COST]: '1000' }))
        .schedule(pod('a'))
        .reasonOf('a'),
    ).toBe('ceiling')
    expect(pools.with(headroom({ cpu: '1000' })).schedule(pod('a')).failed).toEqual([])
  })

  test('a pod that needs a larger type than the ceiling still allows is refused because of the ceiling', () => {
    const outcome = twoPools.with(headroom({ cpu: '3' })).schedule(pod('big', { cpu: '3' }))
    expect(outcome.reasonOf('big')).toBe('ceiling')
    // Even if the ceiling leaves enough for it, the largest type is too small for this pod.
    expect(
      twoPools
        .with(headroom({ cpu: '3' }))
        .schedule(pod('huge', { cpu: '30' }))
        .reasonOf('huge'),
    ).toBe('resources.exceeded')
  })

  test('if more is in use than the ceiling allows, no node is launched and no pod is moved', () => {
    const outcome = twoPools
      .nodes(node('n'))
      .with(headroom({ cpu: '-3' }))
      .schedule(pod('fits'), pod('big', { cpu: '5' }))
    expect(outcome.placements).toEqual({ n: ['fits'] })
    expect(outcome.failed).toEqual(['big'])
  })
})

describe('if a ceiling leaves too little', () => {
  test('pods of higher priority go first, whatever their size', () => {
    const urgent = pod('urgent', { cpu: '950m', spec: { priority: 100 } })
    const outcome = twoPools.with(headroom({ cpu: '16' })).schedule(pod('batch', { cpu: '15' }), urgent)
    expect([outcome.claims, outcome.failed]).toEqual([[['urgent']], ['batch']])
  })

  test('of pods of equal priority, older pods go first, whatever their size', () => {
    const [small, large] = apart(2).map((each, place) => ({
      ...each,
      metadata: { ...each.metadata, creationTimestamp: place === 0 ? '2026-01-01T00:00:00Z' : '2026-01-02T00:00:00Z' },
    }))
    if (small === undefined || large === undefined) throw new Error('no pods')
    const [container] = large.spec.containers
    const larger = {
      ...large,
      spec: {
        ...large.spec,
        containers: container === undefined ? [] : [{ ...container, resources: { requests: { cpu: '2' } } }],
      },
    }
    const outcome = twoPools.with(headroom({ nodes: '1' })).schedule(larger, small)
    expect([outcome.claims, outcome.failed]).toEqual([[['a-0']], ['a-1']])
  })

  test('pods that need no new node are placed', () => {
    const outcome = twoPools
      .nodes(node('n', { cpu: '2' }))
      .with(headroom({ nodes: '0' }))
      .schedule(replicas(6, 'a'))
    expect(outcome.placements['n']).toHaveLength(4)
    expect(outcome.failed).toHaveLength(2)
  })
})

describe('a what-if without some nodes', () => {
  const pods = apart(3).map((each, place) => running(`n-${place}`, each))
  const nodes = pods.map((each, place) => node(`n-${place}`, { cpu: '1', nodePool: 'low', pods: [each] }))
  const full = twoPools.nodes(...nodes)
  const whatIf = (more: Partial<ClusterSnapshot>, gone: readonly string[], waiting: readonly Pod[] = []) =>
    indexSnapshot(
      full.with(more).snapshot,
      waiting,
      pods.map((each) => [each]),
    ).whatIf(gone)

  test('replaces as many nodes as the surge allows', () => {
    expect(whatIf(headroom({ nodes: '0', cpu: '0' }, { surge: 1 }), ['n-0']).claims).toHaveLength(1)
    expect(whatIf(headroom({ nodes: '0', cpu: '0' }, { surge: 1 }), ['n-0', 'n-1']).claims).toHaveLength(1)
    expect(whatIf(headroom({ nodes: '0', cpu: '0' }), ['n-0']).unschedulable[0]?.reasons[0]?.code).toBe('ceiling')
  })

  test('counts the price of the node that is replaced', () => {
    const prices = new Map([['n-0', parseQuantity('100m')]])
    expect(whatIf(headroom({ [HOURLY_COST]: '5m' }, { surge: 1, prices }), ['n-0']).claims).toHaveLength(1)
    expect(whatIf(headroom({ [HOURLY_COST]: '0' }, { surge: 1, prices: new Map() }), ['n-0']).claims).toHaveLength(0)
  })

  test('pods that a ceiling keeps pending do not use the capacity of the replaced node', () => {
    const waiting = replicas(2, 'waiting', { cpu: '900m', spec: { priority: 1_000 } })
    const plan = whatIf(headroom({ nodes: '0' }, { surge: 1 }), ['n-0'], waiting)
    expect(plan.claims.flatMap((claim) => claim.pods.map(({ metadata }) => metadata.name))).toEqual(['a-0'])
  })
})

/** Returns whether a claim allows an offering. */
const allows = ({ requirements }: PlannedClaim, offering: Offering): boolean =>
  offering.requirements.every(({ key, values = [] }) => {
    const own = requirements.find((each) => each.key === key && each.operator === 'In')
    return own === undefined || values.some((value) => own.values?.includes(value) === true)
  })

/**
 * Returns the largest amount of a resource that the claims of a plan can use together, for any choice of types and offerings by the cloud.
 */
const worst = (snapshot: ClusterSnapshot, { claims }: Plan, name: string): bigint =>
  claims.reduce((sum, claim) => {
    const option = snapshot.pools.find((each) => each.nodePool.metadata.name === claim.nodePool)
    const amounts = claim.instanceTypes.map((typeName): bigint => {
      const type = option?.instanceTypes.find((each) => each.name === typeName)
      if (name === NODES) return 1_000_000_000n
      if (name !== HOURLY_COST) return type?.capacity[name] ?? 0n
      const prices = (type?.offerings ?? []).filter((each) => allows(claim, each)).map(({ price = 0 }) => price)
      return BigInt(Math.ceil(Math.max(0, ...prices) * 1e9))
    })
    return sum + amounts.reduce((most, each) => (each > most ? each : most), 0n)
  }, 0n)

const amounts = fc.record({
  nodes: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  cpu: fc.option(fc.integer({ min: 0, max: 24 }), { nil: undefined }),
  price: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  memory: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
})

test.each([0, 300_000])('ceilings are never exceeded, whichever types the cloud launches: %s', (planBudget) => {
  let refused = 0
  fc.assert(
    fc.property(randomCluster, amounts, ({ snapshot, pods }, { nodes, cpu, memory, price }) => {
      const free = {
        ...(nodes === undefined ? {} : { nodes: String(nodes) }),
        ...(cpu === undefined ? {} : { cpu: String(cpu) }),
        ...(memory === undefined ? {} : { memory: `${memory}Gi` }),
        ...(price === undefined ? {} : { [HOURLY_COST]: `${price * 100}m` }),
      }
      const limited = { ...snapshot, ...headroom(free) }
      const plan = schedule(limited, pods, { planBudget })
      for (const [name, text] of Object.entries(free))
        expect(worst(limited, plan, name)).toBeLessThanOrEqual(parseQuantity(text))
      if (plan.unschedulable.some(({ reasons }) => reasons.some(({ code }) => code === 'ceiling'))) refused++
    }),
    { numRuns: propertyRuns(300) },
  )
  expect(refused).toBeGreaterThan(propertyRuns(300) / 10)
})

test('a ceiling that is not reached changes nothing', () => {
  fc.assert(
    fc.property(randomCluster, fc.constantFrom(0, 300_000), ({ snapshot, pods }, planBudget) => {
      const ample = { ...snapshot, ...headroom({ nodes: '100000', cpu: '1M', memory: '1Pi', [HOURLY_COST]: '1M' }) }
      expect(schedule(ample, pods, { planBudget })).toEqual(schedule(snapshot, pods, { planBudget }))
    }),
    { numRuns: propertyRuns(200) },
  )
})
