import { type Pod, parseQuantity } from '@kerf/apis'
import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlannedClaim } from '../plan.ts'
import type { Commitment } from '../snapshot.ts'
import { CAPACITY_TYPE, cluster, HOST, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'
import { indexSnapshot, schedule } from '../testing/core-labels.ts'

// docs/spec/policies.md#commitments. The pools have types of 1, 2, 4 and 16 CPUs with 4Gi per CPU, on-demand at $0.1 per CPU in the
// first zone (1 and 2 % more in the others), and spot at 40 % of that price.

const ONE = parseQuantity('1')

const instances = (type: string, free: number, more: Partial<Commitment> = {}): Commitment => ({
  name: `${type}-${more.zone ?? 'any'}`,
  units: new Map([[type, ONE]]),
  free: BigInt(free) * ONE,
  uses: new Map(),
  ...more,
})

const onDemand = { key: CAPACITY_TYPE, operator: 'In' as const, values: ['on-demand'] }
const general = cluster().pool('general')

const shown = ({ commitment, instanceTypes, cheapest }: PlannedClaim) =>
  commitment === undefined ? 'at its price' : `${commitment}: ${instanceTypes.join()} for ${cheapest.price}`

const cpuUnits = new Map(['m-1', 'm-2', 'm-4', 'm-16'].map((type) => [type, BigInt(type.slice(2)) * ONE]))

test('a commitment in another unit covers nodes of several types, as far as their units fit', () => {
  const commitment = { name: 'cpus', units: cpuUnits, free: 6n * ONE, uses: new Map() }
  const outcome = general.with({ commitments: [commitment] }).schedule(replicas(8, 'a', { cpu: '900m' }))
  const covered = outcome.plan.claims.filter((claim) => claim.commitment === 'cpus')
  expect(covered.length).toBeGreaterThan(0)
  const used = covered.map(({ instanceTypes }) => Math.max(...instanceTypes.map((type) => Number(type.slice(2)))))
  expect(used.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(6)
  expect(outcome.plan.claims.some(({ commitment: name }) => name === undefined)).toBe(true)
})

describe('covered instances', () => {
  test('are used first, as many as the commitment covers, and the others cost their price', () => {
    const outcome = general.with({ commitments: [instances('m-4', 2)] }).schedule(replicas(12, 'a', { cpu: '1' }))
    expect(outcome.plan.claims.map(shown)).toEqual(['m-4-any: m-4 for 0', 'm-4-any: m-4 for 0', 'at its price'])
    expect(outcome.plan.hourlyCost).toBeCloseTo(0.64)
    expect(outcome.plan.claims[0]?.requirements).toEqual(
      expect.arrayContaining([
        { key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m-4'] },
      ]),
    )
  })

  test('are launched in the zone of the commitment', () => {
    const [claim] = general.with({ commitments: [instances('m-1', 1, { zone: 'zone-3' })] }).schedule(pod('a'))
      .plan.claims
    expect(claim?.cheapest).toMatchObject({ zone: 'zone-3', price: 0 })
    expect(claim?.requirements).toContainEqual({ key: ZONE, operator: 'In', values: ['zone-3'] })
  })

  test('are shared by all NodePools', () => {
    const pools = general.pool('other', { taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] })
    const tolerating = { spec: { tolerations: [{ key: 'team', operator: 'Exists' as const }] } }
    const own = { spec: { ...tolerating.spec, nodeSelector: { 'karpenter.sh/nodepool': 'other' } } }
    const outcome = pools
      .with({ commitments: [instances('m-1', 1)] })
      .schedule(pod('a', { cpu: '900m' }), pod('b', { cpu: '900m', ...own }))
    expect(outcome.plan.claims.map(({ commitment }) => commitment).sort()).toEqual(['m-1-any', undefined])
  })

  test.each([
    ['the NodePool allows only spot', [{ ...onDemand, values: ['spot'] }]],
    [
      'the NodePool has minValues',
      [
        {
          key: 'node.kubernetes.io/instance-type',
          operator: 'In' as const,
          values: ['m-1', 'm-2', 'm-4'],
          minValues: 2,
        },
      ],
    ],
  ])('are not used if %s', (_name, requirements) => {
    const outcome = cluster()
      .pool('general', { requirements })
      .with({ commitments: [instances('m-1', 5)] })
      .schedule(pod('a'))
    expect(outcome.plan.claims.map(shown)).toEqual(['at its price'])
  })

  test('count towards the limits of the NodePool, which all of its nodes share', () => {
    const limited = cluster()
      .pool('general', { limits: { cpu: '6', nodes: '4' }, requirements: [onDemand] })
      .with({ commitments: [instances('m-4', 5)] })
    const outcome = limited.schedule(replicas(12, 'a', { cpu: '900m' }))
    const cpu = outcome.plan.claims.map(({ instanceTypes }) => Number(instanceTypes.at(-1)?.slice(2)))
    expect(cpu.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(6)
    expect(outcome.failed).not.toEqual([])
    expect(outcome.plan.unschedulable[0]?.reasons.map(({ code }) => code)).toEqual(['nodepool.limit'])
  })

  test('come after the pools of higher weight', () => {
    const weighted = cluster().pool('first', { weight: 10, requirements: [{ ...onDemand, values: ['spot'] }] })
    const both = weighted.pool('second', { requirements: [onDemand] }).with({ commitments: [instances('m-1', 5)] })
    expect(both.schedule(pod('a')).plan.claims.map(({ nodePool }) => nodePool)).toEqual(['first'])
  })

  test('are of the type that the commitment covers now, even after the commitment was changed', () => {
    const covering = (type: string) =>
      general
        .with({ commitments: [instances(type, 1, { name: 'a' })] })
        .schedule(pod('a'))
        .plan.claims.map(shown)
    expect(covering('m-2')).toEqual(['a: m-2 for 0'])
    expect(covering('m-4')).toEqual(['a: m-4 for 0'])
  })

  test('of the first commitment are used first', () => {
    const commitments = [instances('m-2', 1, { name: 'a' }), instances('m-1', 1, { name: 'b' })]
    const first = (list: typeof commitments) => general.with({ commitments: list }).schedule(pod('a')).plan.claims[0]
    expect(first(commitments)?.commitment).toBe('a')
    expect(first(commitments.toReversed())?.commitment).toBe('b')
  })
})

test('a commitment that covers no further nodes does not change the plan', () => {
  const pods = replicas(9, 'a', { cpu: '1' })
  const planned = (...commitments: readonly Commitment[]) => {
    const { steps: _, ...plan } = general.with({ commitments }).schedule(pods).plan
    return plan
  }
  const plain = planned()
  for (const free of [0, -3]) expect(planned(instances('m-4', free))).toEqual(plain)
  expect(planned(instances('other', 3))).toEqual(plain)
})

describe('what-ifs', () => {
  const ask = (uses: number, free: number) =>
    indexSnapshot(
      general.nodes(node('n', { cpu: '4', pods: [] })).with({
        commitments: [instances('m-4', free, { uses: new Map([['n', { units: BigInt(uses) * ONE, share: 1 }]]) })],
      }).snapshot,
      [pod('waits', { cpu: '3' })],
      [],
      { planBudget: 0 },
    ).whatIf(['n'])

  test('the replacement of a removed node may use the node’s part of the commitment', () => {
    expect(ask(1, 0).claims.map(shown)).toEqual(['m-4-any: m-4 for 0'])
    expect(ask(0, 0).claims.map(shown)).toEqual(['at its price'])
  })

  test('the part is not available if other nodes exceed the commitment', () => {
    expect(ask(1, -1).claims.map(shown)).toEqual(['at its price'])
  })

  test('one node at its full price comes before several nodes of which only some are covered', () => {
    const index = indexSnapshot(
      general.with({ commitments: [instances('m-1', 1)] }).snapshot,
      replicas(3, 'a', { cpu: '800m' }),
      [],
      { planBudget: 0 },
    )
    expect(index.whatIf([]).claims.map(shown)).toEqual(['at its price'])
  })
})

/** A commitment in a small test case. Its amounts are in billionths of its unit. */
interface SmallCommitment {
  readonly units: ReadonlyMap<string, bigint>
  readonly zone: string | undefined
  readonly left: bigint
}

/** Returns the lowest amount that the cloud can charge for these instances. Tries every way in which the commitments can cover them. */
const exhaustiveBill = (
  launched: readonly { readonly type: string; readonly zone: string; readonly price: number }[],
  commitments: readonly SmallCommitment[],
): number => {
  const [first, ...rest] = launched
  if (first === undefined) return 0
  const covered = commitments.flatMap((commitment, place) => {
    const units = commitment.units.get(first.type)
    const covers = units !== undefined && units <= commitment.left && (commitment.zone ?? first.zone) === first.zone
    if (!covers) return []
    return [exhaustiveBill(rest, commitments.with(place, { ...commitment, left: commitment.left - units }))]
  })
  return Math.min(first.price + exhaustiveBill(rest, commitments), ...covered)
}

const types = ['m-1', 'm-2', 'm-4', 'm-16'] as const
const cpusOf = (type: string): number => Number(type.slice(2))

/** Commitments that count instances of one type, CPUs of some types, or dollars per hour at a rate for each type. */
const smallCommitment = fc.oneof(
  fc.record({
    units: fc.constantFrom(...types.slice(0, 3)).map((type) => new Map<string, bigint>([[type, ONE]])),
    zone: fc.constantFrom(undefined, 'zone-1', 'zone-2'),
    left: fc.integer({ min: 0, max: 3 }).map((count) => BigInt(count) * ONE),
  }),
  fc.record({
    units: fc
      .subarray([...types], { minLength: 1 })
      .map((some) => new Map<string, bigint>(some.map((type) => [type, BigInt(cpusOf(type)) * ONE]))),
    zone: fc.constant(undefined),
    left: fc.integer({ min: 0, max: 20 }).map((count) => BigInt(count) * ONE),
  }),
  fc.record({
    units: fc
      .array(fc.integer({ min: 30, max: 100 }), { minLength: types.length, maxLength: types.length })
      .map(
        (factors) =>
          new Map<string, bigint>(
            types.map((type, place) => [type, (BigInt(cpusOf(type) * (factors[place] ?? 1)) * ONE) / 1000n]),
          ),
      ),
    zone: fc.constant(undefined),
    left: fc.integer({ min: 0, max: 2_000 }).map((thousandths) => (BigInt(thousandths) * ONE) / 1000n),
  }),
)

const smallCase = fc.record({
  commitments: fc.array(smallCommitment, { maxLength: 3 }),
  cpus: fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 1, maxLength: 8 }),
  apart: fc.boolean(),
  limits: fc.constantFrom<Readonly<Record<string, string>> | undefined>(
    undefined,
    { cpu: '8' },
    { nodes: '3' },
    { cpu: '12', nodes: '4' },
  ),
  spot: fc.boolean(),
  planBudget: fc.constantFrom(0, 50_000),
})

const spread = (isApart: boolean): Partial<Pod['spec']> =>
  isApart
    ? {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: HOST,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'p' } },
          },
        ],
      }
    : {}

test('the bill of the hour is never higher than without commitments, and never higher than planned', () => {
  let covered = 0
  fc.assert(
    fc.property(smallCase, ({ commitments, cpus, apart, limits, spot, planBudget }) => {
      const pools = cluster().pool('general', {
        requirements: spot ? [] : [onDemand],
        ...(limits === undefined ? {} : { limits }),
      })
      const pods = cpus.map((cpu, place) =>
        pod(`p-${place}`, { cpu: `${cpu * 100}m`, labels: { app: 'p' }, spec: spread(apart) }),
      )
      const plain = schedule(pools.snapshot, pods, { planBudget })
      const snapshot = pools.with({
        commitments: commitments.map(({ units, zone, left }, place) => ({
          ...{ name: `commitment-${place}`, units, free: left, uses: new Map() },
          ...(zone === undefined ? {} : { zone }),
        })),
      }).snapshot
      const plan = schedule(snapshot, pods, { planBudget })
      const listPrices = new Map(
        pools.snapshot.pools[0]?.instanceTypes.map((type) => [type.name, Number(type.name.slice(2)) / 10]),
      )
      const launched = plan.claims.map(({ instanceTypes: [type = ''], cheapest, commitment }) => ({
        type: cheapest.capacityType === 'on-demand' ? type : 'spot',
        zone: cheapest.zone,
        price: commitment === undefined ? (cheapest.price ?? 0) : (listPrices.get(type) ?? 0),
      }))
      const bill = exhaustiveBill(launched, commitments)
      for (const [place, { units, left }] of commitments.entries()) {
        const used = plan.claims.filter(({ commitment }) => commitment === `commitment-${place}`)
        // The cloud may launch any of the types of a claim.
        const most = used.map(({ instanceTypes }) =>
          instanceTypes.map((type) => units.get(type) ?? left + 1n).reduce((a, b) => (a > b ? a : b)),
        )
        expect(most.reduce((sum, each) => sum + each, 0n) <= left || used.length === 0).toBe(true)
      }
      covered += plan.claims.filter(({ commitment }) => commitment !== undefined).length
      expect(plan.unschedulable.length).toBeLessThanOrEqual(plain.unschedulable.length)
      if (plan.unschedulable.length === plain.unschedulable.length)
        expect(bill).toBeLessThanOrEqual(plain.hourlyCost + 1e-9)
      expect(bill).toBeLessThanOrEqual(plan.hourlyCost + 1e-9)
    }),
    { numRuns: propertyRuns(300) },
  )
  expect(covered).toBeGreaterThan(20)
})
