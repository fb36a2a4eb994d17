import { formatTime, type KubeObject, parseTime } from '@kerf/apis'
import type { ApiState } from '../resources/api-state.ts'
import type { DeleteRequest } from '../resources/request.ts'
import { type Resource, served } from '../resources/resource.ts'
import { collectionKey } from '../store/collection.ts'
import { cloneObject, ensureObject, type JsonObject } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import type { Writing } from './writing.ts'

/** The result of a deletion: the last state of the object, and whether it has been removed from the store. */
export interface Deletion {
  readonly object: KubeObject
  readonly gone: boolean
}

const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/** Deletes objects with grace periods, finalizers and preconditions. */
export class Deleting {
  private readonly state: ApiState
  private readonly writing: Writing

  constructor(state: ApiState, writing: Writing) {
    this.state = state
    this.writing = writing
  }

  delete(resource: Resource, namespace: string | undefined, name: string, request: DeleteRequest): Deletion {
    const key = collectionKey(resource.namespaced ? namespace : undefined, name)
    const before = resource.collection.get(key)
    if (before === undefined) throw statusErrors.notFound(resource, name)
    checkPreconditions(resource, before, request)
    const draft = cloneObject(before)
    const metadata = ensureObject(draft, 'metadata')
    const grace = this.applyGrace(resource, before, metadata, request)
    if (grace === 'pending') return { object: served(resource, before), gone: false }
    const finalizers = setPropagation(resource, before, metadata, request)
    const isHeldBack = finalizers.length > 0 || hasNamespaceFinalizers(resource, draft)
    if (grace === 'none' && !isHeldBack) return this.gone(resource, key, draft, request)
    if (grace === 'none' || grace === 'over') this.markDeleting(before, metadata)
    if (resource.group === '' && resource.kind === 'Namespace') ensureObject(draft, 'status')['phase'] = 'Terminating'
    if (grace === 'over' && !isHeldBack) return this.gone(resource, key, draft, request)
    if (request.dryRun === true) return { object: served(resource, draft as unknown as KubeObject), gone: false }
    return { object: served(resource, this.writing.store(resource, key, draft)), gone: false }
  }

  private gone(resource: Resource, key: string, draft: JsonObject, request: DeleteRequest): Deletion {
    if (request.dryRun === true) return { object: served(resource, draft as unknown as KubeObject), gone: true }
    return { object: served(resource, this.writing.remove(resource, key, draft)), gone: true }
  }

  /**
   * Applies the grace period and returns the result. `none`: the resource kind has no grace periods. `started`: the grace period of the
   * object has started. `over`: the grace period has ended. `pending`: a grace period is already running, and this call does not change it,
   * because grace periods can only be shortened.
   */
  private applyGrace(
    resource: Resource,
    before: KubeObject,
    metadata: JsonObject,
    request: DeleteRequest,
  ): 'none' | 'started' | 'over' | 'pending' {
    const asked = request.gracePeriodSeconds
    if (resource.strategy.gracePeriod === undefined) return 'none'
    const { deletionTimestamp, deletionGracePeriodSeconds: running } = before.metadata
    if (deletionTimestamp !== undefined) {
      if (asked === undefined || running === undefined || asked >= running)
        return running === 0 || asked === 0 ? 'over' : 'pending'
      const started = Date.parse(deletionTimestamp) - running * 1000
      metadata['deletionTimestamp'] = formatTime(started + asked * 1000)
      metadata['deletionGracePeriodSeconds'] = asked
      return asked === 0 ? 'over' : 'started'
    }
    const period = resource.strategy.gracePeriod(before, asked)
    metadata['deletionTimestamp'] = formatTime(this.state.clock.now() + period * 1000)
    metadata['deletionGracePeriodSeconds'] = period
    if (before.metadata.generation !== undefined) metadata['generation'] = before.metadata.generation + 1
    return period === 0 ? 'over' : 'started'
  }

  private markDeleting(before: KubeObject, metadata: JsonObject): void {
    const now = this.state.clock.now()
    const running = before.metadata.deletionTimestamp
    if ((parseTime(running) ?? Number.POSITIVE_INFINITY) > now) metadata['deletionTimestamp'] = formatTime(now)
    else metadata['deletionTimestamp'] = running
    metadata['deletionGracePeriodSeconds'] = 0
    if (running === undefined && before.metadata.generation !== undefined)
      metadata['generation'] = before.metadata.generation + 1
  }
}

const checkPreconditions = (resource: Resource, object: KubeObject, request: DeleteRequest): void => {
  const name = object.metadata.name
  const { uid, resourceVersion } = request.preconditions ?? {}
  if (uid !== undefined && uid !== object.metadata.uid) {
    throw statusErrors.conflict(
      resource,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
    throw statusErrors.conflict(
      resource,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** Returns the finalizers of the object with the request's propagation policy applied. Unrelated finalizers remain. */
const setPropagation = (
  resource: Resource,
  before: KubeObject,
  metadata: JsonObject,
  request: DeleteRequest,
): readonly string[] => {
  const present = before.metadata.finalizers ?? []
  // Events have no dependents, so a propagation policy does not apply to them.
  if (request.propagationPolicy === undefined || resource.plural === 'events') return present
  const wanted = present.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND)
  if (request.propagationPolicy === 'Orphan') wanted.push(ORPHAN)
  if (request.propagationPolicy === 'Foreground') wanted.push(FOREGROUND)
  if (wanted.length === 0) delete metadata['finalizers']
  else metadata['finalizers'] = wanted
  return wanted
}

const hasNamespaceFinalizers = (resource: Resource, draft: JsonObject): boolean => {
  if (resource.group !== '' || resource.kind !== 'Namespace') return false
  const spec = draft['spec']
  const finalizers = typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? spec['finalizers'] : undefined
  return Array.isArray(finalizers) && finalizers.length > 0
}
