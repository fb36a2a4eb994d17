import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { type, zone1, zone2, zone3 } from './instance-types.ts'
import { key } from './keys.ts'
import {
  type PodTraits,
  persistentVolume,
  pod,
  spread,
  storageClass,
  taint,
  term,
  volume,
  volumeClaim,
  web,
} from './objects.ts'
import { full, inZone, only, overZones, spreading } from './spreading.ts'

describe('Affinity', () => {
  const near = (label: string, of = web): PodTraits => ({ near: [term(label, of)] })
  const target: PodTraits = { labels: web }

  test('Affinity: empty terms have no effect', () => {
    const empty = { podAffinity: {}, podAntiAffinity: {} }
    expect(
      harness()
        .pod('a', { spec: { affinity: empty } })
        .plan().left,
    ).toEqual([])
  })

  test('Affinity: to the node of another pod; to its architecture on a separate node', () => {
    for (let round = 0; round < 4; round++) {
      const plan = harness().pod('z-target', target).pods(round, {}, 'other').pod('follower', near(key.host)).plan()
      expect(plan.placeOf('follower')).toBe(plan.placeOf('z-target'))
    }
    const plan = harness()
      .pod('target', { ...target, selector: { [key.arch]: 'arm64' }, spread: [spread(key.host)], cpu: '2' })
      .pod('follower', { ...near(key.arch), ...spreading(key.host), cpu: '1' })
      .plan()
    expect(plan.placeOf('follower')).not.toBe(plan.placeOf('target'))
    expect([plan.typeOf('follower'), plan.typeOf('target')]).toEqual(['arm', 'arm'])
  })

  test('Affinity: to itself on a host gives one node, until it is full', () => {
    const self = { ...target, ...near(key.host) }
    expect(harness().pods(3, self).plan().sizes).toEqual([3])
    const ten = harness().pods(10, self).plan()
    expect([ten.sizes, ten.left.length]).toEqual([[5], 5])
    const next = harness().after(ten).nobodyWaits().pods(5, self, 'late').plan()
    expect(next.left).toHaveLength(5)
  })

  test('Affinity: to itself on a host, separate from the running pods', () => {
    const plan = harness()
      .node('n', { ...inZone(zone1, 1), ...full })
      .pods(3, { ...target, ...near(key.host), selector: { [key.zone]: zone2 } })
      .plan()
    expect(plan.left).toHaveLength(3)
  })

  test('Affinity: to itself in a zone gives one zone, also a required one', () => {
    const self = { ...target, ...near(key.zone), cpu: '3' }
    expect(harness().pods(5, self).plan().skew(key.zone)).toEqual([5])
    const pinned = harness()
      .pods(5, { ...self, selector: { [key.zone]: zone3 } })
      .plan()
    expect(pinned.counts(key.zone)).toEqual(new Map([[zone3, 5]]))
  })

  test('Affinity: separate groups of pods go to the zones that they select', () => {
    const of = (name: string, zone: string) => ({
      labels: { app: name },
      near: [term(key.zone, { app: name })],
      selector: { [key.zone]: zone },
    })
    const plan = harness().pods(2, of('a', zone1), 'a').pods(2, of('b', zone2), 'b').plan()
    expect([plan.zoneOf('a-0'), plan.zoneOf('b-1'), plan.left]).toEqual([zone1, zone2, []])
  })

  test('Affinity: preferred affinity and anti-affinity may be given up', () => {
    expect(
      harness()
        .pod('a', { prefersNear: [term(key.host, { app: 'nobody' })] })
        .plan().left,
    ).toEqual([])
    const away = harness()
      .only(only(zone1))
      .pods(3, { labels: web, prefersAway: [term(key.zone)] })
      .plan()
    expect(away.left).toEqual([])
  })

  test('Affinity: away from a pod’s host, whatever the order of the pods', () => {
    for (let round = 0; round < 10; round++) {
      const names = round % 2 === 0 ? (['a', 'z'] as const) : (['z', 'a'] as const)
      const plan = harness()
        .pod(names[0], { ...target, cpu: `${100 + round}m` })
        .pod(names[1], { away: [term(key.host)], cpu: `${110 - round}m` })
        .plan()
      expect(plan.placeOf('a')).not.toBe(plan.placeOf('z'))
    }
  })

  test('Affinity: a pod cannot be placed if it must avoid pods in all zones, or a pod in an unknown zone', () => {
    const taken = harness().pods(3, overZones).plan()
    expect(
      harness()
        .after(taken)
        .pod('a', { away: [term(key.zone)] })
        .plan().left,
    ).toEqual(['a'])
    const arch = harness()
      .pod('target', { ...target, selector: { [key.arch]: 'arm64' } })
      .pod('a', { away: [term(key.arch)] })
      .plan()
    expect(arch.typeOf('a')).not.toBe('arm')
  })

  test('Affinity: away from another pending pod, whose zone is then fixed immediately', () => {
    const plan = harness()
      .pod('target', { ...target, cpu: '1' })
      .pod('a', { away: [term(key.zone)] })
      .plan()
    expect(plan.left).toEqual([])
    expect(plan.zoneOf('a')).not.toBe(plan.zoneOf('target'))
    const better = plan.improved
    expect(better.zoneOf('a')).not.toBe(better.zoneOf('target'))
  })

  test('Affinity: a required anti-affinity of a placed pod keeps others away, a preferred one does not', () => {
    const shy = { away: [term(key.zone)] }
    const batch = harness()
      .pod('shy', { ...shy, cpu: '1', selector: { [key.zone]: zone1 } })
      .pod('a', { ...target, selector: { [key.zone]: zone1 } })
      .plan()
    expect(batch.left).toEqual(['a'])
    const here = (traits: PodTraits) =>
      harness()
        .node('n', { zone: zone1, pods: [pod('shy', traits)] })
        .pod('a', { ...target, selector: { [key.zone]: zone1 } })
        .plan()
    expect(here(shy).left).toEqual(['a'])
    expect(here({ prefersAway: [term(key.zone)] }).left).toEqual([])
  })

  test('Affinity: a required term takes precedence over a preferred one', () => {
    const plan = harness()
      .node('n', { zone: zone2, pods: [pod('there', target)], ...full })
      .pods(2, { ...near(key.zone), prefersAway: [term(key.zone)] })
      .plan()
    expect(plan.zoneOf('pod-0')).toBe(zone2)
  })

  test('Affinity: a pod cannot be placed if no pod matches its affinity', () => {
    expect(
      harness()
        .pods(10, near(key.zone, { app: 'nobody' }))
        .plan().left,
    ).toHaveLength(10)
  })

  test('Affinity: followers are placed with their leader in the same decision, with or without a fixed zone', () => {
    for (const leader of [
      { ...target, cpu: '1' },
      { ...target, cpu: '1', selector: { [key.zone]: zone3 } },
    ]) {
      const plan = harness().pod('leader', leader).pods(10, near(key.zone), 'follower').plan()
      expect(plan.left).toEqual([])
      for (const outcome of [plan, plan.improved]) {
        for (let index = 0; index < 10; index++) {
          expect(outcome.zoneOf(`follower-${index}`)).toBe(outcome.zoneOf('leader'))
        }
      }
    }
  })

  test('Affinity: replicas with anti-affinity to each other use each zone once in one decision, and no more', () => {
    const plan = harness()
      .pods(10, { labels: web, away: [term(key.zone)] })
      .plan()
    expect([plan.skew(key.zone), plan.improved.skew(key.zone), plan.left.length]).toEqual([[1, 1, 1], [1, 1, 1], 7])
  })

  test('Affinity: instance types that offer a zone only as spot', () => {
    const types = [
      type('spot-1', { offerings: [{ capacityType: 'spot', zone: zone1 }] }),
      type('rest', { offerings: [{ zone: zone2 }, { zone: zone3 }] }),
    ]
    const plan = harness()
      .only({ types })
      .pods(3, { labels: web, away: [term(key.zone)] })
      .plan()
    expect(plan.skew(key.zone)).toEqual([1, 1, 1])
  })

  test('Affinity: chains of affinities are resolved in any order; an impossible chain fails as a whole', () => {
    const link = (name: string, to: string, label: string): PodTraits => ({
      labels: { app: name },
      near: [term(label, { app: to })],
    })
    const chain = harness()
      .pod('d', link('d', 'c', key.host))
      .pod('c', link('c', 'b', key.host))
      .pod('b', link('b', 'a', key.host))
      .pod('a', { labels: { app: 'a' } })
      .plan()
    expect(chain.groups).toEqual([['a', 'b', 'c', 'd']])
    const broken = harness()
      .pod('c', link('c', 'b', key.zone))
      .pod('b', link('b', 'a', key.zone))
      .pod('a', link('a', 'nobody', key.zone))
      .plan()
    expect(broken.left).toEqual(['a', 'b', 'c'])
  })

  test('Affinity: counts pods of its own namespace, of those it lists, or of those it selects', () => {
    const of = (rest: Parameters<typeof term>[2]) =>
      harness()
        .namespace('default')
        .namespace('other', { team: 'x' })
        .node('n', { zone: zone3, pods: [pod('target', { ...target, namespace: 'other' })], ...full })
        .pod('a', { near: [term(key.zone, web, rest)] })
        .plan()
    expect(of({}).left).toEqual(['a'])
    expect(of({ namespaces: ['other'] }).zoneOf('a')).toBe(zone3)
    expect(of({ namespaceSelector: { matchLabels: { team: 'x' } } }).zoneOf('a')).toBe(zone3)
    expect(of({ namespaceSelector: { matchLabels: { team: 'y' } } }).left).toEqual(['a'])
    expect(of({ namespaceSelector: {} }).zoneOf('a')).toBe(zone3)
  })
})

describe('Taints', () => {
  test('Taints: taints of the pool keep away pods that do not tolerate them; startup taints keep away none', () => {
    const cluster = harness().only({ taints: [taint('team')], startupTaints: [taint('boot')] })
    const left = (tolerations: PodTraits['tolerations']) =>
      cluster.pod('a', tolerations === undefined ? {} : { tolerations }).plan().left
    expect(left([{ key: 'team', operator: 'Equal', value: 'x', effect: 'NoSchedule' }])).toEqual([])
    expect(left([{ key: 'team', operator: 'Exists' }])).toEqual([])
    expect(left([{ key: 'team', operator: 'Equal', value: 'y' }])).toEqual(['a'])
    expect(left(undefined)).toEqual(['a'])
    expect(cluster.pod('a', { tolerations: [{ operator: 'Exists' }] }).plan().claim.spec.taints).toEqual([
      taint('team'),
    ])
  })
  test('Taints: a toleration of everything adds no taints', () => {
    expect(
      harness()
        .pod('a', { tolerations: [{ operator: 'Exists' }] })
        .plan().claim.spec.taints,
    ).toBeUndefined()
  })
})

test('Topology: a volume that exists in one zone, and minDomains of 3 over three zones', () => {
  const plan = harness()
    .storage({
      storageClasses: [storageClass('zonal', [[key.zone, [zone1]]])],
      persistentVolumes: [persistentVolume('pv')],
      persistentVolumeClaims: [volumeClaim('data', { class: 'zonal' })],
    })
    .pod('a', { ...spreading(key.zone, { minDomains: 3 }), volumes: [volume('data')] })
    .plan()
  expect(plan.zoneOf('a')).toBe(zone1)
})
