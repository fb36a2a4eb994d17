import { describe, expect, test } from 'vitest'
import { type Harness, harness } from './harness.ts'
import { zone1, zone2, zone3, zones } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type PodTraits, type PoolTraits, pod, running, spread, taint, web } from './objects.ts'
import { full, inZone, only, overZones, spreading } from './spreading.ts'

/** Plans one group of pods after the other, each on the result of the previous plan. */
const waves = (
  cluster: Harness,
  label: string,
  traits: PodTraits,
  ...counts: readonly number[]
): readonly (readonly number[])[] => {
  let now = cluster
  return counts.map((count, wave) => {
    const plan = now.nobodyWaits().pods(count, traits, `wave-${wave}`).plan()
    now = now.after(plan)
    return plan.skew(label)
  })
}

test('Topology: a label without values makes only its own pod unschedulable; a constraint without a selector counts nothing', () => {
  const plan = harness().pod('a', spreading('unknown')).pod('b').plan()
  expect(plan.left).toEqual(['a'])
  expect(
    harness()
      .pods(2, spreading(key.host, { of: null }))
      .plan().sizes,
  ).toEqual([2])
})

describe('Zonal', () => {
  test('Zonal: four pods over three zones, by labels or by expressions', () => {
    expect(harness().pods(4, overZones).plan().skew(key.zone)).toEqual([2, 1, 1])
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'In' as const, values: ['web'] }] }
    const byExpression = { labels: web, spread: [{ ...spread(key.zone, { of: null }), labelSelector }] }
    expect(harness().pods(4, byExpression).plan().skew(key.zone)).toEqual([2, 1, 1])
  })

  test('Zonal: pools limited to zones by requirement, by label or by both, and several pools', () => {
    const four = (pool: PoolTraits) => harness().only(pool).pods(4, overZones).plan()
    expect(four(only(zone1, zone2)).skew(key.zone)).toEqual([2, 2])
    expect(four({ labels: { [key.zone]: zone2 } }).skew(key.zone)).toEqual([4])
    expect(four({ ...only(zone1, zone2), labels: { [key.zone]: zone2 } }).skew(key.zone)).toEqual([4])
    const three = harness()
      .pool('a', only(zone1))
      .pool('b', only(zone2))
      .pool('c', only(zone3))
      .pods(4, overZones)
      .plan()
    expect(three.skew(key.zone)).toEqual([2, 1, 1])
  })

  test('Zonal: zones that only existing nodes have count too', () => {
    const plan = harness()
      .only(only(zone1, zone2))
      .node('third', { ...inZone(zone3, 1), ...full })
      .pods(6, overZones)
      .plan()
    expect([plan.skew(key.zone), plan.left.length]).toEqual([[2, 2, 1], 2])
  })

  test('Zonal: a skew of five, and only one available zone', () => {
    const plan = harness()
      .only(only(zone3))
      .node('first', { ...inZone(zone1, 1), ...full })
      .node('second', { ...inZone(zone2, 1), ...full })
      .pods(10, spreading(key.zone, { maxSkew: 5 }))
      .plan()
    expect(plan.skew(key.zone)).toEqual([6, 1, 1])
  })

  test('Zonal: empty zones are filled first', () => {
    const cluster = harness().node('first', inZone(zone1, 3)).only(only(zone2, zone3))
    const plan = cluster
      .nodes((node) => ({ ...node, allocatable: {} }))
      .pods(3, overZones)
      .plan()
    expect(plan.skew(key.zone)).toEqual([3, 2, 1])
  })

  test('Zonal: if one zone is unreachable, the skew limits the other zones', () => {
    const plan = harness()
      .only(only(zone2, zone3))
      .node('first', { ...inZone(zone1, 1), ...full })
      .pods(10, overZones)
      .plan()
    expect(plan.skew(key.zone)).toEqual([2, 2, 1])
  })

  test('Zonal: pods that do not count', () => {
    const there = (name: string, traits: PodTraits) => running(pod(name, { labels: web, ...traits }), 'n')
    const others = [
      running(pod('no-label'), 'n'),
      there('elsewhere', { namespace: 'other' }),
      there('ending', { deleted: true }),
      there('failed', { status: { phase: 'Failed' } }),
      there('done', { status: { phase: 'Succeeded' } }),
    ]
    const plan = harness()
      .namespace('other')
      .node('n', { zone: zone1, state: { pods: others }, ...full })
      .node('nowhere', { ...full, state: { pods: [there('there', {})], labels: {} } })
      .pods(5, overZones)
      .plan()
    const counted = plan.claims.map(({ cheapest, pods }) => [cheapest.zone, pods.length] as const)
    const perZone = zones.map((zone) => counted.filter(([at]) => at === zone).reduce((sum, [, n]) => sum + n, 0))
    expect(perZone.toSorted((a, b) => b - a)).toEqual([2, 2, 1])
  })

  test('Zonal: a selector that does not match its own pod does not limit that pod', () => {
    expect(
      harness()
        .pods(3, spreading(key.zone, { of: { app: 'other' } }))
        .plan().sizes,
    ).toEqual([3])
  })

  test('Zonal: until there are minDomains zones, the skew limits every zone', () => {
    const two = harness()
      .only(only(zone1, zone2))
      .pods(3, spreading(key.zone, { minDomains: 3 }))
      .plan()
    expect([two.skew(key.zone), two.left.length]).toEqual([[1, 1], 1])
    for (const minDomains of [3, 2]) {
      expect(harness().pods(11, spreading(key.zone, { minDomains })).plan().skew(key.zone)).toEqual([4, 4, 3])
    }
  })
})

describe('Hostname', () => {
  test('Hostname: one pod per node, or as many as the skew', () => {
    expect(harness().pods(4, spreading(key.host)).plan().sizes).toEqual([1, 1, 1, 1])
    expect(
      harness()
        .pods(4, spreading(key.host, { maxSkew: 4 }))
        .plan().sizes,
    ).toEqual([4])
  })

  test('Hostname: different workloads share nodes, unless they need different instance types', () => {
    const app = (name: string, arch?: string): PodTraits => ({
      labels: { app: name },
      spread: [spread(key.host, { of: { app: name } })],
      ...(arch === undefined ? {} : { selector: { [key.arch]: arch } }),
    })
    expect(harness().pods(2, app('a'), 'a').pods(2, app('b'), 'b').plan().sizes).toEqual([2, 2])
    const apart = harness().pods(2, app('a', 'amd64'), 'a').pods(2, app('b', 'arm64'), 'b').plan()
    expect(apart.sizes).toEqual([1, 1, 1, 1])
  })
})

describe('Capacity type', () => {
  const overTypes = spreading(key.capacityType)

  test('Capacity type: spread over both types, within what the pool allows', () => {
    expect(harness().pods(4, overTypes).plan().skew(key.capacityType)).toEqual([2, 2])
    const spot = harness()
      .only({ requirements: [is(key.capacityType, 'In', 'spot')] })
      .pods(4, overTypes)
      .plan()
    expect(spot.skew(key.capacityType)).toEqual([4])
  })

  const withSpot = (requirements: PoolTraits['requirements']) =>
    harness()
      .only(requirements === undefined ? {} : { requirements })
      .node('spot', { capacityType: 'spot', pods: [pod('there', { labels: web })], ...full })
  const onDemand = [is(key.capacityType, 'In', 'on-demand')]

  test('Capacity type: running pods limit the other type to the skew, unless the spread is only preferred', () => {
    const hard = withSpot(onDemand).pods(5, overTypes).plan()
    expect([hard.skew(key.capacityType), hard.left.length]).toEqual([[2, 1], 3])
    const soft = withSpot(onDemand)
      .pods(5, spreading(key.capacityType, { soft: true }))
      .plan()
    expect(soft.skew(key.capacityType)).toEqual([5, 1])
  })

  test('Capacity type: affinity to a type limits the compared types, without affinity all are compared; the same for architectures', () => {
    const cluster = withSpot(undefined)
    const pinned = cluster.pods(5, { ...overTypes, needs: onDemand }).plan()
    expect(pinned.skew(key.capacityType)).toEqual([5, 1])
    const arch = harness()
      .only({ requirements: [is(key.arch, 'In', 'amd64')] })
      .node('arm', { labels: { [key.arch]: 'arm64' }, pods: [pod('there', { labels: web })], ...full })
      .pods(5, spreading(key.arch))
      .plan()
    expect([arch.skew(key.arch), arch.left.length]).toEqual([[2, 1], 3])
    const named = harness()
      .node('arm', { labels: { [key.arch]: 'arm64' }, pods: [pod('there', { labels: web })], ...full })
      .pods(5, spreading(key.arch, {}, { needs: [is(key.arch, 'In', 'amd64')] }))
      .plan()
    expect(named.skew(key.arch)).toEqual([5, 1])
  })

  test('Capacity type: pods that do not count are also ignored here', () => {
    const there = (name: string, traits: PodTraits = {}) => running(pod(name, { labels: web, ...traits }), 'n')
    const plan = harness()
      .node('n', {
        capacityType: 'spot',
        state: {
          pods: [
            there('ending', { deleted: true }),
            there('done', { status: { phase: 'Succeeded' } }),
            running(pod('x'), 'n'),
          ],
        },
        ...full,
      })
      .pods(5, overTypes)
      .plan()
    expect(plan.claims.map(({ pods }) => pods.length).toSorted()).toEqual([2, 3])
  })
})

describe('Combined', () => {
  test('Combined: zone with skew 1 and host with skew 3, one group of pods after another', () => {
    const both = { labels: web, spread: [spread(key.zone), spread(key.host, { maxSkew: 3 })] }
    expect(waves(harness(), key.zone, both, 2, 3, 5, 11)).toEqual([
      [1, 1],
      [2, 2, 1],
      [4, 3, 3],
      [7, 7, 7],
    ])
  })

  test('Combined: a custom label over two pools', () => {
    const label = 'capacity.spread.4-1'
    const values = (...names: readonly string[]) => [is(label, 'In', ...names)]
    const plan = harness()
      .pool('spot', { requirements: [is(key.capacityType, 'In', 'spot'), ...values('2', '3', '4', '5')] })
      .pool('on-demand', { requirements: [is(key.capacityType, 'In', 'on-demand'), ...values('1')] })
      .pods(20, spreading(label))
      .plan()
    expect([plan.skew(label), plan.skew(key.capacityType)]).toEqual([
      [4, 4, 4, 4, 4],
      [16, 4],
    ])
  })

  test('Combined: a third zone without available nodes, with a preferred spread over hosts', () => {
    const plan = harness()
      .pool('two', only(zone1, zone2))
      .pool('none', { ...only(zone3), limits: { cpu: '0' } })
      .pods(10, { labels: web, spread: [spread(key.zone), spread(key.host, { soft: true })] })
      .plan()
    expect(plan.skew(key.zone)).toEqual([1, 1])
  })

  test('Combined: capacity type and host', () => {
    const both = { labels: web, spread: [spread(key.capacityType), spread(key.host, { maxSkew: 3 })] }
    expect(waves(harness(), key.capacityType, both, 2, 3, 5, 11)).toEqual([
      [1, 1],
      [3, 2],
      [5, 5],
      [11, 10],
    ])
  })

  test('Combined: zone and capacity type', () => {
    const both = { labels: web, spread: [spread(key.zone), spread(key.capacityType)] }
    for (let count = 1; count <= 4; count++) {
      const plan = harness().pods(count, both).plan()
      expect([plan.left, Math.max(...plan.skew(key.capacityType))]).toEqual([[], Math.ceil(count / 2)])
      expect(Math.max(...plan.skew(key.zone))).toBe(Math.ceil(count / 3))
    }
  })

  test('Combined: zone, capacity type and host each keep their skew', () => {
    const all = {
      labels: web,
      spread: [spread(key.capacityType), spread(key.zone, { maxSkew: 2 }), spread(key.host, { maxSkew: 3 })],
    }
    for (let count = 1; count < 15; count++) {
      const plan = harness().pods(count, all).plan()
      // The third zone has no spot capacity. Choosing pod by pod may lead to a state in which only spot capacity in that zone would satisfy
      // both skews.
      expect(plan.left.length).toBeLessThanOrEqual(count < 14 ? 0 : 1)
      const most = (label: string) => Math.max(...plan.skew(label))
      expect(most(key.host)).toBeLessThanOrEqual(3)
      expect(most(key.zone) - (plan.skew(key.zone)[2] ?? 0)).toBeLessThanOrEqual(2)
      expect(most(key.capacityType)).toBe(Math.ceil(plan.placed / 2))
    }
  })
})

test('Topology: matchLabelKeys count only pods of the same revision; keys that the pod does not have are ignored', () => {
  const of = (revision: string) => ({
    labels: { ...web, revision },
    spread: [spread(key.host, { matchLabelKeys: ['revision'] })],
  })
  const plan = harness().pods(2, of('a'), 'a').pods(2, of('b'), 'b').plan()
  expect(plan.sizes).toEqual([2, 2])
  const lacking = spreading(key.host, { matchLabelKeys: ['missing'] })
  expect(harness().pods(4, lacking).plan().sizes).toEqual([1, 1, 1, 1])
})

describe('Policies', () => {
  const LABEL = 'spread-label'
  const pool = (...values: readonly string[]): PoolTraits => ({ requirements: [is(LABEL, 'In', ...values)] })

  test('Policies: tainted nodes count unless the policy honors taints', () => {
    const plan = (nodeTaintsPolicy: 'Honor' | 'Ignore') =>
      harness()
        .only(pool('baz'))
        .node('foo', { labels: { [LABEL]: 'foo' }, taints: [taint('team')] })
        .node('bar', { labels: { [LABEL]: 'bar' }, taints: [taint('team')] })
        .pods(5, spreading(LABEL, { nodeTaintsPolicy }))
        .plan()
    expect(plan('Ignore').skew(LABEL)).toEqual([1])
    expect(plan('Honor').skew(LABEL)).toEqual([5])
  })

  test('Policies: tainted pools count unless the policy honors taints', () => {
    const plan = (nodeTaintsPolicy: 'Honor' | 'Ignore') =>
      harness()
        .pool('clean', pool('foo'))
        .pool('tainted', { ...pool('bar'), taints: [taint('team')] })
        .pods(2, spreading(LABEL, { nodeTaintsPolicy }))
        .plan()
    expect(plan('Ignore').placed).toBe(1)
    expect(plan('Honor').placed).toBe(2)
  })

  test('Policies: mutually exclusive pools that share a domain', () => {
    const tolerate = (name: string): PodTraits['tolerations'] => [{ key: name, operator: 'Exists' }]
    const plan = harness()
      .pool('a', { ...pool('foo', 'bar'), taints: [taint('a')] })
      .pool('b', { ...pool('bar', 'baz'), taints: [taint('b')] })
      .pods(3, { ...spreading(LABEL, { nodeTaintsPolicy: 'Honor' }), tolerations: tolerate('a') ?? [] }, 'a')
      .pods(3, { ...spreading(LABEL, { nodeTaintsPolicy: 'Honor' }), tolerations: tolerate('b') ?? [] }, 'b')
      .plan()
    expect(plan.left).toEqual([])
    const counts = plan.counts(LABEL)
    expect((counts.get('foo') ?? 0) + (counts.get('bar') ?? 0) + (counts.get('baz') ?? 0)).toBe(6)
    expect([...counts.keys()].sort()).toEqual(['bar', 'baz', 'foo'])
  })

  test('Policies: nodes that the pod does not select count only if the policy ignores node affinity', () => {
    const plan = (nodeAffinityPolicy: 'Honor' | 'Ignore') =>
      harness()
        .only({ ...pool('baz'), labels: { selected: 'yes' } })
        .node('foo', { labels: { [LABEL]: 'foo', selected: 'no' } })
        .node('bar', { labels: { [LABEL]: 'bar', selected: 'no' } })
        .pods(5, { ...spreading(LABEL, { nodeAffinityPolicy }), selector: { selected: 'yes' } })
        .plan()
    expect(plan('Ignore').skew(LABEL)).toEqual([1])
    expect(plan('Honor').skew(LABEL)).toEqual([5])
  })
})

describe('Node affinity with spread', () => {
  test('Node affinity with spread: pods that require one zone each', () => {
    const plan = harness()
      .pods(5, { ...overZones, selector: { [key.zone]: zone1 } }, 'a')
      .pods(10, { ...overZones, selector: { [key.zone]: zone2 } }, 'b')
      .plan()
    expect([plan.counts(key.zone).get(zone1), plan.counts(key.zone).get(zone2)]).toEqual([5, 10])
  })

  test('Node affinity with spread: first two zones are allowed, then all', () => {
    const two = [is(key.zone, 'In', zone1, zone2)]
    expect(
      harness()
        .pods(10, { ...overZones, needs: two })
        .plan()
        .skew(key.zone),
    ).toEqual([5, 5])
    const first = harness()
      .pods(6, { ...overZones, needs: two })
      .plan()
    expect(first.skew(key.zone)).toEqual([3, 3])
    const opened = harness().after(first)
    const next = opened.pods(1, overZones, 'next').plan()
    expect(next.skew(key.zone)).toEqual([3, 3, 1])
    expect(opened.after(next).pods(5, overZones, 'last').plan().skew(key.zone)).toEqual([4, 4, 4])
  })

  test('Node affinity with spread: a preference for zones does not limit the spread', () => {
    const wish = { ...overZones, prefers: [[is(key.zone, 'In', zone1, zone2)]] }
    expect(harness().pods(6, wish).plan().skew(key.zone)).toEqual([2, 2, 2])
  })

  test('Node affinity with spread: first the selector allows one capacity type, then both', () => {
    const over = spreading(key.capacityType)
    const pinned = (capacityType: string) => ({ ...over, selector: { [key.capacityType]: capacityType } })
    const both = harness().pods(5, pinned('spot'), 's').pods(5, pinned('on-demand'), 'o').plan()
    expect(both.skew(key.capacityType)).toEqual([5, 5])
    const spot = harness()
      .pods(3, { ...over, needs: [is(key.capacityType, 'In', 'spot')] })
      .plan()
    expect(spot.skew(key.capacityType)).toEqual([3])
    expect(waves(harness().after(spot), key.capacityType, over, 1, 5)).toEqual([
      [3, 1],
      [5, 4],
    ])
  })
})
