import type { Container } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { GPU_A, type, usualTypes, zone1, zone2, zone3 } from './catalogue.ts'
import { key } from './keys.ts'
import {
  daemon,
  is,
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
import { asks } from './outcome.ts'
import { world } from './world.ts'

describe('7.4 General', () => {
  test('7.4 General: one pod gets one node, many pods all get a place', () => {
    expect(world().pod('a').plan().sizes).toEqual([1])
    const many = world().pods(100, { cpu: '500m' }).plan()
    expect([many.left, many.placed]).toEqual([[], 100])
  })

  test('7.4 General: pools that are being deleted, or no pool, place nobody', () => {
    expect(world().only({ deleting: true }).pod('a').plan().left).toEqual(['a'])
  })

  describe('7.4 General: selectors of the usual labels, and affinity to the same', () => {
    const good: readonly (readonly [string, string])[] = [
      [key.pool, 'default'],
      [key.instanceType, 'small'],
      [key.os, 'windows'],
      [key.arch, 'arm64'],
      [key.zone, zone2],
      [key.capacityType, 'spot'],
    ]
    test.each(good)('%s', (label, value) => {
      expect(
        world()
          .pod('a', { selector: { [label]: value } })
          .plan().left,
      ).toEqual([])
      expect(
        world()
          .pod('a', { needs: [is(label, 'In', value)] })
          .plan().left,
      ).toEqual([])
      expect(
        world()
          .pod('a', { selector: { [label]: 'unknown' } })
          .plan().left,
      ).toEqual(['a'])
      expect(
        world()
          .pod('a', { needs: [is(label, 'In', 'unknown')] })
          .plan().left,
      ).toEqual(['a'])
    })
  })

  test('7.4 General: requests for a device pick the types that have it; few pods per type make many nodes', () => {
    expect(
      world()
        .pod('a', { requests: { [GPU_A]: '1' } })
        .plan()
        .typeOf('a'),
    ).toBe('gpu-a')
    const single = { selector: { [key.instanceType]: 'single-pod' } }
    expect(world().pods(3, single).plan().sizes).toEqual([1, 1, 1])
  })

  test('7.4 General: the claim keeps the hash that its pool had when it was planned', () => {
    const own = { annotations: { 'karpenter.sh/nodepool-hash': 'h1', 'karpenter.sh/nodepool-hash-version': 'v3' } }
    expect(world().only({ own }).pod('a').plan().claim.annotations).toMatchObject(own.annotations)
  })

  describe('7.4 General: sidecars, init containers and pod-level requests choose the size', () => {
    const of = (cpu: string, rest: Partial<Container> = {}): Container => ({
      name: `c-${cpu}`,
      resources: { requests: { cpu } },
      ...rest,
    })
    const always = { restartPolicy: 'Always' } as const
    const sizes = [type('one', { cpu: '1100m' }), type('two', { cpu: '2100m' }), type('five', { cpu: '5100m' })]
    test.each<[string, readonly Container[], PodTraits['spec'], string, string]>([
      ['a small init container', [of('1')], {}, 'one', '1'],
      ['a large init container', [of('2')], {}, 'two', '2'],
      ['a sidecar', [of('1', always)], {}, 'two', '2'],
      ['an init container after a sidecar', [of('1', always), of('4')], {}, 'five', '5'],
      ['an init container before a sidecar', [of('2'), of('1', always)], {}, 'two', '2'],
      ['the pod as a whole', [], { resources: { requests: { cpu: '5' } } }, 'five', '5'],
    ])('%s', (_, initContainers, spec, expected, cpu) => {
      const { claim } = world()
        .only({ types: sizes })
        .pod('a', { cpu: '1', initContainers, ...(spec === undefined ? {} : { spec }) })
        .plan()
      expect(claim.cheapest.instanceType).toBe(expected)
      expect(claim.spec.resources?.requests).toEqual({ cpu, pods: '1' })
    })
  })
})

describe('7.4 Limits', () => {
  test('7.4 Limits: nodes above them stop the pool, nodes within do not', () => {
    const used = (cpu: string) =>
      world()
        .only({ limits: { cpu: '20' } })
        .node('n', { pool: 'default', cpu, maxPods: '0' })
        .pod('a')
        .plan().left
    expect([used('100'), used('4')]).toEqual([['a'], []])
  })

  test('7.4 Limits: two spread pods of 1.5 cpu under a limit of 3 get one node', () => {
    const plan = world()
      .only({ limits: { cpu: '3' } })
      .pods(2, { cpu: '1500m', labels: web, spread: [spread(key.host)] })
      .plan()
    expect([plan.sizes, plan.left.length]).toEqual([[1], 1])
  })

  test('7.4 Limits: a pod larger than the limit gets nothing', () => {
    expect(
      world()
        .only({ limits: { cpu: '2' } })
        .pod('a', { cpu: '2100m' })
        .plan().left,
    ).toEqual(['a'])
  })

  test('7.4 Limits: of devices and of pods, by the capacity of the machines', () => {
    const wants = { requests: { [GPU_A]: '1' } }
    expect(
      world()
        .only({ limits: { [GPU_A]: '1' } })
        .pod('a', wants)
        .plan().left,
    ).toEqual(['a'])
    expect(
      world()
        .only({ limits: { [GPU_A]: '2' } })
        .pod('a', wants)
        .plan().left,
    ).toEqual([])
    expect(
      world()
        .only({ limits: { pods: '1' } })
        .pod('a')
        .plan()
        .typeOf('a'),
    ).toBe('single-pod')
    expect(
      world()
        .only({ limits: { pods: '0' } })
        .pod('a')
        .plan().left,
    ).toEqual(['a'])
  })

  test('7.4 Limits: a second round counts the nodes of the first', () => {
    const start = world().only({ limits: { cpu: '6' }, types: [type('default')] })
    const first = start.pod('a', { cpu: '3' }).plan()
    expect(first.left).toEqual([])
    expect(start.after(first).pod('b', { cpu: '3' }).plan().left).toEqual(['b'])
  })

  test('7.4 Limits: two nodes stop the third, in one round or in several', () => {
    const start = world().only({ limits: { nodes: '2' }, types: [type('single-pod', { pods: '1' })] })
    expect(start.pods(3).plan().left).toHaveLength(1)
    const first = start.pods(2).plan()
    expect(first.left).toEqual([])
    expect(start.after(first).pod('late').plan().left).toEqual(['late'])
  })
})

describe('7.4 Daemons', () => {
  test('7.4 Daemons: what they take makes the node larger, too much of it leaves none', () => {
    const cpu = (amount: string) =>
      world()
        .daemons(daemon('d', { cpu: amount, memory: '1Gi' }))
        .pod('a', { cpu: '1', memory: '1Gi' })
        .plan()
    expect(cpu('1').typeOf('a')).toBe('default')
    expect(world().pod('a', { cpu: '1', memory: '1Gi' }).plan().typeOf('a')).toBe('small')
    expect(cpu('10000').left).toEqual(['a'])
  })

  test('7.4 Daemons: a host port of theirs is taken wherever they run', () => {
    const ports = [{ hostPort: 8080 }]
    expect(world().daemons(daemon('d', { ports })).pod('a', { ports }).plan().left).toEqual(['a'])
    const onArm = daemon('d', { ports, needs: [is(key.arch, 'In', 'arm64')] })
    expect(world().daemons(onArm).pod('a', { ports }).plan().claim.instanceTypes).not.toContain('arm')
  })

  test('7.4 Daemons: startup taints do not keep them away', () => {
    const plan = world()
      .only({ startupTaints: [taint('boot')] })
      .daemons(daemon('d', { cpu: '1', memory: '1Gi' }))
      .pod('a', { cpu: '1', memory: '1Gi' })
      .plan()
    expect(plan.typeOf('a')).toBe('default')
  })

  test('7.4 Daemons: init containers and missing requests count as they should', () => {
    const with_ = (traits: PodTraits) => world().daemons(daemon('d', traits)).pod('a', { cpu: '1' }).plan()
    const init = (cpu: string) => ({ initContainers: [{ name: 'i', resources: { requests: { cpu } } }] })
    expect(with_(init('2')).typeOf('a')).toBe('default')
    expect(with_(init('10000')).left).toEqual(['a'])
    expect(with_({ cpu: '10000', ...init('1') }).left).toEqual(['a'])
    expect(with_({}).typeOf('a')).toBe('small')
  })

  test('7.4 Daemons: those that never run on the pool are ignored, those that do are counted', () => {
    const huge = { cpu: '10000' }
    const plan = (traits: PodTraits, pool = {}) =>
      world()
        .only(pool)
        .daemons(daemon('d', { ...huge, ...traits }))
        .pod('a')
        .plan()
    expect(plan({}, { taints: [taint('team')] }).left).toEqual(['a'])
    const tolerant = world()
      .only({ taints: [taint('team')] })
      .daemons(daemon('d', huge))
      .pod('a', { tolerations: [{ operator: 'Exists' }] })
      .plan()
    expect(tolerant.left).toEqual([])
    expect(plan({ selector: { node: 'invalid' } }).left).toEqual([])
    expect(plan({ selector: { [key.instanceType]: 'unknown' } }).left).toEqual([])
    expect(plan({ selector: { team: 'x' } }, { labels: { team: 'x' } }).left).toEqual(['a'])
    expect(plan({ needs: [is('unknown', 'NotIn', 'x')] }).left).toEqual(['a'])
  })

  test('7.4 Daemons: each type by itself', () => {
    const plan = world()
      .daemons(daemon('d', { cpu: '10000', selector: { [key.instanceType]: 'small' } }))
      .pod('a')
      .plan()
    expect(plan.claim.instanceTypes).not.toContain('small')
    expect(plan.claim.instanceTypes).toContain('default')
  })

  test('7.4 Daemons: any alternative of their affinity will do, preferences are ignored, soft taints tolerated', () => {
    const huge = { cpu: '10000' }
    const left = (traits: PodTraits, pool = {}) =>
      world()
        .only(pool)
        .daemons(daemon('d', { ...huge, ...traits }))
        .pod('a')
        .plan().left
    expect(left({ either: [[is('unknown', 'In', 'x')], [is(key.zone, 'In', zone1)]] })).toEqual(['a'])
    expect(left({ prefers: [[is('unknown', 'In', 'x')]] })).toEqual(['a'])
    expect(left({}, { taints: [taint('soft', 'x', 'PreferNoSchedule')] })).toEqual(['a'])
  })

  test('7.4 Daemons: a port that is taken on large types alone leaves the small ones', () => {
    const ports = [{ hostPort: 8080 }]
    const plan = world()
      .only({ types: [type('small', { cpu: '2' }), type('large', { cpu: '8', memory: '16Gi' })] })
      .daemons(daemon('d', { ports, selector: { size: 'large' } }))
      .pod('a', { ports })
      .plan()
    expect(plan.claim.instanceTypes).toEqual(['small'])
  })
})

describe('7.4 Claim content', () => {
  test('7.4 Claim content: annotations and labels of the template, and none from well-known requirements', () => {
    const { claim } = world()
      .only({
        annotations: { note: 'x' },
        labels: { team: 'x', 'kubernetes.io/team': 'y', 'sub.kubernetes.io/team': 'z' },
        requirements: [is('custom', 'In', 'v'), is(key.zone, 'In', zone1), is(key.os, 'In', 'linux')],
      })
      .pod('a')
      .plan()
    expect(claim.annotations['note']).toBe('x')
    expect(claim.labels).toMatchObject({
      team: 'x',
      'kubernetes.io/team': 'y',
      'sub.kubernetes.io/team': 'z',
      custom: 'v',
      [key.pool]: 'default',
      'example.com/testnodeclass': 'default',
    })
    expect(Object.keys(claim.labels)).not.toContain(key.zone)
    expect(Object.keys(claim.labels)).not.toContain(key.os)
  })

  describe('7.4 Claim content: taints hold for who does not tolerate them', () => {
    const left = (tolerations: PodTraits['tolerations']) =>
      world()
        .only({ taints: [taint('team', 'x')] })
        .pod('a', tolerations === undefined ? {} : { tolerations })
        .plan().left
    test.each<[string, PodTraits['tolerations'], boolean]>([
      ['none', undefined, false],
      ['exact', [{ key: 'team', operator: 'Equal', value: 'x', effect: 'NoSchedule' }], true],
      ['without operator', [{ key: 'team', value: 'x' }], true],
      ['Exists', [{ key: 'team', operator: 'Exists' }], true],
      ['another value', [{ key: 'team', operator: 'Equal', value: 'y' }], false],
      ['another effect', [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }], false],
    ])('%s', (_, tolerations, isPlaced) => expect(left(tolerations)).toEqual(isPlaced ? [] : ['a']))
  })

  test('7.4 Claim content: what it asks for, restricted by pool and pod', () => {
    const { claim } = world()
      .only({ requirements: [is('custom', 'Exists'), is(key.zone, 'NotIn', zone3)] })
      .pod('a', { needs: [is(key.arch, 'In', 'amd64')], selector: { [key.os]: 'linux' }, cpu: '3' })
      .plan()
    expect(asks(claim, key.instanceType)).toBe('In [default gpu-a gpu-b single-pod]')
    expect(asks(claim, key.zone)).toMatch(/^(NotIn \[test-zone-3\]|In \[test-zone-1 test-zone-2\])$/)
    expect([asks(claim, key.arch), asks(claim, key.os)]).toEqual(['In [amd64]', 'In [linux]'])
    expect([asks(claim, key.pool), asks(claim, key.capacityType)]).toEqual(['In [default]', 'In [on-demand spot]'])
    expect(asks(claim, 'custom')).toBe('Exists')
    expect([asks(claim, key.host), asks(claim, key.registered), asks(claim, key.initialized)]).toEqual(['', '', ''])
    expect(claim.spec.requirements).toEqual(claim.requirements.map((each) => ({ ...each, values: each.values ?? [] })))
  })

  test('7.4 Claim content: class, requests with the daemons’ once', () => {
    const { claim } = world()
      .daemons(daemon('d', { cpu: '100m', memory: '50Mi' }))
      .pods(3, { cpu: '1', memory: '100Mi' })
      .plan()
    expect(claim.spec.nodeClassRef).toEqual({ group: 'example.com', kind: 'TestNodeClass', name: 'default' })
    expect(claim.spec.resources?.requests).toEqual({ cpu: '3100m', memory: '350Mi', pods: '4' })
  })
})

describe('7.4 Volumes', () => {
  const inZone = (zone: string) => [[is(key.zone, 'In', zone)]]
  const withClaim = { volumes: [volume('data')] }

  test('7.4 Volumes: an unknown claim stops its pod, and no other', () => {
    const plan = world()
      .pod('a', withClaim)
      .pod('b')
      .pod('class', { volumes: [volume('no-class')] })
      .pod('volume', { volumes: [volume('no-volume')] })
      .storage({
        persistentVolumeClaims: [
          volumeClaim('no-class', { class: 'missing' }),
          volumeClaim('no-volume', { volume: 'missing' }),
        ],
      })
      .plan()
    expect(plan.left).toEqual(['a', 'class', 'volume'])
  })

  test('7.4 Volumes: no storage class, or one that is gone, matters only to claims that are not bound', () => {
    const left = (traits: Parameters<typeof volumeClaim>[1]) =>
      world()
        .pod('a', withClaim)
        .storage({ persistentVolumeClaims: [volumeClaim('data', traits)], persistentVolumes: [persistentVolume('pv')] })
        .plan().left
    expect(left({ volume: 'pv', class: '' })).toEqual([])
    expect(left({ volume: 'pv', class: 'missing' })).toEqual([])
    expect(left({ class: '' })).toEqual(['a'])
    expect(left({ class: 'missing' })).toEqual(['a'])
  })

  test('7.4 Volumes: an unbound claim binds the pod to the zones of its class, an ephemeral one too', () => {
    const classes = [storageClass('zonal', [[key.zone, [zone3]]])]
    const claimed = world()
      .pod('a', withClaim)
      .storage({ storageClasses: classes, persistentVolumeClaims: [volumeClaim('data', { class: 'zonal' })] })
    expect(claimed.plan().zoneOf('a')).toBe(zone3)
    expect(claimed.only({ requirements: [is(key.zone, 'In', zone1)] }).plan().left).toEqual(['a'])
    const ephemeral = world()
      .pod('a', {
        volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'zonal' } } } }],
      })
      .storage({ storageClasses: classes, persistentVolumeClaims: [volumeClaim('a-data', { class: 'zonal' })] })
    expect(ephemeral.plan().zoneOf('a')).toBe(zone3)
  })

  test('7.4 Volumes: a bound claim binds it to the zone of its volume, whatever the class says', () => {
    const of = (zone: string) =>
      world()
        .pod('a', withClaim)
        .storage({
          storageClasses: [storageClass('zonal', [[key.zone, [zone1]]])],
          persistentVolumes: [persistentVolume('pv', inZone(zone))],
          persistentVolumeClaims: [volumeClaim('data', { class: 'zonal', volume: 'pv' })],
        })
    expect(of(zone3).plan().zoneOf('a')).toBe(zone3)
    expect(of('elsewhere').plan().left).toEqual(['a'])
  })

  test('7.4 Volumes: the host of a local disk does not count, that of any other volume does', () => {
    const left = (spec: Parameters<typeof persistentVolume>[2]) =>
      world()
        .pod('a', withClaim)
        .storage({
          persistentVolumes: [persistentVolume('pv', [[is(key.host, 'In', 'gone')]], spec)],
          persistentVolumeClaims: [volumeClaim('data', { volume: 'pv' })],
        })
        .plan().left
    expect(left({ local: { path: '/x' } })).toEqual([])
    expect(left({ hostPath: { path: '/x' } })).toEqual([])
    expect(left({ csi: { driver: 'csi.example.com' } })).toEqual(['a'])
  })

  test('7.4 Volumes: the zone of a volume is never relaxed away', () => {
    const plan = world()
      .only({ requirements: [is(key.zone, 'In', zone1, zone2)] })
      .pod('a', { ...withClaim, either: [[is(key.zone, 'In', zone1)], [is(key.zone, 'In', zone2)]] })
      .storage({
        persistentVolumes: [persistentVolume('pv', inZone(zone3))],
        persistentVolumeClaims: [volumeClaim('data', { volume: 'pv' })],
      })
      .plan()
    expect(plan.left).toEqual(['a'])
  })
})

describe('7.4 Preferences', () => {
  test('7.4 Preferences: alternatives go one by one, the last never', () => {
    const bad = [is(key.zone, 'In', 'unknown')]
    expect(
      world()
        .pod('a', { either: [bad, bad, [is(key.zone, 'In', zone3)]] })
        .plan()
        .zoneOf('a'),
    ).toBe(zone3)
    expect(
      world()
        .pod('a', { either: [bad, bad] })
        .plan().left,
    ).toEqual(['a'])
  })

  test('7.4 Preferences: all go if they must, the heaviest first', () => {
    const bad = [is(key.zone, 'In', 'unknown')]
    expect(
      world()
        .pod('a', { prefers: [bad, bad, bad] })
        .plan().left,
    ).toEqual([])
    const plan = world()
      .pod('a', {
        prefers: [
          { weight: 1, of: [is(key.zone, 'In', zone3)] },
          { weight: 50, of: bad },
        ],
      })
      .plan()
    expect(plan.zoneOf('a')).toBe(zone3)
  })

  test('7.4 Preferences: soft taints are tolerated after all wishes for places are given up', () => {
    const soft = taint('soft', 'x', 'PreferNoSchedule')
    const wish = { prefers: [[is(key.arch, 'In', 'arm64')]] }
    const arm = usualTypes.filter(({ name }) => name === 'arm')
    const small = usualTypes.filter(({ name }) => name === 'small')
    const cluster = world()
      .pool('tainted', { types: arm, taints: [soft] })
      .pod('a', wish)
    expect(cluster.plan().claim.nodePool).toBe('tainted')
    expect(cluster.pool('clean', { types: small }).plan().claim.nodePool).toBe('clean')
  })

  test('7.4 Preferences: preferred zones and hosts do not change what a spread compares with', () => {
    for (const wish of [is(key.zone, 'In', zone1, zone2), is(key.host, 'In', 'some-host')]) {
      const plan = world()
        .pods(3, { labels: web, spread: [spread(key.zone)], prefers: [[wish]] })
        .plan()
      expect(plan.skew(key.zone)).toEqual([1, 1, 1])
    }
  })

  test('7.4 Preferences: none has an effect when they are to be ignored', () => {
    const ignore = { preferencePolicy: 'Ignore' } as const
    const cheapest = world().pod('a').plan().claim.cheapest
    const wish = world().pod('a', { prefers: [[is(key.arch, 'In', 'arm64')]] })
    expect([wish.plan().typeOf('a'), wish.plan(ignore).claim.cheapest]).toEqual(['arm', cheapest])
    for (const label of [key.zone, key.host]) {
      const soft = world().pods(3, { labels: web, spread: [spread(label, { soft: true })] })
      expect([soft.plan().sizes, soft.plan(ignore).sizes]).toEqual([[1, 1, 1], [3]])
    }
    const apart = world().pods(3, { labels: web, prefersAway: [term(key.host)] })
    expect([apart.plan().sizes, apart.plan(ignore).sizes]).toEqual([[1, 1, 1], [3]])
    const near = world()
      .node('far', { zone: zone3, cpu: '1', pods: [pod('target', { labels: web, cpu: '1' })] })
      .pod('a', { cpu: '1', prefersNear: [term(key.zone)] })
    expect([near.plan().zoneOf('a'), near.plan(ignore).zoneOf('a')]).toEqual([zone3, cheapest.zone])
  })
})

describe('7.4 Several pools', () => {
  test('7.4 Several pools: the one that is named, by name or by label', () => {
    const two = world()
      .pool('a', { labels: { team: 'x' } })
      .pool('b', { weight: 100 })
    expect(two.pod('p', { selector: { [key.pool]: 'a' } }).plan().claim.nodePool).toBe('a')
    expect(two.pod('p', { selector: { team: 'x' } }).plan().claim.nodePool).toBe('a')
  })

  test('7.4 Several pools: one without a soft taint before one with, else the heaviest; what is named beats weight', () => {
    const soft = { taints: [taint('soft', 'x', 'PreferNoSchedule')] }
    expect(
      world()
        .pool('a')
        .pool('b', { ...soft, weight: 100 })
        .pod('p')
        .plan().claim.nodePool,
    ).toBe('a')
    const three = world().pool('a', { weight: 20 }).pool('b', { weight: 100 }).pool('c')
    expect(three.pod('p').plan().claim.nodePool).toBe('b')
    expect(three.pod('p', { selector: { [key.pool]: 'c' } }).plan().claim.nodePool).toBe('c')
  })

  test('7.4 Several pools: static ones launch nothing for pods, others do beside them', () => {
    expect(world().only({ replicas: 3 }).pod('p').plan().left).toEqual(['p'])
    expect(world().pool('still', { replicas: 3, weight: 9 }).pool('z').pod('p').plan().claim.nodePool).toBe('z')
  })
})

describe('7.4 MinValues policy', () => {
  const types = [type('t1', { cpu: '1', price: 1 }), type('t2', { cpu: '2', price: 2 })]
  const many = (label: string, values: number) => ({ ...is(label, 'Exists'), minValues: values })

  test('7.4 MinValues policy: Strict launches nothing that misses them', () => {
    expect(
      world()
        .only({ types, requirements: [many(key.instanceType, 3)] })
        .pod('a')
        .plan().left,
    ).toEqual(['a'])
    expect(
      world()
        .only({ types, requirements: [many(key.zone, 4)] })
        .pod('a')
        .plan().left,
    ).toEqual(['a'])
    expect(
      world()
        .only({ types, requirements: [many(key.zone, 3)] })
        .pod('a')
        .plan().left,
    ).toEqual([])
  })

  test('7.4 MinValues policy: BestEffort lowers them to what there is, and says so', () => {
    const loose = { minValuesPolicy: 'BestEffort' } as const
    const of = (...requirements: ReturnType<typeof many>[]) =>
      world().only({ types, requirements }).pod('a').plan(loose).claim
    const minOf = (claim: ReturnType<typeof of>, label: string) =>
      claim.requirements.find((each) => each.key === label)?.minValues
    const note = 'karpenter.sh/nodeclaim-min-values-relaxed'
    const one = of(many(key.instanceType, 3))
    expect([minOf(one, key.instanceType), one.annotations[note], one.minValuesRelaxed]).toEqual([2, 'true', true])
    const zonal = of(many(key.zone, 4))
    expect([minOf(zonal, key.zone), zonal.annotations[note]]).toEqual([3, 'true'])
    const both = of(many(key.instanceType, 3), many(key.zone, 4))
    expect([minOf(both, key.instanceType), minOf(both, key.zone)]).toEqual([2, 3])
    const fine = of(many(key.instanceType, 2))
    expect([minOf(fine, key.instanceType), fine.annotations[note]]).toEqual([2, 'false'])
  })

  test('7.4 MinValues policy: the heavier pool is relaxed before the lighter is asked', () => {
    const loose = { minValuesPolicy: 'BestEffort' } as const
    const plan = (lighter: number) =>
      world()
        .pool('heavy', { weight: 10, types, requirements: [many(key.instanceType, 3)] })
        .pool('light', { types, requirements: [many(key.instanceType, lighter)] })
        .pod('a')
        .plan(loose).claim.nodePool
    expect([plan(1), plan(3)]).toEqual(['heavy', 'heavy'])
  })
})

test('7.4 General: a deleting node’s pods and those that wait share one new node', () => {
  const moving = pod('moving', { cpu: '1' })
  const plan = world()
    .node('old', { pods: [moving], state: { markedForDeletion: true } })
    .waiting(moving)
    .pod('waiting', { cpu: '1' })
    .plan()
  expect(plan.groups).toEqual([['moving', 'waiting']])
})
