import { type CapacityBuffer, type KubeObject, kinds, type PodTemplateSpec, type ResourceKind } from '@kerf/apis'

/** A workload that a buffer may take its shape and size from. */
export interface Scalable extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly template?: PodTemplateSpec
    /** Of a StatefulSet. */
    readonly volumeClaimTemplates?: readonly KubeObject[]
  }
}

/**
 * What `spec.scalableRef` of a CapacityBuffer may name (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`).
 */
export const scalableKinds: readonly ResourceKind<Scalable>[] = [kinds.Deployment, kinds.ReplicaSet, kinds.StatefulSet]

/** The kind that a reference names; nothing for one that no buffer can use. An empty group counts as `apps`. */
export const scalableKind = (
  ref: NonNullable<CapacityBuffer['spec']['scalableRef']>,
): ResourceKind<Scalable> | undefined => {
  const group = ref.apiGroup ?? ''
  return group === '' || group === 'apps' ? scalableKinds.find(({ kind }) => kind === ref.kind) : undefined
}
