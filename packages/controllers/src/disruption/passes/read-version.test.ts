import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { node, nodeClaim, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { ReadVersion } from './read-version.ts'

const KINDS: readonly ResourceKind[] = [
  karpenterKinds.NodePool,
  kinds.PodDisruptionBudget,
  kinds.DaemonSet,
  kinds.Namespace,
  kinds.PersistentVolumeClaim,
  kinds.PersistentVolume,
  kinds.StorageClass,
  kinds.CSINode,
]
const DEVICES: readonly ResourceKind[] = [kinds.ResourceSlice, kinds.ResourceClaim, kinds.DeviceClass]
const OWNERS: readonly ResourceKind[] = [
  kinds.Service,
  kinds.ReplicaSet,
  kinds.StatefulSet,
  kinds.ReplicationController,
]
const BUFFERS: readonly ResourceKind[] = [karpenterKinds.CapacityBuffer]

const object = ({ kind }: ResourceKind): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'v1', kind, metadata: { name: 'it' } },
  spec: {},
})

const start = (settings: NonNullable<Parameters<typeof manualState>[0]>['settings'] = {}) => {
  const { informers, deps, state } = manualState({ settings })
  const version = new ReadVersion(deps, state)
  /** Returns, for each change, whether it increases the version. */
  const isSeen = (...changes: readonly (() => void)[]): readonly boolean[] =>
    changes.map((change) => {
      const before = version.now
      change()
      return version.now > before
    })
  const lifeOf = (kind: ResourceKind): readonly boolean[] =>
    isSeen(
      () => informers.put(kind, object(kind)),
      () => informers.put(kind, object(kind)),
      () => informers.of(kind).delete('it'),
    )
  return { informers, state, version, isSeen, lifeOf }
}

const ALWAYS = [true, true, true]
const NEVER = [false, false, false]

test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
  '%s: creating, changing and deleting increase the version',
  (_name, kind) => {
    expect(start().lifeOf(kind)).toEqual(ALWAYS)
  },
)

describe('kinds that are read only with some settings', () => {
  const { featureGates } = defaultControllerSettings
  test.each([
    ['devices', DEVICES, { ignoreDraRequests: false }, { ignoreDraRequests: true }],
    [
      'owners',
      OWNERS,
      {
        defaultSpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' as const }],
      },
      { defaultSpreadConstraints: [] },
    ],
    [
      'buffers',
      BUFFERS,
      { featureGates: { ...featureGates, CapacityBuffer: true } },
      { featureGates: { ...featureGates, CapacityBuffer: false } },
    ],
  ])('%s increase the version with the setting, and are not watched without it', (_name, several, on, off) => {
    for (const kind of several) {
      expect(start(on).lifeOf(kind)).toEqual(ALWAYS)
      expect(start(off).lifeOf(kind)).toEqual(NEVER)
    }
  })
})

test('changes of nodes, claims, pods and decisions increase the version, but reading does not', () => {
  const { informers, state, version, isSeen } = start()
  const providerID = 'sim:///a/i-1'
  expect(
    isSeen(
      () => informers.put(karpenterKinds.NodeClaim, nodeClaim('c', { providerID })),
      () => informers.put(kinds.Node, node('n', { pool: 'default', providerID })),
      () => informers.put(kinds.Pod, pod('web', { nodeName: 'n' })),
      () => state.expectPods(providerID),
      () => state.markForDeletion(providerID),
      () => state.unmarkForDeletion(providerID),
      () => state.replaceBufferPodCounts(new Map([[providerID, 1]])),
      () => informers.of(kinds.Pod).delete('default/web'),
      () => informers.of(kinds.Node).delete('n'),
      () => informers.of(karpenterKinds.NodeClaim).delete('c'),
    ),
  ).toEqual(Array(10).fill(true))
  expect(
    isSeen(
      () => [...state.nodes()],
      () => state.byProviderID(providerID),
    ),
  ).toEqual([false, false])
  expect(version.now).toBe(version.now)
})
