import { karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { ClusterState, MirrorDeps } from '../../state/cluster-state.ts'
import { deviceKinds, spreadOwnerKinds } from '../../state/optional-kinds.ts'

/** The resource kinds that passes read and that are not part of cluster state. */
const OTHERS: readonly ResourceKind[] = [
  karpenterKinds.NodePool,
  kinds.PodDisruptionBudget,
  kinds.DaemonSet,
  kinds.Namespace,
  kinds.PersistentVolumeClaim,
  kinds.PersistentVolume,
  kinds.StorageClass,
  kinds.CSINode,
]
/** A version that increases whenever the data that a disruption pass reads changes. Equal versions mean an unchanged cluster. */
export class ReadVersion {
  readonly #state: ClusterState
  #changes = 0

  constructor({ informers, settings }: Pick<MirrorDeps, 'informers' | 'settings'>, state: ClusterState) {
    this.#state = state
    const devices = settings.ignoreDraRequests ? [] : deviceKinds
    const owners = settings.defaultSpreadConstraints.length === 0 ? [] : spreadOwnerKinds
    const buffers = settings.featureGates.CapacityBuffer ? [karpenterKinds.CapacityBuffer] : []
    for (const kind of [...OTHERS, ...devices, ...owners, ...buffers]) {
      informers.of(kind).onChange(() => {
        this.#changes++
      })
    }
  }

  get now(): number {
    return this.#state.version + this.#changes
  }
}
