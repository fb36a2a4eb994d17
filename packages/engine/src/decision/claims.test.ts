import { parseQuantity } from '@kerf/apis'
import { spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { InstanceType } from '../instance-type.ts'
import { CAPACITY_TYPE, cluster, HOST, instanceType, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const general = cluster().pool('general')
const TYPE = 'node.kubernetes.io/instance-type'

describe('reserved capacity', () => {
  const ID = 'example.com/reservation'
  const withReservation = (type: InstanceType, id: string, capacity: number): InstanceType => ({
    ...type,
    requirements: type.requirements.map((each) =>
      each.key === CAPACITY_TYPE ? { ...each, values: ['on-demand', 'spot', 'reserved'] } : each,
    ),
    offerings: [
      ...type.offerings,
      {
        requirements: [isIn(CAPACITY_TYPE, 'reserved'), isIn(ZONE, 'zone-1'), isIn(ID, id)],
        price: 0.0001,
        available: capacity > 0,
        reservationCapacity: capacity,
      },
    ],
  })
  const apart = {
    labels: { app: 'a' },
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: HOST, labelSelector: { matchLabels: { app: 'a' } } },
          ],
        },
      },
    },
  }
  const reserving = (capacity: number) =>
    cluster()
      .pool('general', { types: [withReservation(instanceType('m-2', 2, '8Gi'), 'r-1', capacity)] })
      .set({ reservationIdLabel: ID })

  test('a claim holds the reservations that it may use, and other pods wait for the next decision', () => {
    const outcome = reserving(1).schedule(replicas(3, 'a', apart))
    expect(outcome.sizes).toEqual([1])
    expect(outcome.plan.unschedulable.map(({ reasons }) => reasons[0]?.code)).toEqual([
      'reservation.exhausted',
      'reservation.exhausted',
    ])
  })

  test('a claim that holds a reservation is launched into it', () => {
    const [claim] = reserving(1).schedule(pod('a')).plan.claims
    expect(claim?.cheapest).toMatchObject({ capacityType: 'reserved', zone: 'zone-1' })
    expect(claim?.requirements).toContainEqual({ key: CAPACITY_TYPE, operator: 'In', values: ['reserved'] })
    expect(claim?.requirements).toContainEqual({ key: ID, operator: 'In', values: ['r-1'] })
  })

  test('in a simulation, other pods are placed without the reservation', () => {
    expect(
      reserving(1)
        .set({ reservedMode: 'Fallback' })
        .schedule(replicas(3, 'a', apart)).failed,
    ).toEqual([])
  })

  test('a reservation without capacity is ignored, so no pod waits for it', () => {
    expect(reserving(0).schedule(replicas(3, 'a', apart)).failed).toEqual([])
  })

  test('if a reservation has different capacities, the smallest counts', () => {
    const types = [
      withReservation(instanceType('m-2', 2, '8Gi'), 'r-1', 5),
      withReservation(instanceType('m-4', 4, '16Gi'), 'r-1', 1),
    ]
    const shared = cluster().pool('general', { types }).set({ reservationIdLabel: ID })
    expect(shared.schedule(replicas(3, 'a', apart)).sizes).toEqual([1])
  })

  test('a pod waits for a pool of higher weight with reserved capacity instead of using another pool', () => {
    const types = [withReservation(instanceType('m-2', 2, '8Gi'), 'r-1', 1)]
    const pools = cluster().pool('reserved', { types, weight: 5 }).pool('other').set({ reservationIdLabel: ID })
    expect(pools.schedule(replicas(2, 'a', apart)).plan.claims.map(({ nodePool }) => nodePool)).toEqual(['reserved'])
  })

  test('several pods share a reserved node', () => {
    expect(reserving(1).schedule(replicas(3, 'a', { cpu: '100m' })).sizes).toEqual([3])
  })
})

describe('minValues', () => {
  const demanding = (minValues: number) =>
    cluster().pool('general', { requirements: [{ key: TYPE, operator: 'Exists', minValues }] })

  test('a pod does not join a claim if too few types would be left', () => {
    const outcome = demanding(3).schedule(replicas(3, 'a', { cpu: '600m' }))
    expect(outcome.failed).toEqual([])
    for (const { instanceTypes } of outcome.plan.claims) expect(instanceTypes.length).toBeGreaterThanOrEqual(3)
  })

  test('with the policy Strict, nothing is launched that does not satisfy minValues', () => {
    expect(demanding(5).schedule(pod('a')).reasonOf('a')).toBe('min-values.unmet')
    expect(
      demanding(3)
        .schedule(pod('a', { cpu: '3' }))
        .reasonOf('a'),
    ).toBe('min-values.unmet')
  })

  test('with BestEffort, a new claim lowers minValues to what is available and says so', () => {
    const [claim] = demanding(3)
      .set({ minValuesPolicy: 'BestEffort' })
      .schedule(pod('a', { cpu: '3' })).plan.claims
    expect(claim?.minValuesRelaxed).toBe(true)
    expect(claim?.annotations['karpenter.sh/nodeclaim-min-values-relaxed']).toBe('true')
    expect(claim?.requirements.find(({ key }) => key === TYPE)?.minValues).toBe(2)
  })

  test('a claim that is truncated to fewer types than minValues is dropped', () => {
    const outcome = demanding(3).set({ maxInstanceTypes: 2 }).schedule(pod('a'))
    expect(outcome.failed).toEqual(['a'])
    expect(outcome.plan.claims).toEqual([])
  })

  test('the improvement pass keeps minValues', () => {
    const outcome = demanding(3)
      .set({ planBudget: 500_000 })
      .schedule(replicas(40, 'a', { cpu: '700m' }))
    expect(outcome.failed).toEqual([])
    for (const { instanceTypes } of outcome.plan.claims) expect(instanceTypes.length).toBeGreaterThanOrEqual(3)
  })
})

describe('offerings with their own allocatable', () => {
  const special = (available: boolean): InstanceType => {
    const type = instanceType('odd', 2, '8Gi')
    return {
      ...type,
      offerings: type.offerings.map((each, i) =>
        i === 0 ? { ...each, available, capacityOverride: { 'example.com/gpu': parseQuantity('1') } } : each,
      ),
    }
  }
  const wanting = (zone: string) =>
    pod('a', { requests: { 'example.com/gpu': '1' }, spec: { nodeSelector: { [ZONE]: zone } } })

  test('the capacity and the requirements must match in the same offering', () => {
    const pools = (available: boolean) => cluster().pool('general', { types: [special(available)] })
    expect(pools(true).schedule(wanting('zone-1')).plan.claims[0]?.cheapest.capacityType).toBe('on-demand')
    expect(pools(true).schedule(wanting('zone-2')).failed).toEqual(['a'])
    expect(pools(false).schedule(wanting('zone-1')).failed).toEqual(['a'])
  })
})

describe('the content of a claim', () => {
  test('instance types ordered by cheapest offering, remaining capacity types, labels, and requests', () => {
    const pools = cluster().pool('general', {
      requirements: [isIn(CAPACITY_TYPE, 'on-demand', 'spot')],
      labels: { tier: 'web' },
    })
    const [claim] = pools.schedule(pod('a', { cpu: '1500m', spec: { nodeSelector: { [ZONE]: 'zone-3' } } })).plan.claims
    expect(claim?.instanceTypes).toEqual(['m-2', 'm-4', 'm-16'])
    expect(claim?.requirements).toContainEqual({ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] })
    expect(claim?.requirements.some(({ key }) => key === HOST || key === 'karpenter.sh/registered')).toBe(false)
    expect(claim?.labels).toMatchObject({
      tier: 'web',
      'karpenter.sh/nodepool': 'general',
      'karpenter.kwok.sh/kwoknodeclass': 'default',
    })
    expect(claim?.spec.resources?.requests).toEqual({ cpu: '1500m', memory: '256Mi', pods: '1' })
  })

  test('a claim has at most the allowed number of types', () => {
    expect(general.set({ maxInstanceTypes: 2 }).schedule(pod('a')).plan.claims[0]?.instanceTypes).toEqual([
      'm-1',
      'm-2',
    ])
  })
})

describe('bad input', () => {
  const fine = pod('fine')

  test.each([
    ['an amount that does not parse', pod('bad', { cpu: 'lots' })],
    ['a negative amount', pod('bad', { cpu: '-1' })],
    [
      'an unknown operator',
      pod('bad', {
        spec: JSON.parse(
          '{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"Like"}]}]}}}}',
        ),
      }),
    ],
    ['a skew that is not positive', pod('bad', { spec: spreadOver(ZONE, 'bad', { maxSkew: -1 }) })],
    ['no spec', JSON.parse('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"bad","namespace":"default"}}')],
    [
      'containers that are none',
      JSON.parse(
        '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"bad","namespace":"default"},"spec":{"containers":"x"}}',
      ),
    ],
  ])('%s makes only its own pod fail', (_, bad) => {
    const outcome = general.schedule(bad, fine)
    expect(outcome.failed).toEqual(['bad'])
    expect(outcome.reasonOf('bad')).toBe('pod.invalid')
    expect(outcome.claims).toEqual([['fine']])
  })

  test('offerings without a price are ignored; free and duplicate offerings are not', () => {
    const type = instanceType('odd', 2, '8Gi')
    const [first] = type.offerings
    if (first === undefined) throw new Error('no offering')
    const priced = (...prices: readonly number[]) =>
      cluster().pool('general', { types: [{ ...type, offerings: prices.map((price) => ({ ...first, price })) }] })
    expect(priced(Number.NaN, Number.POSITIVE_INFINITY, -1).schedule(fine).reasonOf('fine')).toBe(
      'nodepool.catalogue-empty',
    )
    expect(priced(0, 0, 0.5).schedule(fine).plan.hourlyCost).toBe(0)
    expect(priced(0, 0, 0.5).set({ planBudget: 100_000 }).schedule(replicas(9, 'a')).failed).toEqual([])
  })

  test('the reason names an empty catalogue, a pool that excludes all instance types, or a missing pool', () => {
    expect(cluster().pool('general', { types: [] }).schedule(fine).reasonOf('fine')).toBe('nodepool.catalogue-empty')
    expect(
      cluster()
        .pool('general', { requirements: [isIn(ZONE, 'mars')] })
        .schedule(fine)
        .reasonOf('fine'),
    ).toBe('nodepool.catalogue-empty')
    expect(cluster().schedule(fine).reasonOf('fine')).toBe('nodepool.none')
  })

  test('existing nodes are used even if no pool can launch nodes', () => {
    const none = cluster().pool('general', { types: [] }).nodes(node('n'))
    expect(none.schedule(fine).placements).toEqual({ n: ['fine'] })
  })

  test('a broken pool does not affect the others', () => {
    const odd = cluster()
      .pool('z-odd', { weight: 9, requirements: [{ key: 'x', operator: 'Gt', values: ['many'] }] })
      .pool('general')
    expect(odd.schedule(fine).plan.claims[0]?.nodePool).toBe('general')
  })

  test('a pool with an invalid limit launches nothing, and other pools do', () => {
    const unlimited = cluster().pool('general', { limits: { cpu: 'lots' } })
    expect(unlimited.schedule(fine).reasonOf('fine')).toBe('nodepool.not-ready')
    expect(unlimited.pool('sound').schedule(fine).failed).toEqual([])
  })

  test('10,000 NodePools with one catalogue: pods find their pool, and pods without one get a reason', () => {
    const catalogue = Array.from({ length: 100 }, (_, i) => instanceType(`m-${i + 1}`, i + 1, `${4 * (i + 1)}Gi`))
    const options = Array.from(
      { length: 10_000 },
      (_, i) =>
        cluster().pool(`p-${i}`, {
          types: catalogue,
          labels: { tenant: `t-${i}` },
          requirements: [isIn(ZONE, `zone-${1 + (i % 2)}`)],
          limits: { cpu: i === 7 ? 'lots' : '1000' },
        }).snapshot.pools,
    ).flat()
    const outcome = cluster()
      .with({ pools: options })
      .schedule(
        replicas(20, 'a', { spec: spreadOver(ZONE, 'a') }),
        pod('own', { spec: { nodeSelector: { tenant: 't-4711' } } }),
        pod('nobody', { spec: { nodeSelector: { tenant: 'nobody' } } }),
      )
    expect(outcome.failed).toEqual(['nobody'])
    expect(outcome.reasonOf('nobody')).toBe('requirement.unsatisfied')
    expect(outcome.plan.claims.filter(({ nodePool }) => nodePool === 'p-4711')).toHaveLength(1)
  }, 60_000)
})

describe('work', () => {
  test('twice the pods of the same groups take at most about twice the steps', () => {
    const batch = (count: number) =>
      ['a', 'b', 'c'].flatMap((app, i) => [
        ...replicas(count, app, {
          cpu: `${(i + 1) * 100}m`,
          spec: spreadOver(i === 0 ? ZONE : HOST, app, { maxSkew: 3 }),
        }),
      ])
    const steps = (count: number) => general.schedule(batch(count)).plan.steps
    expect(steps(1_600)).toBeLessThanOrEqual(2.2 * steps(800))
    expect(steps(3_200)).toBeLessThanOrEqual(2.2 * steps(1_600))
  })

  test('unschedulable pods are not tried again one by one', () => {
    const hopeless = (count: number) =>
      general.schedule(replicas(count, 'x', { cpu: '400' }), replicas(50, 'a')).plan.steps
    expect(hopeless(2_000)).toBeLessThanOrEqual(hopeless(200) + 200)
  })
})
