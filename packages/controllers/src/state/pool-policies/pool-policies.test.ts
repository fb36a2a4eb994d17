import { karpenterKinds, type NodePool, type NodePoolPolicy, policyKinds } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { attachPolicies } from './attached-policies.ts'
import { PoolPolicies } from './pool-policies.ts'
import { sleepingPools, untilText } from './pool-sleep.ts'

// docs/spec/policies.md#nodepoolpolicy

const pool = nodePool('general')

const start = () => {
  const informers = new ManualInformers()
  informers.put(karpenterKinds.NodePool, pool)
  informers.put(policyKinds.NodePoolPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'research' },
    spec: { targetSelector: { matchLabels: { team: 'research' } }, access: { schedulerNames: ['volcano'] } },
  })
  return { informers, policies: new PoolPolicies({ informers }, { markUnconsolidated: () => {} }) }
}

test.each<[string, NodePool, boolean]>([
  ['of its labels', { ...pool, metadata: { ...pool.metadata, labels: { team: 'research' } } }, true],
  ['to a static NodePool', { ...pool, spec: { ...pool.spec, replicas: 1 } }, false],
])('a change %s changes which policies apply to a NodePool', (_what, changed, hasAccess) => {
  const { informers, policies } = start()
  const before = policies.attached
  expect(policies.access).toBeUndefined()
  informers.put(karpenterKinds.NodePool, changed)
  expect(policies.attached).not.toBe(before)
  expect(policies.access?.has('general') === true).toBe(hasAccess)
})

test('a write of the status of a NodePool does not recompute which policies apply', () => {
  const { informers, policies } = start()
  const before = policies.attached
  informers.put(karpenterKinds.NodePool, { ...structuredClone(pool), status: { nodes: 3 } })
  expect(policies.attached).toBe(before)
})

type Days = NonNullable<NodePoolPolicy['spec']['sleep']>['awake'][number]['days']

/** Returns a policy for all NodePools that keeps them awake from 07:00 to 19:00 on these days. */
const nightPolicy = (timeZone: string, days: Days, deadline: string): NodePoolPolicy => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'NodePoolPolicy',
  metadata: { name: 'night' },
  spec: { targetSelector: {}, sleep: { timeZone, awake: [{ days, start: '07:00', end: '19:00' }], deadline } },
})

test.each([
  ['the hours', undefined, '2026-12-03T21:00:00Z'],
  ['the time until which the annotation kept the NodePool awake', '2026-12-03T20:30:00Z', '2026-12-03T22:30:00Z'],
  ['the hours, not an older annotation', '2026-12-02T20:30:00Z', '2026-12-03T21:00:00Z'],
])('the deadline of sleep starts at the end of %s', (_what, awakeUntil, deadline) => {
  const annotations = awakeUntil === undefined ? {} : { 'kerf.sh/awake-until': awakeUntil }
  const dev: NodePool = { ...pool, metadata: { ...pool.metadata, annotations } }
  const night = nightPolicy('Etc/UTC', ['Wed', 'Thu', 'Fri'], '2h')
  // 3 December 2026 is a Thursday.
  const found = sleepingPools(attachPolicies([night], [dev]), () => dev, Date.parse('2026-12-03T23:00:00Z'))
  expect(new Date(found.pools.get('general')?.deadline ?? 0).toISOString()).toBe(deadline.replace('Z', '.000Z'))
})

test('if the clock jumps, even across a change of daylight saving time, the state is that of the new time', () => {
  const informers = new ManualInformers()
  informers.put(karpenterKinds.NodePool, pool)
  const night = nightPolicy('Europe/Berlin', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], '2h')
  informers.put(policyKinds.NodePoolPolicy, night)
  const policies = new PoolPolicies({ informers }, { markUnconsolidated: () => {} })
  const attached = attachPolicies([night], [pool])
  // In Berlin, daylight saving time ended at 01:00 UTC on 25 October 2026.
  for (const [at, state] of [
    ['2026-10-24T16:59:59Z', 'awake'],
    ['2026-10-25T05:59:59Z', 'asleep'],
    ['2026-10-25T06:00:00Z', 'awake'],
    ['2026-10-24T17:00:00Z', 'asleep'],
    ['2026-10-24T05:30:00Z', 'awake'],
    ['2026-10-25T05:30:00Z', 'asleep'],
    ['2026-10-25T17:59:59Z', 'awake'],
    ['2026-10-25T18:00:00Z', 'asleep'],
    ['2026-10-24T16:00:00Z', 'awake'],
  ] as const) {
    const now = Date.parse(at)
    const found = policies.sleep(now)
    expect(found.pools.get('general')?.state, at).toBe(state)
    expect(found.pools, at).toEqual(sleepingPools(attached, () => pool, now).pools)
  }
})

test('the end of a sleep is shown in its own time zone, with the weekday if it is more than a day away', () => {
  const now = Date.UTC(2026, 0, 5, 3)
  const at = Date.UTC(2026, 0, 5, 6)
  const zones = ['Europe/Berlin', 'Asia/Tokyo', 'Europe/Berlin']
  expect(zones.map((zone) => untilText(at, zone, now))).toEqual([
    '07:00 Europe/Berlin',
    '15:00 Asia/Tokyo',
    '07:00 Europe/Berlin',
  ])
  expect(untilText(at + 2 * 86_400_000, 'Asia/Tokyo', now)).toBe('Wed 15:00 Asia/Tokyo')
})
