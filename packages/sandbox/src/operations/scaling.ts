import type { KubeObject } from '@kerf/apis'
import { formatLabelSelector, type LabelSelector, ownValue, setOwnValue } from '@kerf/apis'
import type { Patch } from '@kerf/runtime'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import type { WriteRequest } from '../resources/request.ts'
import type { Resource, ScalePaths } from '../resources/resource.ts'
import { collectionKey } from '../store/collection.ts'
import { cloneObject, isObject, type JsonObject, type JsonValue, numberAt, objectAt } from '../store/json.ts'
import { fieldErrors, statusErrors } from '../store/status-errors.ts'
import type { Writing } from './writing.ts'

const builtinPaths: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
}

const steps = (path: string): string[] => path.split('.').filter((step) => step !== '')

const at = (object: unknown, path: string): unknown =>
  steps(path).reduce<unknown>((value, step) => (isObject(value) ? ownValue(value, step) : undefined), object)

const put = (object: JsonObject, path: string, value: JsonValue): void => {
  const keys = steps(path)
  const last = keys.pop()
  let parent = object
  for (const key of keys) {
    if (!isObject(ownValue(parent, key))) setOwnValue(parent, key, {})
    parent = ownValue(parent, key) as JsonObject
  }
  if (last !== undefined) setOwnValue(parent, last, value)
}

/** Implements the scale subresource, which has the same form for every resource kind with replicas. */
export class Scaling {
  readonly #writing: Writing

  constructor(writing: Writing) {
    this.#writing = writing
  }

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject {
    const paths = this.#paths(resource)
    const object = resource.collection.get(collectionKey(resource.namespaced ? namespace : undefined, name))
    if (object === undefined) throw statusErrors.notFound(resource, name)
    return objectScale(object, paths)
  }

  update(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    scale: object,
    request: WriteRequest,
  ): KubeObject {
    const paths = this.#paths(resource)
    const replicas = numberAt(objectAt(scale, 'spec'), 'replicas') ?? 0
    if (replicas < 0) {
      throw statusErrors.invalid({ group: 'autoscaling', plural: 'scales', kind: 'Scale' }, name, [
        fieldErrors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
      ])
    }
    const version = objectAt(scale, 'metadata')?.['resourceVersion']
    const object = this.#writing.update(
      resource,
      namespace,
      name,
      (before) => {
        const draft = cloneObject(before)
        const metadata = objectAt(draft, 'metadata')
        if (metadata !== undefined) {
          if (typeof version === 'string' && version !== '') metadata['resourceVersion'] = version
          else delete metadata['resourceVersion']
        }
        put(draft, paths.specReplicasPath, replicas)
        return draft
      },
      request,
      { unconditional: true, subresource: 'scale' },
    )
    return objectScale(object, paths)
  }

  patch(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    patch: Patch,
    request: WriteRequest,
  ): KubeObject {
    const draft = cloneObject(this.get(resource, namespace, name))
    const metadata = objectAt(draft, 'metadata')
    if (metadata !== undefined) delete metadata['resourceVersion']
    const patched =
      patch.type === 'json' ? applyJsonPatch(draft, patch.body) : applyMergePatch(draft, cloneObject(patch.body))
    return this.update(resource, namespace, name, patched, request)
  }

  #paths(resource: Resource): ScalePaths {
    const paths = resource.custom === undefined ? builtinPaths : resource.custom.scale
    if (paths === undefined || !resource.subresources.some((one) => one.name === 'scale'))
      throw statusErrors.noSuchResource()
    return paths
  }
}

const objectScale = (object: KubeObject, paths: ScalePaths): KubeObject => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = paths.labelSelectorPath === undefined ? undefined : at(object, paths.labelSelectorPath)
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: { replicas: Number(at(object, paths.specReplicasPath) ?? 0) },
    status: { replicas: Number(at(object, paths.statusReplicasPath) ?? 0), ...selectorText(object, selector) },
  } as KubeObject
}

const selectorText = (object: KubeObject, selector: unknown): { readonly selector?: string } => {
  if (typeof selector === 'string') return { selector }
  if (!isObject(selector)) return {}
  const shaped = object.kind === 'ReplicationController' ? { matchLabels: selector } : selector
  return { selector: formatLabelSelector(shaped as unknown as LabelSelector) }
}
