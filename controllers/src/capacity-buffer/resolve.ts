import type { CapacityBuffer, KubeObject, Pod, PodTemplateSpec, ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import { bufferSize } from './buffer-size.ts'
import { scalableKind } from './scalable-kinds.ts'
import { shapeOf } from './virtual-pods.ts'

export interface PodTemplate extends KubeObject {
  readonly template: PodTemplateSpec
}

export const podTemplateKind: ResourceKind<PodTemplate> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
}

/** What a buffer comes to, or why it cannot be worked out. `isFinal`: only a change of an object can help. */
export type Resolution =
  | { readonly kind: 'resolved'; readonly shape: Pod; readonly size: number; readonly template?: PodTemplate }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string; readonly isFinal: boolean }

const failed = (reason: string, message: string, isFinal: boolean): Resolution => ({
  kind: 'failed',
  reason,
  message,
  isFinal,
})

const fromTemplate = async (
  client: KubeClient,
  buffer: CapacityBuffer,
  name: string,
  signal: AbortSignal,
): Promise<Resolution> => {
  const { namespace = 'default' } = buffer.metadata
  try {
    const template = await client.get(podTemplateKind, { name, namespace }, { signal })
    const shape = shapeOf(buffer, template.template)
    return { kind: 'resolved', shape, size: bufferSize(buffer, shape, undefined), template }
  } catch (error) {
    signal.throwIfAborted()
    if (!isNotFound(error)) throw error
    return failed('PodTemplateNotFound', `PodTemplate ${namespace}/${name} does not exist`, true)
  }
}

const fromWorkload = async (
  client: KubeClient,
  buffer: CapacityBuffer,
  ref: NonNullable<CapacityBuffer['spec']['scalableRef']>,
  signal: AbortSignal,
): Promise<Resolution> => {
  const { namespace = 'default' } = buffer.metadata
  const kind = scalableKind(ref)
  if (kind === undefined) {
    const group = ref.apiGroup ?? ''
    const given = group === '' ? ref.kind : `${ref.kind}.${group}`
    return failed(
      'ResolutionFailed',
      `${given} cannot be scaled; use a Deployment, StatefulSet or ReplicaSet of group apps`,
      false,
    )
  }
  try {
    const workload = await client.get(kind, { name: ref.name, namespace }, { signal })
    if (workload.spec.template === undefined) {
      return failed('ResolutionFailed', `${ref.kind} ${namespace}/${ref.name} has no pod template`, false)
    }
    const shape = shapeOf(buffer, workload.spec.template)
    return { kind: 'resolved', shape, size: bufferSize(buffer, shape, workload.spec.replicas ?? 1) }
  } catch (error) {
    signal.throwIfAborted()
    if (!isNotFound(error)) throw error
    return failed('ScalableRefNotFound', `${ref.kind} ${namespace}/${ref.name} does not exist`, true)
  }
}

/** Finds what a buffer refers to and works out its size. Throws what the API answers, not-found excepted. */
export const resolveBuffer = async (
  client: KubeClient,
  buffer: CapacityBuffer,
  signal: AbortSignal,
): Promise<Resolution> => {
  const { podTemplateRef, scalableRef } = buffer.spec
  if (podTemplateRef !== undefined) return fromTemplate(client, buffer, podTemplateRef.name, signal)
  if (scalableRef !== undefined) return fromWorkload(client, buffer, scalableRef, signal)
  return failed('ResolutionFailed', 'neither podTemplateRef nor scalableRef is set; set one of them', false)
}
