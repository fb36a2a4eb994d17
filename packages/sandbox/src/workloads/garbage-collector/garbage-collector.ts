import { groupVersion, type KubeObject, type OwnerReference, type ResourceKind } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retry,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'

const OWNER_INDEX = 'sandbox.owner'
const ownerUids = (object: KubeObject): string[] => (object.metadata.ownerReferences ?? []).map((owner) => owner.uid)

const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

interface Watched {
  readonly kind: ResourceKind
  readonly informer: Informer
}

const nameOf = (kind: ResourceKind): string => `${groupVersion(kind)}/${kind.kind}`

/**
 * Deletes objects whose owners are gone. In the background mode, the owner is deleted first. In the foreground mode, the owner waits for
 * its dependents. If the owner is deleted with `orphan`, releases its dependents instead. Further kinds, such as custom resources, may be
 * added at any time.
 */
export class GarbageCollector implements Controller {
  readonly name = 'garbage-collector'
  readonly concurrency = 4
  readonly sources: readonly Source[] = []
  readonly #context: ClusterContext
  readonly #watched = new Map<string, Watched>()
  readonly #queue = new Set<(key: Key) => void>()
  readonly #early = new Set<Key>()

  constructor(context: ClusterContext, kinds: readonly ResourceKind[]) {
    this.#context = context
    for (const kind of kinds) this.watch(kind)
  }

  subscribe(enqueue: (key: Key) => void): () => void {
    this.#queue.add(enqueue)
    for (const key of this.#early) enqueue(key)
    this.#early.clear()
    return () => this.#queue.delete(enqueue)
  }

  /** Adds the kind's objects to the graph of owners and dependents. */
  watch(kind: ResourceKind): void {
    const name = nameOf(kind)
    if (this.#watched.has(name)) return
    const informer = this.#context.informers.of(kind)
    informer.index(OWNER_INDEX, ownerUids)
    this.#watched.set(name, { kind, informer })
    informer.onChange(({ before, after }) => {
      const gone = before !== undefined && before.metadata.uid !== after?.metadata.uid ? before : undefined
      if (gone !== undefined) this.#onDeleted(gone)
      if (after === undefined) return
      const leaving = after.metadata.deletionTimestamp !== undefined
      const references = after.metadata.ownerReferences ?? []
      const changed = before === undefined || before.metadata.ownerReferences !== references
      if (leaving ? this.#awaitsDependents(after) : references.length > 0 && changed) this.#enqueue(kind, after)
      // This dependent may be the last one that its owner waits for.
      if (leaving) this.#wakeOwners(after)
    })
  }

  async reconcile(key: Key): Promise<Outcome> {
    const [name = '', objectKey = '', uid = ''] = key.split('|')
    const watched = this.#watched.get(name)
    const object = watched?.informer.get(objectKey)
    if (watched === undefined || object === undefined || object.metadata.uid !== uid) return done()
    try {
      if (object.metadata.deletionTimestamp !== undefined) await this.#finalize(watched.kind, object)
      else await this.#collect(watched.kind, object)
      return done()
    } catch (error) {
      if (isNotFound(error)) return done()
      if (isConflict(error)) return retry()
      throw error
    }
  }

  #enqueue(kind: ResourceKind, object: KubeObject): void {
    const key = `${nameOf(kind)}|${informerKey(object)}|${object.metadata.uid ?? ''}`
    if (this.#queue.size === 0) this.#early.add(key)
    for (const enqueue of this.#queue) enqueue(key)
  }

  #awaitsDependents(object: KubeObject): boolean {
    const finalizers = object.metadata.finalizers ?? []
    return finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN)
  }

  #onDeleted(owner: KubeObject): void {
    for (const { kind, dependent } of this.#dependentsOf(owner)) this.#enqueue(kind, dependent)
    this.#wakeOwners(owner)
  }

  #wakeOwners(dependent: KubeObject): void {
    for (const reference of dependent.metadata.ownerReferences ?? []) {
      const owner = this.#mirrored(reference, dependent.metadata.namespace)
      if (owner?.object?.metadata.deletionTimestamp !== undefined && this.#awaitsDependents(owner.object)) {
        this.#enqueue(owner.kind, owner.object)
      }
    }
  }

  #dependentsOf(owner: KubeObject): { readonly kind: ResourceKind; readonly dependent: KubeObject }[] {
    const uid = owner.metadata.uid ?? ''
    return [...this.#watched.values()].flatMap(({ kind, informer }) =>
      informer.by(OWNER_INDEX, uid).map((dependent) => ({ kind, dependent })),
    )
  }

  #mirrored(
    reference: OwnerReference,
    namespace: string | undefined,
  ): { readonly kind: ResourceKind; readonly object: KubeObject | undefined } | undefined {
    const watched = this.#kindOf(reference)
    if (watched === undefined) return undefined
    const key = watched.kind.namespaced ? `${namespace ?? ''}/${reference.name}` : reference.name
    const object = watched.informer.get(key)
    return { kind: watched.kind, object: object?.metadata.uid === reference.uid ? object : undefined }
  }

  /** Returns the watched kind of an owner reference. The reference may contain another version of that kind. */
  #kindOf(reference: OwnerReference): Watched | undefined {
    const exact = this.#watched.get(`${reference.apiVersion}/${reference.kind}`)
    if (exact !== undefined) return exact
    const group = reference.apiVersion.includes('/') ? (reference.apiVersion.split('/')[0] ?? '') : ''
    return this.#watched.values().find(({ kind }) => kind.kind === reference.kind && kind.group === group)
  }

  /** Deletes an object if all its owners are gone. If only some are gone, removes the references to these owners. */
  async #collect(kind: ResourceKind, object: KubeObject): Promise<void> {
    const references = object.metadata.ownerReferences ?? []
    const states = await Promise.all(references.map((reference) => this.#stateOf(reference, object)))
    const dangling = references.filter((_, index) => states[index] === 'absent')
    const waiting = references.filter((_, index) => states[index] === 'waiting')
    if (references.length === 0 || dangling.length + waiting.length === 0) return
    if (dangling.length + waiting.length < references.length) {
      const dropped = new Set([...dangling, ...waiting].map((reference) => reference.uid))
      const ownerReferences = references.filter((reference) => !dropped.has(reference.uid))
      const body = { metadata: { resourceVersion: object.metadata.resourceVersion, ownerReferences } }
      await this.#context.client.patch(kind, parseKey(informerKey(object)), { type: 'merge', body })
      return
    }
    const finalizers = object.metadata.finalizers ?? []
    const blockers = waiting.length > 0 && this.#dependentsOf(object).length > 0
    const uid = object.metadata.uid
    await this.#context.client.delete(kind, parseKey(informerKey(object)), {
      propagationPolicy: finalizers.includes(ORPHAN) ? 'Orphan' : blockers ? 'Foreground' : 'Background',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
  }

  async #stateOf(reference: OwnerReference, dependent: KubeObject): Promise<'present' | 'absent' | 'waiting'> {
    const mirrored = this.#mirrored(reference, dependent.metadata.namespace)
    // A kind that is not served may be served later, so its dependents are not deleted yet.
    if (mirrored === undefined) return 'present'
    let owner = mirrored.object
    if (owner === undefined) {
      try {
        const namespace = dependent.metadata.namespace
        const ref = mirrored.kind.namespaced && namespace !== undefined ? { namespace } : {}
        owner = await this.#context.client.get(mirrored.kind, { name: reference.name, ...ref })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    if (owner === undefined || owner.metadata.uid !== reference.uid) return 'absent'
    const foreground =
      owner.metadata.deletionTimestamp !== undefined && (owner.metadata.finalizers ?? []).includes(FOREGROUND)
    return foreground ? 'waiting' : 'present'
  }

  async #finalize(kind: ResourceKind, owner: KubeObject): Promise<void> {
    const finalizers = owner.metadata.finalizers ?? []
    const dependents = this.#dependentsOf(owner)
    if (finalizers.includes(ORPHAN)) {
      for (const { kind: dependentKind, dependent } of dependents) await this.#letGo(dependentKind, dependent, owner)
      await this.#dropFinalizer(kind, owner, ORPHAN)
      return
    }
    if (!finalizers.includes(FOREGROUND)) return
    for (const { kind: dependentKind, dependent } of dependents) {
      if (dependent.metadata.deletionTimestamp === undefined) this.#enqueue(dependentKind, dependent)
    }
    const blocked = dependents.some(({ dependent }) =>
      dependent.metadata.ownerReferences?.some(
        (reference) => reference.uid === owner.metadata.uid && reference.blockOwnerDeletion === true,
      ),
    )
    if (!blocked) await this.#dropFinalizer(kind, owner, FOREGROUND)
  }

  async #letGo(kind: ResourceKind, dependent: KubeObject, owner: KubeObject): Promise<void> {
    const ownerReferences = (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid)
    const body = { metadata: { uid: dependent.metadata.uid, ownerReferences } }
    try {
      await this.#context.client.patch(kind, parseKey(informerKey(dependent)), { type: 'merge', body })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async #dropFinalizer(kind: ResourceKind, object: KubeObject, finalizer: string): Promise<void> {
    const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer)
    const body = { metadata: { resourceVersion: object.metadata.resourceVersion, finalizers } }
    await this.#context.client.patch(kind, parseKey(informerKey(object)), { type: 'merge', body })
  }
}
