import { near, running } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { cluster, HOST, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** This file tests `docs/spec/scheduling.md#affinity`: when a pod may be the first of a group. */

const RACK = 'example.com/rack'
const general = cluster().pool('general')
const inZone = (zone: string) => ({ nodeSelector: { [ZONE]: zone } })
const nearAll = (...terms: readonly (readonly [key: string, labels: Readonly<Record<string, string>>])[]) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: terms.map(([topologyKey, matchLabels]) => ({
        topologyKey,
        labelSelector: { matchLabels },
      })),
    },
  },
})

describe('members that cannot be together', () => {
  test('one of two contradictory members is placed', () => {
    const of = (app: string, zone: string) =>
      pod(app, { labels: { set: 'both' }, spec: { ...nearAll([ZONE, { set: 'both' }]), ...inZone(zone) } })
    const outcome = general.schedule(of('first', 'zone-1'), of('second', 'zone-3'))
    expect(outcome.failed).toEqual(['second'])
    expect(outcome.reasonOf('second')).toBe('topology.affinity')
    expect(outcome.sizes).toEqual([1])
  })

  test('if several replicas must be in one zone and one in another, the single one waits', () => {
    const spec = near(ZONE, 'web')
    const pinned = pod('web-9', { labels: { app: 'web' }, spec: { ...spec, ...inZone('zone-3') } })
    const free = replicas(2, 'web', { spec: { ...spec, ...inZone('zone-2') } })
    expect(general.schedule(free, pinned).failed).toEqual(['web-9'])
  })

  test('a member on a node without the key does not prevent a pod from being the first', () => {
    const { [ZONE]: _, ...labels } = node('bare').labels
    const bare = {
      ...node('bare', { cpu: '1', pods: [running('bare', pod('web-old', { labels: { app: 'web' } }))] }),
      labels,
    }
    const pinned = pod('web-1', {
      cpu: '2',
      labels: { app: 'web' },
      spec: { ...near(ZONE, 'web'), ...inZone('zone-3') },
    })
    expect(general.nodes(bare).schedule(pinned).perZone()).toEqual({ 'zone-3': 1 })
    // With the hostname key, the member prevents the pod from being the first, because each node has its own hostname domain.
    const both = pod('web-1', {
      cpu: '2',
      labels: { app: 'web' },
      spec: nearAll([ZONE, { app: 'web' }], [HOST, { app: 'web' }]),
    })
    expect(general.nodes(bare).schedule(both).failed).toEqual(['web-1'])
  })

  test('a member for another of the pod’s keys also prevents the pod from being the first', () => {
    const racked = node('n', { cpu: '500m', labels: { [RACK]: 'r1' } })
    const { [ZONE]: _, ...labels } = racked.labels
    const member = { ...racked, labels, pods: [running('n', pod('web-old', { labels: { app: 'web' } }))] }
    const pools = cluster()
      .pool('racked', { labels: { [RACK]: 'r1' } })
      .nodes(member)
    const spec = nearAll([ZONE, { app: 'web' }], [RACK, { app: 'web' }])
    expect(pools.schedule(pod('web-1', { labels: { app: 'web' }, spec })).failed).toEqual(['web-1'])
  })

  test('a terminating member does not count', () => {
    const leaving = running('n', pod('web-old', { labels: { app: 'web' } }))
    const gone = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    const outcome = general
      .nodes(node('n', { cpu: '500m', pods: [gone] }))
      .schedule(pod('web-1', { labels: { app: 'web' }, spec: { ...near(ZONE, 'web'), ...inZone('zone-3') } }))
    expect(outcome.failed).toEqual([])
  })

  test('a member in another namespace counts only if the term includes that namespace', () => {
    const old = running('n', pod('web-old', { labels: { app: 'web' } }))
    const foreign = { ...old, metadata: { ...old.metadata, namespace: 'other' } }
    const full = general.nodes(node('n', { cpu: '500m', pods: [foreign] }))
    const looking = (namespaces: readonly string[]) => {
      const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'web' } }, namespaces: [...namespaces] }
      const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
      return pod('web-1', { labels: { app: 'web' }, spec: { affinity, ...inZone('zone-3') } })
    }
    expect(full.schedule(looking([])).failed).toEqual([])
    expect(full.schedule(looking(['default', 'other'])).failed).toEqual(['web-1'])
  })
})

describe('several terms', () => {
  const spec = nearAll([ZONE, { app: 'web' }], [ZONE, { tier: 'front' }])

  test('if a pod has several terms, only pods that all of them select count', () => {
    const half = running('n', pod('half', { labels: { app: 'web' } }))
    const otherHalf = running('n', pod('other', { labels: { tier: 'front' } }))
    const whole = running('n', pod('whole', { labels: { app: 'web', tier: 'front' } }))
    const follower = pod('follower', { spec })
    expect(general.nodes(node('n', { pods: [half, otherHalf] })).schedule(follower).failed).toEqual(['follower'])
    expect(general.nodes(node('n', { pods: [whole] })).schedule(follower).placements).toEqual({ n: ['follower'] })
  })

  test('a pod that one of its own terms does not select cannot be the first', () => {
    expect(general.schedule(pod('a', { labels: { app: 'web' }, spec })).failed).toEqual(['a'])
    expect(general.schedule(pod('a', { labels: { app: 'web', tier: 'front' }, spec })).failed).toEqual([])
  })

  test('a pod that only one of the terms selects does not prevent another pod from being the first', () => {
    const half = running('n', pod('half', { labels: { app: 'web' } }))
    const first = pod('a', { labels: { app: 'web', tier: 'front' }, spec: { ...spec, ...inZone('zone-3') } })
    expect(general.nodes(node('n', { cpu: '500m', pods: [half] })).schedule(first).failed).toEqual([])
  })
})
