import type { Pod } from '@kerf/apis'
import { pod as buildPod, type FieldPath, fieldPaths, unreadable } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { schedule } from '../decision/schedule.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { type Cluster, cluster, HOST, node, pod, replicas } from '../testing/cluster-builders.ts'
import { decideApart } from './decide-apart.ts'
import { findCulprits } from './find-culprits.ts'
import type { SnapshotList } from './set-aside.ts'

// This file tests `docs/spec/isolation.md`. For each kind of object, each field throws an error in turn. The decision about everything else
// must not change.

const named = (name: string, namespace?: string) => ({
  metadata: { name, uid: `uid-${name}`, ...(namespace === undefined ? {} : { namespace }), labels: { app: name } },
})
const claim = (name: string) => ({
  metadata: { ...named(name, 'default').metadata, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
  spec: { storageClassName: 'fast', volumeName: `v-${name}` },
  status: { phase: 'Bound' },
})
const withVolume = (name: string, claimName: string): Pod =>
  pod(name, { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] } })

/** A cluster with two objects of every kind. Each test makes the second object of one kind unreadable. */
const lists = {
  pools: cluster().pool('general').pool('spoilt').snapshot.pools,
  nodes: [node('full', { cpu: '1' }), node('spoilt', { cpu: '1', nodeClaim: 'spoilt' })],
  daemonPods: [pod('agent', { cpu: '10m' }), pod('spoilt', { cpu: '10m' })],
  namespaces: [named('default'), named('spoilt')],
  persistentVolumeClaims: [claim('sound'), claim('spoilt')],
  persistentVolumes: [
    { ...named('v-sound'), spec: { csi: { driver: 'd', volumeHandle: 'h' } } },
    { ...named('v-spoilt'), spec: { csi: { driver: 'd', volumeHandle: 'h' } } },
  ],
  storageClasses: [
    { ...named('fast'), provisioner: 'd', volumeBindingMode: 'WaitForFirstConsumer' },
    { ...named('spoilt'), provisioner: 'd', volumeBindingMode: 'WaitForFirstConsumer' },
  ],
  csiNodes: [
    { ...named('full'), spec: { drivers: [{ name: 'd', nodeID: 'full', allocatable: { count: 2 } }] } },
    { ...named('spoilt'), spec: { drivers: [{ name: 'd', nodeID: 'spoilt', allocatable: { count: 2 } }] } },
  ],
  services: [
    { ...named('web', 'default'), spec: { selector: { app: 'web' } } },
    { ...named('spoilt', 'default'), spec: { selector: { app: 'web' } } },
  ],
  podOwners: [
    { kind: 'ReplicaSet', ...named('set', 'default'), spec: { selector: { matchLabels: { app: 'web' } } } },
    { kind: 'ReplicaSet', ...named('spoilt', 'default'), spec: { selector: { matchLabels: { app: 'web' } } } },
  ],
  daemonSets: [
    {
      ...named('agents', 'default'),
      spec: { selector: { matchLabels: { app: 'agents' } }, template: buildPod('agents') },
    },
    {
      ...named('spoilt', 'default'),
      spec: { selector: { matchLabels: { app: 'spoilt' } }, template: buildPod('agents') },
    },
  ],
} as unknown as Partial<ClusterSnapshot>

const whole: Cluster = cluster()
  .with(lists)
  .set({
    defaultSpreadConstraints: [{ maxSkew: 5, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway' }],
  })
const spoiltPod = withVolume('spoilt', 'spoilt')
const everywhere = pod('everywhere', {
  spec: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: HOST, namespaceSelector: {}, labelSelector: { matchLabels: { app: 'everywhere' } } },
        ],
      },
    },
  },
})
const ordinary: readonly Pod[] = [...replicas(3, 'web', { cpu: '900m' }), withVolume('bound', 'sound'), everywhere]

/** Returns the names of the pods that were placed. */
const placed = (plan: ReturnType<typeof schedule>): readonly string[] =>
  [...plan.claims, ...plan.placements].flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name)).sort()

const names = ordinary.map(({ metadata }) => metadata.name).sort()

test('if all objects are readable, every pod is placed', () => {
  const plan = schedule(whole.snapshot, ordinary, whole.options)
  expect(placed(plan)).toEqual(names)
  expect(plan.setAside).toBeUndefined()
})

const fields = Object.entries(lists).flatMap(([list, items]) => {
  const last = [...(items as readonly object[])].at(-1) ?? {}
  return fieldPaths(last, 4).map((path) => [list as SnapshotList, path.join('.') || 'everything', path] as const)
})

test.each(fields)('%s: if %s is unreadable, everything else is decided', (list, _, path: FieldPath) => {
  const items: readonly object[] = whole.snapshot[list] ?? []
  const spoilt = items.with(-1, unreadable(items.at(-1) ?? {}, path))
  const plan = schedule({ ...whole.snapshot, [list]: spoilt }, [...ordinary, spoiltPod], whole.options)
  expect(placed(plan).filter((name) => name !== 'spoilt')).toEqual(names)
  const pods = new Set([...plan.unschedulable.map((each) => each.pod.metadata.name), ...placed(plan)])
  expect(pods.size).toBe(ordinary.length + 1)
})

describe('a pod', () => {
  const spoilt = pod('spoilt', { spec: { nodeSelector: { team: 'x' }, volumes: [] } })
  test.each(fieldPaths(spoilt, 3).map((path) => [path.join('.') || 'everything', path] as const))(
    '%s cannot be read',
    (_, path) => {
      const pods = [...ordinary.slice(0, 2), unreadable(spoilt, path), ...ordinary.slice(2)]
      const plan = schedule(whole.snapshot, pods, whole.options)
      expect(placed(plan)).toEqual(expect.arrayContaining([...names]))
      expect(plan.unschedulable.length + plan.claims.flatMap((each) => each.pods).length).toBeLessThanOrEqual(
        pods.length,
      )
      for (const { kind, isSure } of plan.setAside ?? []) expect([kind, isSure]).toEqual(['Pod', true])
    },
  )

  test('that is set aside is refused with the error', () => {
    const plan = schedule(whole.snapshot, [unreadable(spoilt, ['spec'])], whole.options)
    // The decision refuses the pod before it reads other objects.
    expect(plan.setAside).toBeUndefined()
    expect(plan.unschedulable[0]?.reasons).toEqual([
      {
        code: 'pod.invalid',
        subject: 'pod/default/spoilt',
        detail: { problem: 'it cannot be read: cannot read spec' },
      },
    ])
  })
})

test('an unreadable running pod makes its node unusable, and pods that are planned for the node stay there', () => {
  const running = unreadable(pod('guest'), ['spec'])
  const plannedFor = new Map([['uid-web-000000', 'spoilt']])
  const nodes = [node('spoilt', { cpu: '16', nodeClaim: 'spoilt', pods: [running] }), node('sound', { cpu: '16' })]
  const plan = schedule({ ...whole.snapshot, nodes, plannedFor }, ordinary, whole.options)
  const on = Object.fromEntries(
    plan.placements.map((each) => [each.node, each.pods.map(({ metadata }) => metadata.name)]),
  )
  expect(on['spoilt']).toEqual(['web-0'])
  expect(on['sound']).toHaveLength(ordinary.length - 1)
  expect(plan.claims).toEqual([])
  expect(plan.setAside?.map(({ kind }) => kind)).toEqual(['Node'])
})

test('an unreadable limit does not count as no limit', () => {
  const limited = cluster().pool('general', { limits: { cpu: '1e0.5' } })
  const plan = schedule(limited.snapshot, ordinary, limited.options)
  expect(plan.claims).toEqual([])
  expect(plan.unschedulable[0]?.reasons[0]).toMatchObject({ code: 'nodepool.not-ready', subject: 'nodepool/general' })
})

describe('the search for the objects that cause an error', () => {
  const failing = (isBad: (part: readonly number[]) => boolean) => {
    let attempts = 0
    const found = findCulprits(
      Array.from({ length: 1_000 }, (_, index) => index),
      (part) => {
        attempts++
        if (isBad(part)) throw new Error('bad')
      },
    )
    return { ...found, attempts }
  }
  test('finds a few such objects in few attempts', () => {
    const { errors, unsure, attempts } = failing((part) => part.includes(3) || part.includes(700))
    expect([...errors.keys()]).toEqual([3, 700])
    expect(unsure.size).toBe(0)
    expect(attempts).toBeLessThan(60)
  })
  test('finds items that fail only together', () => {
    const { errors } = failing((part) => part.includes(3) && part.includes(700))
    expect([...errors.keys()]).toEqual([700])
  })
  test('does not split every group if too many items fail, and marks the items of the remaining groups as unsure', () => {
    const { errors, unsure, attempts } = failing((part) => part.some((item) => item % 2 === 0))
    expect(errors.size).toBeGreaterThan(499)
    expect(unsure.size).toBeGreaterThan(0)
    expect(attempts).toBeLessThan(450)
  })
})

test('throws the error if no object causes it', () => {
  const fail = (): never => {
    throw new Error('broken')
  }
  expect(() => decideApart(whole.snapshot, ordinary, fail)).toThrow('broken')
})
