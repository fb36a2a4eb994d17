import type { CSINode, PersistentVolume, PersistentVolumeClaim, StorageClass } from '@kerf/apis'
import { running, spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { cluster, HOST, instanceType, node, pod, ZONE } from '../testing/cluster-builders.ts'

const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const general = cluster().pool('general')

describe('volumes', () => {
  const mounting = (...claims: readonly string[]) => ({
    spec: { volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) },
  })
  const claim = (
    name: string,
    spec: PersistentVolumeClaim['spec'],
    more: Partial<PersistentVolumeClaim> = {},
  ): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec,
    ...more,
  })
  const volume = (
    name: string,
    terms: readonly (readonly ReturnType<typeof isIn>[])[],
    more: Partial<PersistentVolume['spec']> = {},
  ): PersistentVolume => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      csi: { driver: 'disk.example.com' },
      nodeAffinity: { required: { nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })) } },
      ...more,
    },
  })
  const storageClass = (more: Partial<StorageClass> = {}): StorageClass => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'disk' },
    provisioner: 'disk.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  })
  const bound = (name: string, ...terms: readonly (readonly ReturnType<typeof isIn>[])[]) => ({
    persistentVolumeClaims: [claim(name, { volumeName: name })],
    persistentVolumes: [volume(name, terms)],
  })

  test('a bound volume restricts the pod to its zone', () => {
    const outcome = general.with(bound('data', [isIn(ZONE, 'zone-2')])).schedule(pod('a', mounting('data')))
    expect(outcome.perZone()).toEqual({ 'zone-2': 1 })
  })

  test('an existing node may match any of a volume’s alternatives', () => {
    const there = cluster()
      .nodes(node('n', { zone: 'zone-2' }))
      .with(bound('data', [isIn(ZONE, 'zone-1')], [isIn(ZONE, 'zone-2')]))
    expect(there.schedule(pod('a', mounting('data'))).placements).toEqual({ n: ['a'] })
  })

  test('the hostname of a local volume does not restrict where the pod runs next', () => {
    const local = {
      persistentVolumeClaims: [claim('data', { volumeName: 'data' })],
      persistentVolumes: [volume('data', [[isIn(HOST, 'gone')]], { local: { path: '/disk' } })],
    }
    expect(general.with(local).schedule(pod('a', mounting('data'))).failed).toEqual([])
    expect(general.with(bound('data', [isIn(HOST, 'gone')])).schedule(pod('a', mounting('data'))).failed).toEqual(['a'])
  })

  test('two volumes restrict a pod to what both allow; a pod with contradictory volumes fails', () => {
    const two = (left: readonly string[], right: readonly string[]) => ({
      persistentVolumeClaims: [claim('l', { volumeName: 'l' }), claim('r', { volumeName: 'r' })],
      persistentVolumes: [
        volume(
          'l',
          left.map((zone) => [isIn(ZONE, zone)]),
        ),
        volume(
          'r',
          right.map((zone) => [isIn(ZONE, zone)]),
        ),
      ],
    })
    const outcome = general.with(two(['zone-1', 'zone-2'], ['zone-2', 'zone-3'])).schedule(pod('a', mounting('l', 'r')))
    expect(outcome.perZone()).toEqual({ 'zone-2': 1 })
    const torn = general.with(two(['zone-1'], ['zone-2'])).schedule(pod('a', mounting('l', 'r')))
    expect(torn.reasonOf('a')).toBe('volume.topology')
  })

  test('a pod with an unbound claim goes to the topology that its StorageClass allows', () => {
    const allowedTopologies = [{ matchLabelExpressions: [{ key: ZONE, values: ['zone-3'] }] }]
    const unbound = {
      persistentVolumeClaims: [claim('data', { storageClassName: 'disk' })],
      storageClasses: [storageClass({ allowedTopologies })],
    }
    expect(
      general
        .with(unbound)
        .schedule(pod('a', mounting('data')))
        .perZone(),
    ).toEqual({ 'zone-3': 1 })
  })

  test('if no type matches an alternative, the next one is used', () => {
    const types = [instanceType('m-2', 2, '8Gi')].map((type) => ({
      ...type,
      offerings: type.offerings.filter((_, i) => i > 2),
    }))
    const pools = cluster()
      .pool('general', { types })
      .with(bound('data', [isIn(ZONE, 'zone-1')], [isIn(ZONE, 'zone-3')]))
    expect(pools.schedule(pod('a', mounting('data'))).perZone()).toEqual({ 'zone-3': 1 })
  })

  test('the zone of a volume does not change the domains that spread compares', () => {
    const spec = { ...spreadOver(ZONE, 'a'), ...mounting('data').spec }
    const outcome = general
      .nodes(node('n', { zone: 'zone-2', cpu: '500m', pods: [running('n', pod('a-0', { labels: { app: 'a' } }))] }))
      .with(bound('data', [isIn(ZONE, 'zone-2')]))
      .schedule(pod('a-1', { labels: { app: 'a' }, spec }))
    expect(outcome.failed).toEqual(['a-1'])
  })

  test.each([
    ['missing', {}],
    [
      '118: not bound completely',
      {
        persistentVolumeClaims: [
          claim('data', { volumeName: 'data' }, { metadata: { name: 'data', namespace: 'default' } }),
        ],
        persistentVolumes: [volume('data', [])],
      },
    ],
    [
      'lost',
      { persistentVolumeClaims: [claim('data', { volumeName: 'data' }, { status: { phase: 'Lost' as const } })] },
    ],
    ['without a volume', { persistentVolumeClaims: [claim('data', { volumeName: 'nowhere' })] }],
    ['without a class', { persistentVolumeClaims: [claim('data', {})] }],
    ['of an unknown class', { persistentVolumeClaims: [claim('data', { storageClassName: 'nope' })] }],
    [
      'of a class that binds immediately',
      {
        persistentVolumeClaims: [claim('data', { storageClassName: 'disk' })],
        storageClasses: [storageClass({ volumeBindingMode: 'Immediate' })],
      },
    ],
  ])('a claim that is %s makes only its own pod fail', (_, objects) => {
    const outcome = general.with(objects).schedule(pod('a', mounting('data')), pod('b'))
    expect(outcome.failed).toEqual(['a'])
    expect(outcome.reasonOf('a')).toBe('volume.invalid')
  })

  test('a shared claim counts once, and a driver without a limit is unlimited', () => {
    const csi = (count?: number): CSINode => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'n' },
      spec: { drivers: [{ name: 'disk.example.com', ...(count === undefined ? {} : { allocatable: { count } }) }] },
    })
    const objects = {
      persistentVolumeClaims: ['x', 'y'].map((name) => claim(name, { volumeName: name })),
      persistentVolumes: ['x', 'y'].map((name) => volume(name, [])),
    }
    const limited = cluster()
      .nodes(node('n'))
      .with(objects)
      .with({ csiNodes: [csi(1)] })
    expect(
      limited.schedule(pod('a', mounting('x')), pod('b', mounting('x')), pod('c', mounting('y'))).placements,
    ).toEqual({ n: ['a', 'b'] })
    expect(
      limited.with({ csiNodes: [csi()] }).schedule(pod('a', mounting('x')), pod('c', mounting('y'))).failed,
    ).toEqual([])
    expect(limited.with({ csiNodes: [] }).schedule(pod('a', mounting('x')), pod('c', mounting('y'))).failed).toEqual([])
  })
})
