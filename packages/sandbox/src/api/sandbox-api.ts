import type { KubeList, KubeObject, NewObject } from '@kerf/apis'
import type { Clock, KubeClient, ObjectRef, Patch, Random, RandomByKind } from '@kerf/runtime'
import { CustomResourceDefinitions } from '../custom-resources/custom-resource-definitions.ts'
import { ApiDocuments } from '../documents/api-documents.ts'
import { bindPod, targetOfBinding } from '../operations/binding.ts'
import { Deleting, type Deletion } from '../operations/deleting.ts'
import { Evicting } from '../operations/evicting.ts'
import { Patching } from '../operations/patching.ts'
import { Reading, type ResourceEvent } from '../operations/reading.ts'
import { Scaling } from '../operations/scaling.ts'
import { Writing } from '../operations/writing.ts'
import type { ApiState } from '../resources/api-state.ts'
import {
  administrator,
  type DeleteRequest,
  type Identity,
  type ListRequest,
  type WatchRequest,
  type WriteRequest,
} from '../resources/request.ts'
import type { Resource } from '../resources/resource.ts'
import { parseResourcePath } from '../resources/resource-path.ts'
import { ResourceRegistry } from '../resources/resource-registry.ts'
import type { Revision } from '../store/collection.ts'
import { Compaction } from '../store/compaction.ts'
import { cloneObject } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import type { ApiOperations, Kind } from './api-operations.ts'
import { registerBuiltinResources } from './builtin-resources.ts'
import { InProcessClient } from './in-process-client.ts'
import type { Interceptor } from './interceptor.ts'
import { ServiceAddresses } from './service-addresses.ts'
import { systemObjects } from './system-objects.ts'

export interface SandboxApiOptions {
  readonly clock: Clock
  readonly random: Random
  /** The source of the random values of each resource kind. Default: `random` for all kinds. */
  readonly randomByKind?: RandomByKind
  /**
   * How many changes of a resource a watch may lag behind before its resourceVersion expires. Default 10,000. In addition, changes expire
   * after five to ten minutes.
   */
  readonly historyLimit?: number
}

/**
 * A Kubernetes API server in memory. `client()` returns the asynchronous client that controllers use. `SandboxServer`
 * serves the same API to kubectl.
 */
export class SandboxApi implements ApiOperations {
  readonly state: ApiState
  readonly documents: ApiDocuments
  readonly reading: Reading
  readonly #writing: Writing
  readonly #deleting: Deleting
  readonly #evicting: Evicting
  readonly #patching: Patching
  readonly #scaling: Scaling
  readonly #compaction: Compaction
  #revision = 1

  constructor(options: SandboxApiOptions) {
    const revision = (): number => this.#revision
    this.state = {
      clock: options.clock,
      randomByKind: options.randomByKind ?? (() => options.random),
      registry: new ResourceRegistry(),
      get revision() {
        return revision()
      },
      nextRevision: () => {
        const old = this.#compaction.due(this.#revision)
        if (old !== undefined) this.compact(old)
        return ++this.#revision
      },
    }
    this.#compaction = new Compaction(options.clock, this.#revision)
    const historyLimit = options.historyLimit ?? 10_000
    registerBuiltinResources(this.state, historyLimit)
    const crds = new CustomResourceDefinitions(this.state, historyLimit)
    const addresses = new ServiceAddresses()
    this.documents = new ApiDocuments(this.state.registry)
    this.reading = new Reading(this.state)
    this.#writing = new Writing(this.state, {
      beforeCreate: (resource, draft) => {
        addresses.assign(resource, draft)
        crds.beforeCreate(resource, draft)
      },
      beforeUpdate: (resource, _before, draft) => crds.beforeUpdate(resource, draft),
      afterStore: (resource, _before, object) => crds.afterStore(resource, object),
      afterRemove: (resource, object) => crds.afterRemove(resource, object),
    })
    this.#deleting = new Deleting(this.state, this.#writing)
    this.#evicting = new Evicting(this.state, this.#writing, this.#deleting)
    this.#patching = new Patching(this.state, this.#writing)
    this.#scaling = new Scaling(this.#writing)
    crds.start(this.#writing, this.#deleting)
    for (const { kind, object } of systemObjects) this.create(kind, object, { identity: administrator })
  }

  /** Returns a client for code in this process. `interceptor` may inject faults between the client and the API. */
  client(options: { readonly identity?: Identity; readonly interceptor?: Interceptor } = {}): KubeClient {
    return new InProcessClient(this, options.identity ?? administrator, options.interceptor ?? {})
  }

  resource(kind: Kind): Resource {
    return this.state.registry.of(kind)
  }

  get(kind: Kind, ref: ObjectRef): KubeObject {
    return this.reading.get(this.resource(kind), ref.namespace, ref.name)
  }

  list(kind: Kind, request: ListRequest): KubeList<KubeObject> {
    return this.reading.list(this.resource(kind), request)
  }

  watch(kind: Kind, request: WatchRequest): AsyncGenerator<ResourceEvent, void, void> {
    return this.reading.watch(this.resource(kind), request)
  }

  create(kind: Kind, object: NewObject, request: WriteRequest, subresource?: string, namespace?: string): KubeObject {
    const resource = this.resource(kind)
    if (subresource !== undefined) return this.#createSubresource(resource, object, request, subresource, namespace)
    return this.#writing.create(resource, namespace ?? object.metadata?.namespace, object, request)
  }

  update(kind: Kind, object: KubeObject, request: WriteRequest, subresource?: string, ref?: ObjectRef): KubeObject {
    const resource = this.resource(kind)
    const name = ref?.name ?? object.metadata.name ?? ''
    const namespace = ref?.namespace ?? object.metadata.namespace
    const own = object.metadata?.name
    if (subresource === undefined && own !== undefined && own !== name) {
      throw statusErrors.badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`)
    }
    if (subresource === 'scale') return this.#scaling.update(resource, namespace, name, object, request)
    this.#checkSubresource(resource, subresource)
    if (subresource === undefined && resource.strategy.createOnUpdate && !this.#exists(resource, namespace, name)) {
      return this.#writing.create(resource, namespace, object, request)
    }
    return this.#writing.update(
      resource,
      namespace,
      name,
      () => cloneObject(object),
      request,
      subresource === undefined ? {} : { subresource },
    )
  }

  patch(kind: Kind, ref: ObjectRef, patch: Patch, request: WriteRequest, subresource?: string): KubeObject {
    return this.patchOrCreate(kind, ref, patch, request, subresource).object
  }

  /** Like `patch`, but also returns whether a server-side apply has created the object. */
  patchOrCreate(
    kind: Kind,
    ref: ObjectRef,
    patch: Patch,
    request: WriteRequest,
    subresource?: string,
  ): { readonly object: KubeObject; readonly created: boolean } {
    const resource = this.resource(kind)
    if (subresource === 'scale')
      return { object: this.#scaling.patch(resource, ref.namespace, ref.name, patch, request), created: false }
    this.#checkSubresource(resource, subresource)
    return this.#patching.patch(resource, ref.namespace, ref.name, patch, request, subresource)
  }

  delete(kind: Kind, ref: ObjectRef, request: DeleteRequest): Deletion {
    return this.#deleting.delete(this.resource(kind), ref.namespace, ref.name, request)
  }

  evict(pod: Required<ObjectRef>, request: DeleteRequest): Deletion {
    return this.#evicting.evict(pod.namespace, pod.name, request)
  }

  bind(pod: Required<ObjectRef>, nodeName: string, request: WriteRequest): void {
    bindPod(this.state, this.#writing, pod.namespace, pod.name, nodeName, request)
  }

  scale(kind: Kind, ref: ObjectRef): KubeObject {
    return this.#scaling.get(this.resource(kind), ref.namespace, ref.name)
  }

  raw(path: string): unknown {
    const { pathname, searchParams } = new URL(path, 'http://sandbox')
    const target = parseResourcePath(pathname)
    if (target === undefined) return this.documents.get(pathname)
    const { name, namespace } = target
    const ref = namespace === undefined ? { name: name ?? '' } : { name: name ?? '', namespace }
    if (target.subresource === 'scale') return this.scale(target, ref)
    this.#checkSubresource(this.resource(target), target.subresource)
    if (name !== undefined) return this.get(target, ref)
    return this.list(target, { ...(namespace === undefined ? {} : { namespace }), ...Object.fromEntries(searchParams) })
  }

  /**
   * Drops the history before a revision. Watches and list pages that start from an earlier revision expire, as after a compaction of etcd.
   */
  compact(revision: Revision = this.state.revision): void {
    for (const resource of this.state.registry.all()) resource.collection.compact(revision)
    this.reading.expireLists(revision)
  }

  #exists(resource: Resource, namespace: string | undefined, name: string): boolean {
    return resource.collection.get(resource.namespaced ? `${namespace}/${name}` : name) !== undefined
  }

  #checkSubresource(resource: Resource, subresource: string | undefined): void {
    if (subresource === undefined) return
    if (!resource.subresources.some((one) => one.name === subresource)) throw statusErrors.noSuchResource()
  }

  #createSubresource(
    resource: Resource,
    object: NewObject,
    request: WriteRequest,
    subresource: string,
    namespace?: string,
  ): KubeObject {
    this.#checkSubresource(resource, subresource)
    const ref = { name: object.metadata.name ?? '', namespace: namespace ?? object.metadata.namespace ?? '' }
    // The server returns the object that the client sent, with the pod's name added.
    const answer = { ...object, metadata: { ...object.metadata, name: ref.name } }
    if (subresource === 'binding') {
      this.bind(ref, targetOfBinding(answer), request)
      return answer
    }
    if (subresource === 'eviction') {
      this.evict(ref, request)
      return answer
    }
    throw statusErrors.methodNotAllowed(resource, 'create')
  }
}
