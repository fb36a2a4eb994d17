import { groupVersion, type ResourceKind } from '../kubernetes/kinds.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import { serverFields } from '../kubernetes/server-fields.ts'
import { karpenterKinds } from '../resources/index.ts'
import { isRecord, type Json, recordOrEmpty } from './field-reporter.ts'

/**
 * An annotation in which Karpenter 1.0 stored settings that have no field in v1 NodePools (`docs/spec/older-apis.md`). Karpenter 1.0 reads
 * it; Karpenter 1.1 and Kerf do not.
 */
export const KUBELET_ANNOTATION = 'compatibility.karpenter.sh/v1beta1-kubelet-conversion'
export const CLASS_ANNOTATION = 'compatibility.karpenter.sh/v1beta1-nodeclass-reference'

const objectAnnotations = ({ metadata }: KubeObject): Json => recordOrEmpty(metadata?.annotations)

const isV1 = ({ apiVersion, kind }: KubeObject, resource: ResourceKind): boolean =>
  kind === resource.kind && apiVersion === groupVersion(resource)

/** Returns whether the object is a v1 NodePool with one of these annotations. */
export const isAnnotatedPool = (object: KubeObject): boolean =>
  isV1(object, karpenterKinds.NodePool) &&
  [KUBELET_ANNOTATION, CLASS_ANNOTATION].some((key) => Object.hasOwn(objectAnnotations(object), key))

/**
 * Returns the kubelet settings in the annotation. Returns `undefined` if there is no annotation, and `null` if it is not a JSON
 * object.
 */
export const annotatedKubelet = (pool: KubeObject): Json | undefined | null => {
  const text = objectAnnotations(pool)[KUBELET_ANNOTATION]
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(String(text))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the name of the node class of a v1 NodePool. */
export const legacyClassName = (pool: KubeObject): string | undefined => {
  const { spec } = pool as { readonly spec?: unknown }
  const name = recordOrEmpty(recordOrEmpty(recordOrEmpty(recordOrEmpty(spec)['template'])['spec'])['nodeClassRef'])[
    'name'
  ]
  return typeof name === 'string' ? name : undefined
}

/** Returns the metadata that users write, without the annotations in `without`. */
export const writtenMetadata = ({ metadata }: KubeObject, without: readonly string[]): Json => {
  const { annotations, ...rest } = { ...metadata } as Json
  const kept = Object.entries(recordOrEmpty(annotations)).filter(([key]) => !without.includes(key))
  return {
    ...Object.fromEntries(
      Object.entries(rest).filter(
        ([field]) => !serverFields.includes(field) && field !== 'finalizers' && field !== 'ownerReferences',
      ),
    ),
    ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
  }
}
