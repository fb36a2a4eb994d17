import type { ResourceKind } from '@kerf/apis'
import type { KubeClient, PermissionVerb, WatchEvent } from '@kerf/runtime'

/** The subject of a call. Discovery calls have none. */
export interface CallSubject {
  readonly verb: PermissionVerb
  readonly kind: ResourceKind
}

/** A function that runs around each call of a client. */
export interface Wrapping {
  call<T>(send: (client: KubeClient) => Promise<T>, subject?: CallSubject, signal?: AbortSignal): Promise<T>
  watch<T>(
    open: (client: KubeClient) => AsyncIterable<WatchEvent<T>>,
    subject: CallSubject,
    signal?: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>
}

const podOf = (verb: PermissionVerb): CallSubject => ({
  verb,
  kind: { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
})

/** Returns a client whose calls all go through `around`. */
export const wrappedClient = (around: Wrapping): KubeClient => ({
  get: (kind, ref, options) =>
    around.call((client) => client.get(kind, ref, options), { verb: 'get', kind }, options?.signal),
  list: (kind, options) => around.call((client) => client.list(kind, options), { verb: 'list', kind }, options?.signal),
  watch: (kind, options) =>
    around.watch((client) => client.watch(kind, options), { verb: 'watch', kind }, options.signal),
  create: (kind, object, options) =>
    around.call((client) => client.create(kind, object, options), { verb: 'create', kind }, options?.signal),
  update: (kind, object, options) =>
    around.call((client) => client.update(kind, object, options), { verb: 'update', kind }, options?.signal),
  patch: (kind, ref, patch, options) =>
    around.call((client) => client.patch(kind, ref, patch, options), { verb: 'patch', kind }, options?.signal),
  delete: (kind, ref, options) =>
    around.call((client) => client.delete(kind, ref, options), { verb: 'delete', kind }, options?.signal),
  evict: (pod, options) => around.call((client) => client.evict(pod, options), podOf('create'), options?.signal),
  bind: (pod, nodeName, options) =>
    around.call((client) => client.bind(pod, nodeName, options), podOf('create'), options?.signal),
  raw: (path, options) => around.call((client) => client.raw(path, options), undefined, options?.signal),
})
