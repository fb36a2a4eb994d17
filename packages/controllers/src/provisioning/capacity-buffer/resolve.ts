import {
  type CapacityBuffer,
  type KubeObject,
  kinds,
  type Pod,
  type PodTemplateSpec,
  type ResourceClaimTemplate,
  type ResourceKind,
} from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import type { BufferShape } from './buffer-replicas.ts'
import { bufferSize } from './buffer-size.ts'
import { keptVolumes, type StorageLookup } from './buffer-storage.ts'
import { scalableKind } from './scalable-kinds.ts'
import { bufferPodShape } from './virtual-pods.ts'

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

/**
 * The shape and size of a buffer, or the reason why it cannot be resolved. If `isFinal`, the reason remains valid until an object changes.
 */
export type Resolution =
  | { readonly kind: 'resolved'; readonly shape: BufferShape; readonly size: number; readonly template?: PodTemplate }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string; readonly isFinal: boolean }

/** The sources from which a buffer is resolved. */
export interface BufferSources {
  readonly client: Pick<KubeClient, 'get'>
  readonly storage: StorageLookup
  /** Whether Kerf ignores device claims of pods. */
  readonly ignoresDevices: boolean
}

type Failure = Extract<Resolution, { readonly kind: 'failed' }>

const failed = (reason: string, message: string, isFinal: boolean): Failure => ({
  kind: 'failed',
  reason,
  message,
  isFinal,
})

/** Returns the ResourceClaimTemplates of a pod's device claims. */
const readClaimTemplates = async (
  { client, ignoresDevices }: BufferSources,
  pod: Pod,
  signal: AbortSignal,
): Promise<readonly ResourceClaimTemplate[] | Failure> => {
  if (ignoresDevices) return []
  const { namespace = 'default' } = pod.metadata
  const names = new Set(pod.spec.resourceClaims?.flatMap((claim) => claim.resourceClaimTemplateName ?? []))
  const found: ResourceClaimTemplate[] = []
  for (const name of names) {
    try {
      found.push(await client.get(kinds.ResourceClaimTemplate, { name, namespace }, { signal }))
    } catch (error) {
      signal.throwIfAborted()
      if (!isNotFound(error)) throw error
      const message = `ResourceClaimTemplate ${namespace}/${name} does not exist; create it, or change resourceClaims`
      return failed('ResourceClaimTemplateNotFound', message, true)
    }
  }
  return found
}

/**
 * Returns the shape of `pod` with its volumes and device claims. `pod` is one replica. It has no index, and lacks those volumes of the
 * template that refer to a PersistentVolumeClaim.
 */
const completed = async (
  sources: BufferSources,
  pod: Pod,
  { spec }: PodTemplateSpec,
  volumeClaimTemplates: readonly KubeObject[],
  signal: AbortSignal,
): Promise<BufferShape | Failure> => {
  const { namespace = 'default' } = pod.metadata
  const volumes = keptVolumes(spec.volumes ?? [], volumeClaimTemplates, namespace, sources.storage)
  if (typeof volumes === 'string') return failed('VolumeNotResolved', volumes, true)
  const claimTemplates = await readClaimTemplates(sources, pod, signal)
  return 'kind' in claimTemplates ? claimTemplates : { pod, volumes, claimTemplates }
}

const fromTemplate = async (
  sources: BufferSources,
  buffer: CapacityBuffer,
  name: string,
  signal: AbortSignal,
): Promise<Resolution> => {
  const { namespace = 'default' } = buffer.metadata
  try {
    const template = await sources.client.get(podTemplateKind, { name, namespace }, { signal })
    const pod = bufferPodShape(buffer, template.template)
    const shape = await completed(sources, pod, template.template, [], signal)
    if ('kind' in shape) return shape
    return { kind: 'resolved', shape, size: bufferSize(buffer, pod, undefined), template }
  } catch (error) {
    signal.throwIfAborted()
    if (!isNotFound(error)) throw error
    return failed('PodTemplateNotFound', `PodTemplate ${namespace}/${name} does not exist`, true)
  }
}

const fromWorkload = async (
  sources: BufferSources,
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
    const workload = await sources.client.get(kind, { name: ref.name, namespace }, { signal })
    if (workload.spec.template === undefined) {
      return failed('ResolutionFailed', `${ref.kind} ${namespace}/${ref.name} has no pod template`, false)
    }
    const { template, volumeClaimTemplates = [], replicas = 1 } = workload.spec
    const pod = bufferPodShape(buffer, template)
    const shape = await completed(sources, pod, template, volumeClaimTemplates, signal)
    return 'kind' in shape ? shape : { kind: 'resolved', shape, size: bufferSize(buffer, pod, replicas) }
  } catch (error) {
    signal.throwIfAborted()
    if (!isNotFound(error)) throw error
    return failed('ScalableRefNotFound', `${ref.kind} ${namespace}/${ref.name} does not exist`, true)
  }
}

/** Resolves the references of a buffer, and computes its size. Throws errors of the API server, except for 404 Not Found. */
export const resolveBuffer = async (
  sources: BufferSources,
  buffer: CapacityBuffer,
  signal: AbortSignal,
): Promise<Resolution> => {
  const { podTemplateRef, scalableRef } = buffer.spec
  if (podTemplateRef !== undefined) return fromTemplate(sources, buffer, podTemplateRef.name, signal)
  if (scalableRef !== undefined) return fromWorkload(sources, buffer, scalableRef, signal)
  return failed('ResolutionFailed', 'neither podTemplateRef nor scalableRef is set; set one of them', false)
}
