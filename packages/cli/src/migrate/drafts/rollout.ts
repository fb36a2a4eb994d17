import { type KubeObject, kinds, ownValue } from '@kerf/apis'
import type { FieldConversion } from '@kerf/provider-contract'
import { asText, asTexts, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import type { ObjectsByKind } from '../../doctor/objects-by-kind.ts'
import { nameOfWorkload, type Workload } from '../../doctor/workload.ts'

/** Merge patches for the `spec` of a Deployment. They control its rollout while the workload moves. */
export interface Rollout {
  /** Apply this patch together with the patch that moves the workload. */
  readonly during: Loose
  /** Restores the fields that `during` changed. Applied after the rollout. */
  readonly after: Loose
  /** Whether the workload can move a few pods at a time. */
  readonly isGradual: boolean
  readonly conversions: readonly FieldConversion[]
}

const UNCHANGED: Rollout = { during: {}, after: {}, isGradual: false, conversions: [] }

const FIELD = 'spec.strategy'

/** In-tree volume types for disks that can be attached to only one machine at a time. */
const DISKS = [
  'awsElasticBlockStore',
  'azureDisk',
  'gcePersistentDisk',
  'cinder',
  'vsphereVolume',
  'rbd',
  'iscsi',
  'fc',
]

/** Access modes with which several nodes can mount a volume at the same time. */
const SHARED = new Set(['ReadWriteMany', 'ReadOnlyMany'])

/**
 * Returns a short description of one of the pods' volumes, if only one node at a time can mount it. Returns undefined if the
 * pods have no volume of this kind.
 */
const singleNodeVolume = ({ pod, namespace }: Workload, objects: ObjectsByKind): string | undefined => {
  for (const volume of pod.spec.volumes ?? []) {
    const disk = DISKS.find((kind) => isLoose(ownValue(volume as Loose, kind)))
    if (disk !== undefined) return `volume ${volume.name} (${disk})`
    const claim = volume.persistentVolumeClaim?.claimName
    if (claim === undefined) continue
    const found = objects
      .of(kinds.PersistentVolumeClaim)
      .find(({ metadata }) => metadata.name === claim && (metadata.namespace ?? 'default') === namespace)
    if (found === undefined) return `PersistentVolumeClaim ${claim}, which is not among the objects`
    const modes = asTexts(looseAt(found, 'spec', 'accessModes'))
    if (!modes.some((mode) => SHARED.has(mode)))
      return `PersistentVolumeClaim ${claim} (${modes.join(', ') || 'no access mode'})`
  }
  return undefined
}

/** Returns a patch that restores the original strategy. Absent fields get the defaults of the API server. */
const strategyBack = (object: KubeObject): Loose => {
  const before = looseAt(object, 'spec', 'strategy', 'rollingUpdate')
  const old = isLoose(before) ? before : {}
  return {
    strategy: {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: old['maxUnavailable'] ?? null, maxSurge: old['maxSurge'] ?? null },
    },
  }
}

/**
 * Returns how the workload is rolled out while it moves (`docs/spec/coexistence.md#migration-in-phases`). PodDisruptionBudgets do
 * not limit a rollout, so the rollout must not remove a pod before its replacement is ready. The exception is a workload with a
 * volume that only one node can mount: its old pods must terminate first.
 */
export const plannedRollout = (workload: Workload, objects: ObjectsByKind): Rollout => {
  const { object } = workload
  if (workload.kind !== 'Deployment' || object === undefined) return UNCHANGED
  const name = nameOfWorkload(workload)
  if (asText(looseAt(object, 'spec', 'strategy', 'type')) === 'Recreate')
    return {
      ...UNCHANGED,
      conversions: [
        fieldConversion(name, FIELD, {
          to: `${FIELD} Recreate`,
          because: 'it is not changed: all pods end before the new ones start, so the workload is down while it moves',
        }),
      ],
    }
  const volume = singleNodeVolume(workload, objects)
  const after = strategyBack(object)
  if (volume !== undefined)
    return {
      during: { strategy: { type: 'Recreate', rollingUpdate: null } },
      after,
      isGradual: false,
      conversions: [
        fieldConversion(name, FIELD, {
          to: `${FIELD} Recreate while it moves`,
          because: `only one node can have its ${volume}, so that a new pod waits until the old one has ended: it is down while it moves. The strategy is put back after the rollout`,
        }),
      ],
    }
  return {
    during: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } } },
    after,
    isGradual: true,
    conversions: [
      fieldConversion(name, FIELD, {
        to: `${FIELD} with maxUnavailable 0 while it moves`,
        because: 'PodDisruptionBudgets do not protect pods during a rollout. The strategy is restored afterwards',
      }),
    ],
  }
}
