import { inAnyTerm } from '@kerf/testing'
import { expect, test } from 'vitest'
import { CAPACITY_TYPE, cluster, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** This file tests `docs/spec/scheduling.md#placing-pods`: no alternative of a required node affinity is preferred to another. */

const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const weighted = cluster()
  .pool('high', { weight: 100, labels: { team: 'b' } })
  .pool('low', { weight: 1, labels: { team: 'a' } })
const either = inAnyTerm([isIn('team', 'a')], [isIn('team', 'b')])

test('the pool with the highest weight that matches any alternative is used, whatever the order of the alternatives', () => {
  for (const spec of [either, inAnyTerm([isIn('team', 'b')], [isIn('team', 'a')])]) {
    const { plan } = weighted.schedule(replicas(2, 'app', { spec }))
    expect(plan.claims.map(({ nodePool, pods }) => [nodePool, pods.length])).toEqual([['high', 2]])
    const improved = weighted.set({ planBudget: 500_000 }).schedule(replicas(2, 'app', { spec }))
    expect(improved.plan.claims.map(({ nodePool }) => nodePool)).toEqual(['high'])
  }
})

test('even if only the last of many alternatives matches that pool', () => {
  const spec = inAnyTerm([isIn('team', 'x')], [isIn('team', 'a')], [isIn(ZONE, 'nowhere')], [isIn('team', 'b')])
  expect(weighted.schedule(pod('app', { spec })).plan.claims[0]?.nodePool).toBe('high')
})

test('an existing node for the second alternative comes before a new node for the first', () => {
  const exists = weighted.nodes(node('n', { labels: { team: 'a' } }))
  expect(exists.schedule(pod('app', { spec: inAnyTerm([isIn('team', 'b')], [isIn('team', 'a')]) })).placements).toEqual(
    {
      n: ['app'],
    },
  )
})

test('the first node in rank order is used, whichever alternative it matches', () => {
  const nodes = cluster().nodes(node('a', { labels: { team: 'b' } }), node('b', { labels: { team: 'a' } }))
  expect(nodes.schedule(pod('app', { spec: either })).placements).toEqual({ a: ['app'] })
})

test('a pod may join a claim of a pool of equal weight with any alternative', () => {
  const spec = inAnyTerm([isIn('team', 'x')], [isIn('team', 'a')])
  const pods = [pod('first', { cpu: '2', spec: { nodeSelector: { team: 'a' } } }), pod('app', { spec })]
  expect(weighted.schedule(pods).claims).toEqual([['app', 'first']])
})

test('a preference is relaxed only after all alternatives have been tried with it', () => {
  const spec = inAnyTerm([isIn(ZONE, 'zone-1')], [isIn(ZONE, 'zone-3')])
  const preference = { matchExpressions: [isIn(ZONE, 'zone-3')] }
  const nodeAffinity = {
    ...spec.affinity.nodeAffinity,
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }],
  }
  const outcome = cluster()
    .pool('general')
    .schedule(replicas(3, 'app', { spec: { affinity: { nodeAffinity } } }))
  expect(outcome.perZone()).toEqual({ 'zone-3': 3 })
})

test('an impossible preference does not restrict the pod to the last alternative', () => {
  const preference = { matchExpressions: [isIn(CAPACITY_TYPE, 'nowhere')] }
  const nodeAffinity = {
    ...either.affinity.nodeAffinity,
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }],
  }
  const spec = { affinity: { nodeAffinity } }
  expect(weighted.schedule(pod('app', { spec })).plan.claims[0]?.nodePool).toBe('high')
  const onlyFirst = cluster().pool('low', { labels: { team: 'a' } })
  expect(onlyFirst.schedule(pod('app', { spec })).failed).toEqual([])
})

test('the reason of a pool is that of the alternative that came closest', () => {
  const spec = inAnyTerm([isIn('team', 'a')], [isIn('team', 'nobody')])
  const outcome = cluster()
    .pool('low', { labels: { team: 'a' } })
    .schedule(pod('app', { cpu: '900', spec }))
  expect(outcome.reasonOf('app')).toBe('resources.exceeded')
})
