import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { PlanDocument, ProblemCode } from './documents.ts'
import type { Harness } from './harness.ts'
import {
  hopefuls,
  merges,
  moreTypes,
  movesToClaims,
  movesToNodes,
  onNode,
  otherOfferings,
  otherPools,
  withClaim,
  without,
} from './mutations.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { validatePlan } from './validate-plan.ts'

const all = scenarios()
const scenario = (number: string): Scenario => {
  const found = all.find(({ name }) => name.startsWith(number))
  if (found === undefined) throw new Error(`no scenario ${number}`)
  return found
}
const harnessCodes = (harness: Harness, plan: PlanDocument): ReadonlySet<ProblemCode> =>
  new Set(validatePlan(harness, plan).map(({ code }) => code))

describe('plans of upstream', () => {
  test.each(sampled(all, 15, 'plans of upstream').map((each) => [each.name, each] as const))(
    '%s breaks nothing',
    (_, { harness, expected }) => {
      expect(validatePlan(harness(), expected)).toEqual([])
    },
  )
})

describe('a plan with one planted fault', () => {
  const first = (plan: PlanDocument) => plan.nodeClaims[0]
  test.each<[string, string, ProblemCode, (plan: PlanDocument) => PlanDocument]>([
    ['a pod left out', '001', 'pod.missing', (plan) => without(plan, first(plan)?.pods[0] ?? '')],
    [
      'a pod twice',
      '005',
      'pod.twice',
      (plan) => ({ ...plan, unschedulable: [{ pod: first(plan)?.pods[0] ?? '', reason: '' }] }),
    ],
    [
      'a pod from nowhere',
      '001',
      'pod.unknown',
      (plan) => ({ ...plan, unschedulable: [{ pod: 'default/nobody', reason: '' }] }),
    ],
    ['a node left out', '005', 'pod.missing', (plan) => ({ ...plan, nodeClaims: plan.nodeClaims.slice(1) })],
    [
      'a node without pods',
      '001',
      'claim.empty',
      (plan) => ({
        ...plan,
        nodeClaims: [...plan.nodeClaims.map((claim) => ({ ...claim, pods: [] })), ...plan.nodeClaims],
      }),
    ],
    ['a missing node', '026', 'node.unknown', (plan) => onNode(plan, first(plan)?.pods[0] ?? '', 'phantom')],
    [
      'a missing pool',
      '001',
      'pool.unknown',
      (plan) => withClaim(plan, 0, (claim) => ({ ...claim, nodePool: 'phantom' })),
    ],
    [
      'a missing type',
      '001',
      'claim.types',
      (plan) => withClaim(plan, 0, (claim) => ({ ...claim, instanceTypes: [...claim.instanceTypes, 'z9.huge'] })),
    ],
    [
      'a type twice',
      '001',
      'claim.types',
      (plan) =>
        withClaim(plan, 0, (claim) => ({
          ...claim,
          instanceTypes: [...claim.instanceTypes, claim.instanceTypes[0] ?? ''],
        })),
    ],
    [
      'types in another order',
      '001',
      'claim.order',
      (plan) => withClaim(plan, 0, (claim) => ({ ...claim, instanceTypes: [...claim.instanceTypes].reverse() })),
    ],
    [
      'another price',
      '001',
      'claim.cheapest',
      (plan) =>
        withClaim(plan, 0, (claim) => ({ ...claim, cheapest: { ...claim.cheapest, price: claim.cheapest.price / 2 } })),
    ],
    ['another sum', '001', 'cost', (plan) => ({ ...plan, hourlyCost: plan.hourlyCost - 0.001 })],
    [
      'other requests',
      '001',
      'claim.requests',
      (plan) => withClaim(plan, 0, (claim) => ({ ...claim, requests: { ...claim.requests, cpu: '1m' } })),
    ],
    [
      'pods in another order',
      '005',
      'order',
      (plan) => withClaim(plan, 0, (claim) => ({ ...claim, pods: [...claim.pods].reverse() })),
    ],
    ['nodes in another order', '005', 'order', (plan) => ({ ...plan, nodeClaims: [...plan.nodeClaims].reverse() })],
    [
      'too few kinds of types',
      '032',
      'pool.min-values',
      (plan) => withClaim(plan, 0, (claim) => ({ ...claim, instanceTypes: claim.instanceTypes.slice(0, 1) })),
    ],
    [
      'a price without the overlay',
      '038',
      'claim.cheapest',
      (plan) =>
        withClaim(plan, 0, (claim) => ({
          ...claim,
          cheapest: { ...claim.cheapest, price: claim.cheapest.price / 0.7 },
        })),
    ],
  ])('the check finds: %s', (_, number, code, change) => {
    const { harness, expected } = scenario(number)
    expect(harnessCodes(harness(), change(expected))).toContain(code)
  })
})

/**
 * All plans that differ from a valid plan by one step. Not all of them are invalid. The table lists how many of them must at least be
 * invalid for each reason. If a check stops working, there are fewer.
 */
describe('plans one step away', () => {
  type Step = (plan: PlanDocument, harness: Harness) => Iterable<PlanDocument>
  const steps: Readonly<Record<string, Step>> = {
    movesToClaims,
    movesToNodes,
    hopefuls,
    merges,
    otherOfferings,
    otherPools,
    moreTypes,
  }
  test.each<[string, keyof typeof steps & string, ProblemCode, number]>([
    ['001', 'moreTypes', 'resources', 5],
    ['003', 'movesToClaims', 'resources', 5],
    ['003', 'otherPools', 'taint', 1],
    ['003', 'otherPools', 'selector', 1],
    ['004', 'moreTypes', 'selector', 10],
    ['004', 'movesToClaims', 'selector', 5],
    ['005', 'otherOfferings', 'claim.cheapest', 5],
    ['006', 'movesToClaims', 'taint', 5],
    ['006', 'hopefuls', 'taint', 3],
    ['007', 'movesToClaims', 'selector', 5],
    ['007', 'hopefuls', 'selector', 2],
    ['008', 'hopefuls', 'selector', 2],
    ['011', 'otherOfferings', 'spread', 2],
    ['011', 'movesToClaims', 'spread', 2],
    ['012', 'movesToClaims', 'spread', 5],
    ['012', 'merges', 'spread', 2],
    ['014', 'otherOfferings', 'spread', 1],
    ['014', 'movesToClaims', 'spread', 2],
    ['014', 'moreTypes', 'claim.types', 2],
    ['015', 'hopefuls', 'spread', 2],
    ['016', 'movesToClaims', 'spread', 1],
    ['016', 'hopefuls', 'spread', 1],
    ['017', 'movesToClaims', 'spread', 2],
    ['018', 'hopefuls', 'affinity', 1],
    ['019', 'movesToClaims', 'affinity', 5],
    ['019', 'movesToClaims', 'anti-affinity', 1],
    ['020', 'movesToClaims', 'anti-affinity', 10],
    ['020', 'merges', 'anti-affinity', 5],
    ['021', 'movesToClaims', 'selector', 2],
    ['022', 'movesToClaims', 'anti-affinity', 1],
    ['022', 'hopefuls', 'affinity', 1],
    ['023', 'movesToClaims', 'port', 5],
    ['024', 'movesToClaims', 'selector', 2],
    ['024', 'otherOfferings', 'claim.cheapest', 2],
    ['024', 'hopefuls', 'volume', 2],
    ['025', 'movesToNodes', 'volume.limit', 1],
    ['026', 'movesToNodes', 'resources', 5],
    ['027', 'movesToNodes', 'taint', 5],
    ['028', 'movesToNodes', 'anti-affinity', 1],
    ['028', 'movesToNodes', 'affinity', 1],
    ['029', 'moreTypes', 'resources', 3],
    ['031', 'hopefuls', 'resources', 1],
    ['033', 'moreTypes', 'resources', 3],
    ['035', 'hopefuls', 'selector', 2],
    ['035', 'hopefuls', 'resources', 2],
    ['040', 'movesToNodes', 'resources', 5],
  ])('%s %s: %s at least %i times', (number, step, code, times) => {
    const { harness, expected } = scenario(number)
    const cluster = harness()
    let found = 0
    for (const plan of steps[step]?.(expected, cluster) ?? []) if (harnessCodes(cluster, plan).has(code)) found += 1
    expect(found).toBeGreaterThanOrEqual(times)
  })

  test('another node above the limit of its pool', () => {
    const { harness, expected } = scenario('031')
    const cluster = harness()
    const last = expected.nodeClaims.at(-1)
    const limited = expected.nodeClaims.find(({ nodePool }) => cluster.pools.get(nodePool)?.spec.limits !== undefined)
    if (last === undefined || limited === undefined) throw new Error('scenario 031 has changed')
    const more = expected.unschedulable.map(({ pod }) => pod).sort()
    const plan = { ...expected, nodeClaims: [...expected.nodeClaims, { ...limited, pods: more }], unschedulable: [] }
    expect(harnessCodes(cluster, plan)).toContain('pool.limit')
  })
})
