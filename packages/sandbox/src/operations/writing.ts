import { formatTime, type KubeObject, ownValue, setOwnValue } from '@kerf/apis'
import { validateMetadata } from '../admission/metadata.ts'
import { recordOwnership } from '../patch/managed-fields.ts'
import type { ApiState } from '../resources/api-state.ts'
import type { WriteRequest } from '../resources/request.ts'
import { apiVersionOfResource, type Resource, served } from '../resources/resource.ts'
import { collectionKey } from '../store/collection.ts'
import {
  cloneObject,
  ensureObject,
  freeze,
  isObject,
  type JsonObject,
  objectAt,
  semanticallyEqual,
  shareUnchanged,
  stringAt,
} from '../store/json.ts'
import { type FieldError, fieldErrors, statusErrors } from '../store/status-errors.ts'
import { checkNamespaceForCreate } from './namespaces.ts'
import type { WriteHooks } from './write-hooks.ts'

/** Computes the new object from the stored one. May reuse parts of the stored object, which are frozen. Called once per attempt. */
export type Change = (before: KubeObject) => JsonObject

export interface UpdateOptions {
  readonly subresource?: string
  /** Whether server-side apply has already computed the managed fields. */
  readonly ownershipRecorded?: boolean
  /**
   * Allows the write without a resourceVersion, even for resource kinds whose updates require one. Set for patches, which always apply to
   * the latest version.
   */
  readonly unconditional?: boolean
  /** Whether the write is a patch. In a patch, a uid in the body is an ordinary value. In a replacement, it is a precondition. */
  readonly isPatch?: boolean
}

/** Implements create and update. The steps run in the same order as in the real server. */
export class Writing {
  private readonly state: ApiState
  private readonly hooks: WriteHooks

  constructor(state: ApiState, hooks: WriteHooks) {
    this.state = state
    this.hooks = hooks
  }

  /** Creates an object from a copy of `body`. Throws `ApiError`. */
  create(
    resource: Resource,
    namespace: string | undefined,
    body: object,
    request: WriteRequest,
    options: UpdateOptions = {},
  ): KubeObject {
    const draft = cloneObject(body)
    checkKind(resource, draft)
    const metadata = ensureObject(draft, 'metadata')
    checkRequestNamespace(resource, metadata, namespace)
    if (stringAt(metadata, 'resourceVersion') !== undefined && metadata['resourceVersion'] !== '') {
      throw statusErrors.badRequest('resourceVersion should not be set on objects to be created')
    }
    resource.conversion?.toStored(draft)
    resource.strategy.decode(draft, request)
    const ownNamespace = stringAt(metadata, 'namespace')
    if (resource.namespaced)
      checkNamespaceForCreate(this.state, resource, ownNamespace ?? '', stringAt(metadata, 'name') ?? '')
    const name = this.nameOf(resource, metadata, ownNamespace)
    metadata['name'] = name
    metadata['uid'] = this.state.randomByKind(resource).uuid()
    metadata['creationTimestamp'] = formatTime(this.state.clock.now())
    for (const key of ['resourceVersion', 'selfLink', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'])
      delete metadata[key]
    if (options.ownershipRecorded !== true) delete metadata['managedFields']
    if (resource.strategy.keepsGeneration) metadata['generation'] = 1
    resource.strategy.prepareCreate(draft, request)
    this.throwIfInvalid(resource, name, [
      ...validateMetadata(resource, metadata),
      ...resource.strategy.validate(draft, undefined, undefined),
    ])
    if (options.ownershipRecorded !== true)
      recordOwnership(resource, undefined, draft, request, undefined, this.state.clock.now())
    const key = collectionKey(ownNamespace, name)
    if (resource.collection.get(key) !== undefined) throw statusErrors.alreadyExists(resource, name)
    this.hooks.beforeCreate(resource, draft, request)
    if (request.dryRun === true) return served(resource, freeze(draft) as unknown as KubeObject)
    return served(resource, this.store(resource, key, draft))
  }

  /** Replaces the stored object after applying `change` and the resource kind's rules. Throws `ApiError`. */
  update(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    change: Change,
    request: WriteRequest,
    options: UpdateOptions = {},
  ): KubeObject {
    const key = collectionKey(resource.namespaced ? namespace : undefined, name)
    const before = resource.collection.get(key)
    if (before === undefined) throw statusErrors.notFound(resource, name)
    const draft = change(served(resource, before))
    checkKind(resource, draft)
    const metadata = ensureObject(draft, 'metadata')
    if (metadata['name'] === undefined) metadata['name'] = name
    if (metadata['name'] !== name) {
      throw statusErrors.badRequest(
        `the name of the object (${String(metadata['name'])}) does not match the name on the URL (${name})`,
      )
    }
    checkRequestNamespace(resource, metadata, namespace)
    resource.conversion?.toStored(draft)
    resource.strategy.decode(draft, request)
    this.checkVersion(resource, before, metadata, options)
    keepSystemMetadata(before, metadata, options.ownershipRecorded === true)
    keepOtherHalf(resource, before, draft, options.subresource)
    resource.strategy.prepareUpdate(draft, before, options.subresource)
    if (resource.strategy.keepsGeneration && desiredStateChanged(resource, before, draft)) {
      metadata['generation'] = (before.metadata.generation ?? 0) + 1
    }
    this.throwIfInvalid(resource, name, [
      ...validateMetadata(resource, metadata, before.metadata),
      ...resource.strategy.validate(draft, before, options.subresource),
    ])
    if (options.ownershipRecorded !== true)
      recordOwnership(resource, before, draft, request, options.subresource, this.state.clock.now())
    if (semanticallyEqual(withoutOwnership(before), withoutOwnership(draft)) && sameOwners(before, draft))
      return served(resource, before)
    this.hooks.beforeUpdate(resource, before, draft)
    if (request.dryRun === true) return served(resource, freeze(draft) as unknown as KubeObject)
    if (releasesDeletion(before, metadata, draft, resource)) return served(resource, this.remove(resource, key, draft))
    return served(resource, this.store(resource, key, draft))
  }

  /** Stores a draft as it is, at a new revision. */
  store(resource: Resource, key: string, draft: JsonObject): KubeObject {
    const before = resource.collection.get(key)
    const shared = before === undefined ? draft : { ...(shareUnchanged(before, draft) as JsonObject) }
    const metadata = { ...objectAt(shared, 'metadata') }
    const revision = this.state.nextRevision()
    metadata['resourceVersion'] = String(revision)
    shared['metadata'] = metadata
    const object = freeze(shared) as unknown as KubeObject
    resource.collection.put(key, object, revision)
    this.hooks.afterStore(resource, before, object)
    return object
  }

  /** Removes an object from the store. `last` is its final state. */
  remove(resource: Resource, key: string, last: JsonObject): KubeObject {
    const revision = this.state.nextRevision()
    const shared = { ...last, metadata: { ...objectAt(last, 'metadata'), resourceVersion: String(revision) } }
    const object = freeze(shared) as unknown as KubeObject
    resource.collection.remove(key, object, revision)
    this.hooks.afterRemove(resource, object)
    return object
  }

  throwIfInvalid(resource: Resource, name: string, errors: readonly FieldError[]): void {
    if (errors.length > 0) throw statusErrors.invalid(resource, name, errors)
  }

  private nameOf(resource: Resource, metadata: JsonObject, namespace: string | undefined): string {
    const name = stringAt(metadata, 'name')
    if (name !== undefined && name !== '') return name
    const prefix = stringAt(metadata, 'generateName')
    if (prefix === undefined || prefix === '') {
      throw statusErrors.invalid(resource, '', [
        fieldErrors.required('metadata.name', 'name or generateName is required'),
      ])
    }
    for (;;) {
      const generated = `${prefix.slice(0, 58)}${this.state.randomByKind(resource).text(5)}`
      if (resource.collection.get(collectionKey(namespace, generated)) === undefined) return generated
    }
  }

  private checkVersion(resource: Resource, before: KubeObject, metadata: JsonObject, options: UpdateOptions): void {
    const name = before.metadata.name
    const uid = stringAt(metadata, 'uid')
    if (uid !== undefined && uid !== '' && uid !== before.metadata.uid) {
      if (options.isPatch === true) {
        // The API server validates metadata twice, once for all kinds and once for the kind, and reports the field both times.
        const cause = fieldErrors.invalid('metadata.uid', uid, 'field is immutable')
        throw statusErrors.invalid(resource, name, [cause, cause])
      }
      throw statusErrors.conflict(
        resource,
        name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
      )
    }
    const version = stringAt(metadata, 'resourceVersion')
    if (version !== undefined && version !== '' && version !== '0') {
      if (version !== before.metadata.resourceVersion) throw statusErrors.stale(resource, name)
    } else if (!resource.strategy.unconditionalUpdate && options.unconditional !== true) {
      throw statusErrors.invalid(resource, name, [
        {
          field: 'metadata.resourceVersion',
          reason: 'FieldValueInvalid',
          message: 'Invalid value: 0: must be specified for an update',
        },
      ])
    }
  }
}

const checkKind = (resource: Resource, draft: JsonObject): void => {
  const apiVersion = apiVersionOfResource(resource)
  if (draft['apiVersion'] === undefined) draft['apiVersion'] = apiVersion
  if (draft['kind'] === undefined) draft['kind'] = resource.kind
  if (draft['apiVersion'] !== apiVersion || draft['kind'] !== resource.kind) {
    throw statusErrors.badRequest(
      `${String(draft['kind'])} in version "${String(draft['apiVersion'])}" cannot be handled as a ${resource.kind}: the API version or kind in the data (${String(draft['apiVersion'])}, Kind=${String(draft['kind'])}) does not match the expected API version and kind (${apiVersion}, Kind=${resource.kind})`,
    )
  }
}

const checkRequestNamespace = (resource: Resource, metadata: JsonObject, namespace: string | undefined): void => {
  if (!resource.namespaced) {
    delete metadata['namespace']
    return
  }
  const own = stringAt(metadata, 'namespace')
  if (own === undefined || own === '') {
    if (namespace === undefined || namespace === '')
      throw statusErrors.badRequest(`an empty namespace may not be set when a resource name may not be empty`)
    metadata['namespace'] = namespace
  } else if (namespace !== undefined && namespace !== '' && own !== namespace) {
    throw statusErrors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
}

const keepSystemMetadata = (before: KubeObject, metadata: JsonObject, ownershipRecorded: boolean): void => {
  const old = before.metadata as unknown as JsonObject
  const kept = [
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generation',
    'resourceVersion',
    'generateName',
  ]
  for (const key of ownershipRecorded
    ? kept
    : [...kept, ...(metadata['managedFields'] === undefined ? ['managedFields'] : [])]) {
    if (ownValue(old, key) === undefined) delete metadata[key]
    else setOwnValue(metadata, key, ownValue(old, key))
  }
}

/** A write to the object keeps the stored status. A write to the status keeps everything except the status. */
const keepOtherHalf = (
  resource: Resource,
  before: KubeObject,
  draft: JsonObject,
  subresource: string | undefined,
): void => {
  const old = before as unknown as JsonObject
  if (subresource === 'status') {
    for (const key of new Set([...Object.keys(draft), ...Object.keys(old)])) {
      if (key === 'status') continue
      if (key === 'metadata') {
        const oldMetadata = objectAt(old, 'metadata') ?? {}
        if (resource.strategy.statusWritesMetadata) {
          const metadata = ensureObject(draft, 'metadata')
          if (oldMetadata['ownerReferences'] === undefined) delete metadata['ownerReferences']
          else metadata['ownerReferences'] = oldMetadata['ownerReferences']
          continue
        }
        const managedFields = objectAt(draft, 'metadata')?.['managedFields']
        const metadata: JsonObject = { ...oldMetadata }
        if (managedFields !== undefined) metadata['managedFields'] = managedFields
        const target = ensureObject(draft, 'metadata')
        for (const member of Object.keys(target)) delete target[member]
        for (const [member, value] of Object.entries(metadata)) setOwnValue(target, member, value)
      } else if (ownValue(old, key) === undefined) delete draft[key]
      else setOwnValue(draft, key, ownValue(old, key))
    }
  } else if (resource.strategy.hasStatus && subresource !== 'binding') {
    if (old['status'] === undefined) delete draft['status']
    else draft['status'] = old['status']
  }
}

const withoutOwnership = (object: unknown): JsonObject => {
  const source = object as JsonObject
  const { managedFields: _managed, resourceVersion: _version, ...metadata } = objectAt(source, 'metadata') ?? {}
  return { ...source, metadata }
}

/** Returns whether two versions have the same field owners. Ignores the times of the entries. */
const sameOwners = (before: KubeObject, draft: JsonObject): boolean => {
  const strip = (entries: unknown): unknown =>
    Array.isArray(entries) ? entries.map((entry) => (isObject(entry) ? { ...entry, time: undefined } : entry)) : []
  return semanticallyEqual(strip(before.metadata.managedFields), strip(objectAt(draft, 'metadata')?.['managedFields']))
}

const desiredStateChanged = (resource: Resource, before: KubeObject, draft: JsonObject): boolean => {
  const old = before as unknown as JsonObject
  if (resource.custom === undefined)
    return !semanticallyEqual(old['spec'] ?? objectData(old), draft['spec'] ?? objectData(draft))
  return !semanticallyEqual(
    objectData(old, resource.strategy.hasStatus),
    objectData(draft, resource.strategy.hasStatus),
  )
}

const objectData = (object: JsonObject, withoutStatus = true): JsonObject => {
  const { metadata: _metadata, status, apiVersion: _apiVersion, kind: _kind, ...data } = object
  return withoutStatus || status === undefined ? data : { ...data, status }
}

/** Returns whether this write removes the last finalizer of an object that is being deleted, which removes the object. */
const releasesDeletion = (before: KubeObject, metadata: JsonObject, draft: JsonObject, resource: Resource): boolean => {
  if (before.metadata.deletionTimestamp === undefined) return false
  const finalizers = metadata['finalizers']
  if (Array.isArray(finalizers) && finalizers.length > 0) return false
  if (resource.group === '' && resource.kind === 'Namespace') {
    const own = objectAt(draft, 'spec')?.['finalizers']
    if (Array.isArray(own) && own.length > 0) return false
  }
  return (before.metadata.deletionGracePeriodSeconds ?? 0) === 0
}
