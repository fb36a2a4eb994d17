import { type CapacityBuffer, type KubeObject, kinds, type PodTemplateSpec, type ResourceKind } from '@kerf/apis'

/** A workload that can provide the pod template and size of a buffer. */
export interface Scalable extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly template?: PodTemplateSpec
    /** Present only in a StatefulSet. */
    readonly volumeClaimTemplates?: readonly KubeObject[]
  }
}

/**
 * The resource kinds that are allowed in `spec.scalableRef` of a CapacityBuffer
 * (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`).
 */
export const scalableKinds: readonly ResourceKind<Scalable>[] = [kinds.Deployment, kinds.ReplicaSet, kinds.StatefulSet]

/** Returns the resource kind of a reference, or undefined if buffers cannot refer to it. An empty group counts as `apps`. */
export const scalableKind = (
  ref: NonNullable<CapacityBuffer['spec']['scalableRef']>,
): ResourceKind<Scalable> | undefined => {
  const group = ref.apiGroup ?? ''
  return group === '' || group === 'apps' ? scalableKinds.find(({ kind }) => kind === ref.kind) : undefined
}
