import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { zone1, zone2, zone3 } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type PodTraits, persistentVolume, pod, storageClass, volume, volumeClaim } from './objects.ts'

describe('Volumes', () => {
  const inZone = (zone: string) => [[is(key.zone, 'In', zone)]]
  const withClaim = { volumes: [volume('data')] }

  test('Volumes: an unknown PersistentVolumeClaim makes only its own pod unschedulable', () => {
    const plan = harness()
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

  test('Volumes: an unset or missing storage class matters only for unbound claims', () => {
    const left = (traits: Parameters<typeof volumeClaim>[1]) =>
      harness()
        .pod('a', withClaim)
        .storage({ persistentVolumeClaims: [volumeClaim('data', traits)], persistentVolumes: [persistentVolume('pv')] })
        .plan().left
    expect(left({ volume: 'pv', class: '' })).toEqual([])
    expect(left({ volume: 'pv', class: 'missing' })).toEqual([])
    expect(left({ class: '' })).toEqual(['a'])
    expect(left({ class: 'missing' })).toEqual(['a'])
  })

  test('Volumes: an unbound claim restricts the pod to the zones of its storage class, and so does an ephemeral volume', () => {
    const classes = [storageClass('zonal', [[key.zone, [zone3]]])]
    const claimed = harness()
      .pod('a', withClaim)
      .storage({ storageClasses: classes, persistentVolumeClaims: [volumeClaim('data', { class: 'zonal' })] })
    expect(claimed.plan().zoneOf('a')).toBe(zone3)
    expect(claimed.only({ requirements: [is(key.zone, 'In', zone1)] }).plan().left).toEqual(['a'])
    const ephemeral = harness()
      .pod('a', {
        volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'zonal' } } } }],
      })
      .storage({ storageClasses: classes, persistentVolumeClaims: [volumeClaim('a-data', { class: 'zonal' })] })
    expect(ephemeral.plan().zoneOf('a')).toBe(zone3)
  })

  test('Volumes: a bound claim restricts the pod to the zone of its volume, whatever its storage class says', () => {
    const of = (zone: string) =>
      harness()
        .pod('a', withClaim)
        .storage({
          storageClasses: [storageClass('zonal', [[key.zone, [zone1]]])],
          persistentVolumes: [persistentVolume('pv', inZone(zone))],
          persistentVolumeClaims: [volumeClaim('data', { class: 'zonal', volume: 'pv' })],
        })
    expect(of(zone3).plan().zoneOf('a')).toBe(zone3)
    expect(of('elsewhere').plan().left).toEqual(['a'])
  })

  test('Volumes: the hostname of a local volume is ignored, the hostname of any other volume is not', () => {
    const left = (spec: Parameters<typeof persistentVolume>[2]) =>
      harness()
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

  test('Volumes: the zone of a volume is never given up', () => {
    const plan = harness()
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

describe('Volume usage', () => {
  const classes = [storageClass('fast')]
  const claims = (count: number, of = 'fast') =>
    Array.from({ length: count }, (_, index) => volumeClaim(`c${index}`, { class: of }))
  const wanting = (...names: readonly string[]): PodTraits => ({ volumes: names.map(volume) })
  const cluster = (limit: number | undefined, count = 10) =>
    harness()
      .node('n')
      .attachable('n', { 'csi.example.com': limit })
      .storage({ storageClasses: classes, persistentVolumeClaims: claims(count) })

  test('Volume usage: the limit of a driver moves additional pods to other nodes, and a shared claim counts once', () => {
    const plan = cluster(2).pod('a', wanting('c0')).pod('b', wanting('c1')).pod('c', wanting('c2')).plan()
    expect([plan.podsOn('n').length, plan.sizes]).toEqual([2, [1]])
    expect(cluster(1).pods(5, wanting('c0')).plan().podsOn('n')).toHaveLength(5)
    expect(
      cluster(undefined)
        .pod('a', wanting('c0', 'c1', 'c2'))
        .plan()
        .placeOf('a'),
    ).toBe('n')
  })

  test('Volume usage: a volume without a driver does not count', () => {
    const plan = cluster(0)
      .storage({
        persistentVolumes: [persistentVolume('nfs', [], {})],
        persistentVolumeClaims: [volumeClaim('shared', { volume: 'nfs' })],
      })
      .pod('a', wanting('shared'))
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })

  test('Volume usage: several zones of a volume, or several terms of a storage class, are alternatives', () => {
    const zones = (...names: readonly string[]) => names.map((zone) => [is(key.zone, 'In', zone)])
    const of = (zone: string) =>
      harness()
        .only({ requirements: [is(key.zone, 'In', zone)] })
        .storage({
          persistentVolumes: [persistentVolume('pv', zones(zone1, zone3))],
          storageClasses: [
            storageClass('multi', [
              [key.zone, [zone1]],
              [key.zone, [zone3]],
            ]),
          ],
          persistentVolumeClaims: [volumeClaim('bound', { volume: 'pv' }), volumeClaim('free', { class: 'multi' })],
        })
        .pod('a', wanting('bound'))
        .pod('b', wanting('free'))
        .plan().left
    expect([of(zone1), of(zone3), of(zone2)]).toEqual([[], [], ['a', 'b']])
  })

  test('Volume usage: contradictory alternatives are removed', () => {
    const terms = (...names: readonly string[]) => names.map((zone) => [is(key.zone, 'In', zone)])
    const plan = (a: readonly string[], b: readonly string[]) =>
      harness()
        .storage({
          persistentVolumes: [persistentVolume('x', terms(...a)), persistentVolume('y', terms(...b))],
          persistentVolumeClaims: [volumeClaim('c-x', { volume: 'x' }), volumeClaim('c-y', { volume: 'y' })],
        })
        .pod('a', wanting('c-x', 'c-y'))
        .plan()
    expect(plan([zone1, zone2], [zone2, zone3]).zoneOf('a')).toBe(zone2)
    expect(plan([zone1], [zone2]).left).toEqual(['a'])
  })

  test('Volume usage: the storage class of an ephemeral volume, the default class, or the newest default class is used', () => {
    const isDefault = (name: string, created: string, zone: string) =>
      storageClass(name, [[key.zone, [zone]]], {
        metadata: {
          name,
          creationTimestamp: created,
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
      })
    const scratch = (spec: Readonly<Record<string, unknown>>): PodTraits => ({
      volumes: [{ name: 's', ephemeral: { volumeClaimTemplate: { spec } } }],
    })
    const cluster = harness().storage({
      storageClasses: [
        storageClass('named', [[key.zone, [zone3]]]),
        isDefault('older', '2026-01-01T00:00:00Z', zone1),
        isDefault('newer', '2026-02-01T00:00:00Z', zone2),
      ],
      persistentVolumeClaims: [volumeClaim('named-s', { class: 'named' }), volumeClaim('plain-s')],
    })
    expect(
      cluster
        .pod('named', scratch({ storageClassName: 'named' }))
        .plan()
        .zoneOf('named'),
    ).toBe(zone3)
    expect(cluster.pod('plain', scratch({})).plan().zoneOf('plain')).toBe(zone2)
  })

  test('Volume usage: a pod whose volume cannot be provisioned gets no node', () => {
    const left = (
      claim: Parameters<typeof volumeClaim>[1],
      more: Partial<Parameters<ReturnType<typeof harness>['storage']>[0]> = {},
    ) =>
      harness()
        .options({ unsupportedProvisioners: ['bad.example.com'], unsupportedTopologyKeys: ['rack'] })
        .storage({ persistentVolumeClaims: [volumeClaim('c0', claim)], ...more })
        .pod('a', wanting('c0'))
        .plan().left
    const csi = (driver: string) => ({ csi: { driver } })
    expect(
      left({ class: 'x' }, { storageClasses: [storageClass('x', [], { provisioner: 'bad.example.com' })] }),
    ).toEqual(['a'])
    expect(left({ volume: 'pv' }, { persistentVolumes: [persistentVolume('pv', [], csi('bad.example.com'))] })).toEqual(
      ['a'],
    )
    expect(left({ class: 'x' }, { storageClasses: [storageClass('x', [['rack', ['r1']]])] })).toEqual(['a'])
    expect(
      left({ class: 'x' }, { storageClasses: [storageClass('x', [], { volumeBindingMode: 'Immediate' })] }),
    ).toEqual(['a'])
    expect(left({ class: 'x', deleted: true }, { storageClasses: [storageClass('x')] })).toEqual(['a'])
    expect(left({ volume: 'pv' }, { persistentVolumes: [persistentVolume('pv', [], csi('d'), true)] })).toEqual(['a'])
    expect(left({ class: 'x', phase: 'Lost' }, { storageClasses: [storageClass('x')] })).toEqual(['a'])
    const bound = { persistentVolumes: [persistentVolume('pv')] }
    expect(left({ volume: 'pv', bound: false }, bound)).toEqual(['a'])
    expect(left({ volume: 'pv', bound: true }, bound)).toEqual([])
  })

  test('Volume usage: a missing storage class of running pods has no effect', () => {
    const there = pod('there', { volumes: [volume('c0'), { name: 's', ephemeral: {} }] })
    const plan = harness()
      .node('n', { pods: [there] })
      .attachable('n', { 'csi.example.com': 1 })
      .storage({ persistentVolumeClaims: [volumeClaim('c0', { class: 'missing' }), volumeClaim('there-s')] })
      .pod('a')
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })

  test('Volume usage: in-tree drivers count as the CSI drivers that replaced them', () => {
    const claim = volumeClaim('old', { class: 'in-tree' })
    const cluster = (limit: number) =>
      harness()
        .node('n')
        .attachable('n', { 'ebs.csi.aws.com': limit })
        .storage({
          storageClasses: [storageClass('in-tree', [], { provisioner: 'kubernetes.io/aws-ebs' })],
          persistentVolumes: [persistentVolume('pv', [], { awsElasticBlockStore: { volumeID: 'v' } })],
          persistentVolumeClaims: [claim, volumeClaim('static', { volume: 'pv' })],
        })
        .pod('a', wanting('old'))
        .pod('b', wanting('static'))
        .plan()
        .podsOn('n').length
    expect([cluster(0), cluster(1), cluster(2)]).toEqual([0, 1, 2])
  })
})
