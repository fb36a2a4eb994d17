import type { KubeList, KubeObject, NewObject, ResourceKind } from '@kerf/apis'
import {
  ApiError,
  type CallOptions,
  type DeleteOptions,
  type KubeClient,
  type ListOptions,
  type ObjectRef,
  type Patch,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '@kerf/runtime'
import { callHttp, type HttpAccess, type HttpCall, streamHttp } from './plain-http.ts'

interface Status {
  readonly kind: 'Status'
  readonly status: string
  readonly code: number
  readonly reason?: string
  readonly message?: string
  readonly details?: ApiError['details']
}

const isStatus = (body: unknown): body is Status =>
  typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status' && 'code' in body

const errorOf = (status: number, body: unknown): ApiError => {
  if (!isStatus(body)) return new ApiError({ code: status, reason: 'InternalError', message: String(body) })
  const { code, reason = '', message = '', details } = body
  return new ApiError({ code, reason, message, ...(details === undefined ? {} : { details }) })
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

const pathOf = (kind: ResourceKind, namespace: string | undefined, name?: string, subresource?: string): string =>
  [
    kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`,
    ...(kind.namespaced && namespace !== undefined ? ['namespaces', namespace] : []),
    kind.plural,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ].join('/')

const withQuery = (
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

const writeQuery = ({ dryRun, fieldManager }: WriteOptions) => ({
  dryRun: dryRun === true ? 'All' : undefined,
  fieldManager,
})

/**
 * A client that speaks the wire protocol without Kerf's own client, because a test must not repeat the mistakes of the code under test.
 * Never retries, and has no caches.
 */
export class PlainClient implements KubeClient {
  readonly #access: HttpAccess

  constructor(access: HttpAccess) {
    this.#access = access
  }

  async #call<T>(call: HttpCall): Promise<T> {
    const { status, body } = await callHttp(this.#access, call)
    if (status >= 400 || status < 200) throw errorOf(status, body)
    return body as T
  }

  get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options: CallOptions = {}): Promise<T> {
    return this.#call({ path: pathOf(kind, ref.namespace, ref.name), ...options })
  }

  list<T extends KubeObject>(kind: ResourceKind<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const { namespace, labelSelector, fieldSelector, limit, resourceVersion, continue: token } = options
    const query = { labelSelector, fieldSelector, limit, resourceVersion, continue: token }
    return this.#call({ path: withQuery(pathOf(kind, namespace), query) })
  }

  async *watch<T extends KubeObject>(kind: ResourceKind<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    const { namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds, signal } = options
    const query = {
      watch: true,
      allowWatchBookmarks: true,
      labelSelector,
      fieldSelector,
      resourceVersion,
      timeoutSeconds,
    }
    const path = withQuery(pathOf(kind, namespace), query)
    for await (const line of streamHttp(this.#access, { path, ...(signal === undefined ? {} : { signal }) })) {
      if (isStatus(line)) throw errorOf(line.code, line)
      const event = line as { readonly type: string; readonly object: T }
      switch (event.type) {
        case 'ERROR':
          throw errorOf(500, event.object)
        case 'BOOKMARK':
          yield { type: 'BOOKMARK', resourceVersion: event.object.metadata.resourceVersion ?? '' }
          break
        case 'ADDED':
        case 'MODIFIED':
        case 'DELETED':
          yield { type: event.type, object: event.object }
          break
        default:
          throw new Error(`unknown watch event ${event.type}`)
      }
    }
  }

  create<T extends KubeObject>(kind: ResourceKind<T>, object: NewObject<T>, options: WriteOptions = {}): Promise<T> {
    const { subresource } = options
    const name = subresource === undefined ? undefined : object.metadata.name
    const path = withQuery(pathOf(kind, object.metadata.namespace, name, subresource), writeQuery(options))
    return this.#call({ method: 'POST', path, body: object })
  }

  update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { name, namespace } = object.metadata
    const path = withQuery(pathOf(kind, namespace, name, options.subresource), writeQuery(options))
    return this.#call({ method: 'PUT', path, body: object })
  }

  patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const force = patch.type === 'apply' ? patch.force : undefined
    const path = withQuery(pathOf(kind, ref.namespace, ref.name, options.subresource), {
      ...writeQuery(options),
      force,
    })
    return this.#call({ method: 'PATCH', path, body: patch.body, headers: { 'content-type': patchTypes[patch.type] } })
  }

  async delete<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    options: DeleteOptions = {},
  ): Promise<void> {
    const { signal: _, ...body } = options
    await this.#call({ method: 'DELETE', path: pathOf(kind, ref.namespace, ref.name), body })
  }

  async evict(pod: Required<ObjectRef>, options: DeleteOptions = {}): Promise<void> {
    const { signal: _, ...deleteOptions } = options
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: pod, deleteOptions }
    await this.#call({ method: 'POST', path: `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/eviction`, body })
  }

  async bind(pod: Required<ObjectRef>, nodeName: string): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: pod,
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    }
    await this.#call({ method: 'POST', path: `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/binding`, body })
  }

  raw(path: string, options: CallOptions = {}): Promise<unknown> {
    return this.#call({ path, ...options })
  }
}
