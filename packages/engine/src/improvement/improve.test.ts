import { expect, test } from 'vitest'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { CAPACITY_TYPE, cluster, instanceType, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

const ID = 'example.com/reservation'
const isIn = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

const BUDGET = 500_000

/** Returns the instance type with an additional reservation of one instance in the first zone. */
const reservedOnce = (type: InstanceType): InstanceType => ({
  ...type,
  requirements: type.requirements.map((each) =>
    each.key === CAPACITY_TYPE ? { ...each, values: ['on-demand', 'spot', 'reserved'] } : each,
  ),
  offerings: [
    ...type.offerings,
    {
      requirements: [isIn(CAPACITY_TYPE, 'reserved'), isIn(ZONE, 'zone-1'), isIn(ID, 'r-1')],
      price: 0.0001,
      available: true,
      reservationCapacity: 1,
    },
  ],
})

test('claims that hold reserved capacity do not change, and the others become cheaper', () => {
  const onDemand = { spec: { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } } }
  // Two small nodes cost less than half as much as the node that the first pass fills.
  const types = [reservedOnce(instanceType('m-2', 2, '8Gi', 0.1)), instanceType('m-16', 16, '64Gi', 1)]
  const problem = cluster().pool('general', { types }).set({ reservationIdLabel: ID })
  const pods = [pod('held', { cpu: '1500m' }), ...replicas(2, 'later', { cpu: '1500m', ...onDemand })]
  const first = problem.schedule(pods)
  const better = problem.set({ planBudget: BUDGET }).schedule(pods)
  const held = (outcome: typeof first) =>
    outcome.plan.claims.filter(({ cheapest }) => cheapest.capacityType === 'reserved').map((claim) => claim.pods.length)
  expect([held(first), held(better)]).toEqual([[1], [1]])
  expect(better.failed).toEqual([])
  expect(better.plan.hourlyCost).toBeLessThan(first.plan.hourlyCost / 2)
  for (const { cheapest, requirements } of better.plan.claims.filter((claim) => (claim.cheapest.price ?? 0) > 0.01)) {
    expect(cheapest.capacityType).toBe('on-demand')
    expect(requirements).toContainEqual({ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] })
  }
})

test('batches of several thousand equivalence groups become cheaper too', () => {
  const pods = Array.from({ length: 3_200 }, (_, i) =>
    pod(`p-${i}`, { cpu: `${100 + i}m`, memory: `${64 + ((i * 7) % 3_000)}Mi` }),
  )
  const types = [2, 4, 8, 16].flatMap((cpu) => [
    instanceType(`c-${cpu}`, cpu, `${2 * cpu}Gi`, cpu * 0.08),
    instanceType(`m-${cpu}`, cpu, `${4 * cpu}Gi`, cpu * 0.1),
  ])
  const problem = cluster().pool('general', { types })
  const first = problem.schedule(pods)
  const better = problem.set({ planBudget: 4 * BUDGET }).schedule(pods)
  expect(better.failed).toEqual([])
  expect(better.plan.hourlyCost).toBeLessThan(first.plan.hourlyCost * 0.99)
  expect(better.plan.claims.length).toBeLessThanOrEqual(first.plan.claims.length * 1.1)
})

test('a spot node keeps a choice of types and zones', () => {
  const spot = { spec: { nodeSelector: { [CAPACITY_TYPE]: 'spot' } } }
  // The instance type `odd` is by far the cheapest for one pod, but a spot node must be able to choose from more types.
  const types = [
    ...[1, 2, 3, 4, 5, 6].map((i) => instanceType(`big-${i}`, 8, '32Gi', 0.8 + i / 100)),
    instanceType('odd', 2, '8Gi', 0.01),
  ]
  const problem = cluster().pool('general', { types }).set({ planBudget: BUDGET })
  const outcome = problem.schedule(replicas(4, 'a', { cpu: '1500m', ...spot }))
  for (const claim of outcome.plan.claims) {
    expect(claim.instanceTypes.length).toBeGreaterThanOrEqual(5)
    const zones = claim.requirements.find(({ key }) => key === ZONE)?.values
    expect(zones === undefined || zones.length >= 2).toBe(true)
  }
  expect(outcome.failed).toEqual([])
})
