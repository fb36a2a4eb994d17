import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { zone1, zone2, zone3 } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type PodTraits, pod, spread, taint, term, web } from './objects.ts'

/**
 * This file tests the topology cases of `docs/spec/scheduling-edge-cases.md` that the engine's own tests do not cover.
 * `numbered-cases.ts` lists all cases by number, and docs/conformance.md says where each is tested.
 */

const full = { cpu: '0', maxPods: '0' } as const

describe('topology', () => {
  test('anti-affinity of running pods keeps a group from using another host, in any zone', () => {
    const self: PodTraits = { labels: web, near: [term(key.host)], selector: { [key.zone]: zone2 } }
    const plan = harness()
      .node('n', { zone: zone1, pods: [pod('there', { labels: web })], ...full })
      .pods(2, self)
      .plan()
    expect(plan.left).toHaveLength(2)
  })

  test('minDomains counts the domains that the pod allows, not only those of one node', () => {
    const three = spread(key.zone, { minDomains: 3 })
    const two = harness()
      .pods(3, { labels: web, spread: [three], needs: [is(key.zone, 'In', zone1, zone2)] })
      .plan()
    expect([two.skew(key.zone), two.left.length]).toEqual([[1, 1], 1])
    const known = harness()
      .only({ requirements: [is(key.zone, 'In', zone1, zone2)] })
      .node('n', { zone: zone3, pods: [0, 1].map((i) => pod(`there-${i}`, { labels: web })), ...full })
      .pods(5, { labels: web, spread: [three] })
      .plan()
    expect([known.left, known.skew(key.zone)]).toEqual([[], [3, 2, 2]])
  })

  test('affinity cannot choose zones behind a taint, except zones in which pods already run', () => {
    const cluster = harness()
      .pool('clean', { requirements: [is(key.zone, 'In', zone1)] })
      .pool('tainted', { requirements: [is(key.zone, 'In', zone2)], taints: [taint('team')] })
    const apart = cluster.pods(3, { labels: web, away: [term(key.zone)] }).plan()
    expect([apart.skew(key.zone), apart.left.length]).toEqual([[1], 2])
    const there = cluster
      .node('n', { zone: zone3, pods: [pod('target', { labels: web })] })
      .pod('a', { near: [term(key.zone)] })
      .plan()
    expect(there.placeOf('a')).toBe('n')
  })

  test('affinity can choose zones behind a soft taint', () => {
    const plan = harness()
      .pool('clean', { requirements: [is(key.zone, 'In', zone1)] })
      .pool('soft', { requirements: [is(key.zone, 'In', zone2)], taints: [taint('soft', 'x', 'PreferNoSchedule')] })
      .pods(3, { labels: web, away: [term(key.zone)] })
      .plan()
    expect([plan.skew(key.zone), plan.left.length]).toEqual([[1, 1], 1])
  })

  test('a claim without the label that the constraint selects is not counted', () => {
    const regional: PodTraits = { labels: web, spread: [spread(key.zone)], selector: { [key.region]: 'r' } }
    const plan = harness()
      .pod('other', { labels: web, cpu: '3500m', selector: { [key.zone]: zone1 } })
      .pods(2, { ...regional, cpu: '3' })
      .plan()
    expect([plan.zoneOf('pod-0'), plan.zoneOf('pod-1')]).toEqual([zone1, zone2])
  })

  test('the name of a node without the hostname label is its host', () => {
    const plan = harness()
      .node('n', { noHostLabel: true, pods: [pod('there', { labels: web })] })
      .pod('a', { labels: web, spread: [spread(key.host)] })
      .plan()
    expect(plan.placeOf('a')).toBe('claim 0')
  })

  test('a claim without a node has no zone yet, but counts as a host', () => {
    const cluster = (hasNode: boolean) =>
      harness()
        .knowingly('the validator counts the zone of the claim')
        .only({ requirements: [is(key.zone, 'In', zone1, zone2)] })
        .node('n', { pool: 'default', zone: zone3, ...full, state: { hasNode, initialized: hasNode } })
    const four = (hasNode: boolean) =>
      cluster(hasNode)
        .pods(4, { labels: web, spread: [spread(key.zone)] })
        .plan()
    expect(four(false).skew(key.zone)).toEqual([2, 2])
    expect([four(true).skew(key.zone), four(true).left.length]).toEqual([[1, 1], 2])
    const free = harness().node('n', { pool: 'default', state: { hasNode: false, initialized: false } })
    const hosts = free.pods(2, { labels: web, spread: [spread(key.host)] }).plan()
    expect([hosts.podsOn('n').length, hosts.sizes]).toEqual([1, [1]])
  })

  test('with two constraints on one label, a domain that both allow is chosen (upstream fails)', () => {
    const a = { app: 'a' }
    const b = { app: 'b' }
    const at = (zone: string, ...labels: readonly (typeof a)[]) => ({
      zone,
      pods: labels.map((each, i) => pod(`${zone}-${i}`, { labels: each })),
      ...full,
    })
    const plan = harness()
      .node('n1', at(zone1, b))
      .node('n2', at(zone2, a))
      .node('n3', at(zone3, a, b))
      .pod('p', { labels: { ...web }, spread: [spread(key.zone, { of: a }), spread(key.zone, { of: b })] })
      .plan()
    expect([zone1, zone2]).toContain(plan.zoneOf('p'))
  })

  test('the last constraint takes the position of the one that was given up', () => {
    const soft = (label: string) => spread(label, { soft: true })
    const of = (...constraints: readonly ReturnType<typeof spread>[]) =>
      harness().pods(3, { labels: web, spread: constraints }).plan().skew(key.zone)
    const host = spread(key.host)
    // The constraints are dropped in this order: the first one; the last one, which has by then moved to the first position; and the third
    // one.
    expect(of(soft('unknown-1'), host, soft('unknown-2'), soft(key.zone))).toEqual([3])
    expect(of(soft('unknown-1'), host, soft(key.zone), soft('unknown-2'))).toEqual([1, 1, 1])
  })

  test('constraints that are ignored have no effect', () => {
    const soft = { labels: web, spread: [spread('unknown', { soft: true })], cpu: '1' }
    const steps = (traits: PodTraits) => harness().pods(10, traits).plan({ preferencePolicy: 'Ignore' }).plan.steps
    expect(steps(soft)).toBe(steps({ labels: web, cpu: '1' }))
  })
})
