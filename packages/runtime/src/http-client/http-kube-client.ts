import {
  groupVersion,
  type KubeList,
  type KubeObject,
  kinds,
  type Milliseconds,
  type NewObject,
  parseTime,
  type ResourceKind,
} from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import type { ServerTimeObserver } from '../clock/server-time.ts'
import type { Connection } from '../connection/connection.ts'
import { type LongTasks, sharedLongTasks } from '../event-loop/long-tasks.ts'
import { ApiError, isExpired } from '../kube-client/api-error.ts'
import type {
  CallOptions,
  DeleteOptions,
  KubeClient,
  ListOptions,
  ObjectRef,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../kube-client/kube-client.ts'
import type { WriteGate } from '../kube-client/write-gate.ts'
import type { Rate } from '../limits/token-bucket.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Random } from '../random/random.ts'
import { RequestMetrics, type RequestSubject } from './request-metrics.ts'
import { type ApiRequest, Requester } from './requester.ts'
import { resourcePath, withQuery } from './resource-path.ts'
import type { SilenceLimits } from './silent-connection.ts'
import { eventsOf } from './watch-stream.ts'

export interface HttpKubeClientOptions {
  readonly connection: Connection
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics?: Metrics
  /** The rate limit. Default 200 requests per second with bursts of 300, as in upstream (`docs/spec/settings.md#core-settings`). */
  readonly rate?: Rate
  /** The user agent. Default `karpenter`. */
  readonly userAgent?: string
  /** The environment with the proxy variables. Without it, the client uses no proxy. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** See `RequesterOptions`. */
  readonly answerTimeout?: Milliseconds
  /** Receives the server's time from responses. */
  readonly serverTime?: ServerTimeObserver
  /**
   * Whether to use HTTP/1.1 even if the server offers HTTP/2. A request that times out then closes its connection, and the next request
   * opens a new one. Default false.
   */
  readonly http1Only?: boolean
  /** The limits after which a connection counts as silent. Tests use shorter times. */
  readonly silence?: SilenceLimits
  /** Checked before each attempt of a request that changes something. Without a gate, every request is sent. */
  readonly gate?: WriteGate
}

const DEFAULT_RATE: Rate = { qps: 200, burst: 300 }
/** The name under which Kerf owns the fields that it applies. */
const FIELD_MANAGER = 'karpenter'
/** The number of objects per page if a caller lists without a limit. */
const PAGE = 500

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const satisfies Record<Patch['type'], string>

/** The Kubernetes API over HTTP. */
export class HttpKubeClient implements KubeClient {
  readonly #requester: Requester
  readonly #server: string
  readonly #clock: Clock
  readonly #serverTime: ServerTimeObserver | undefined
  readonly #tasks: LongTasks | undefined

  constructor(options: HttpKubeClientOptions) {
    const { connection, clock, random, logger, metrics, rate = DEFAULT_RATE, serverTime } = options
    this.#server = connection.server
    this.#clock = clock
    this.#serverTime = serverTime
    this.#tasks = metrics && sharedLongTasks({ metrics, clock })
    this.#requester = new Requester({
      connection,
      clock,
      random,
      logger,
      rate,
      ...(metrics && { metrics: new RequestMetrics(metrics) }),
      userAgent: options.userAgent ?? 'karpenter',
      env: options.env ?? {},
      answerTimeout: options.answerTimeout,
      http1Only: options.http1Only,
      silence: options.silence,
      gate: options.gate,
      ...(serverTime !== undefined && { serverTime }),
    })
  }

  /** The server's address in the form `https://host:port`. */
  get server(): string {
    return this.#server
  }

  /** Closes every connection, including those of watches. */
  close(): Promise<void> {
    return this.#requester.close()
  }

  async get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: CallOptions): Promise<T> {
    requireNamespace(kind, ref.namespace)
    return this.#call(subject('get', kind), { method: 'GET', path: resourcePath(kind, ref), signal: options?.signal })
  }

  async list<T extends KubeObject>(kind: ResourceKind<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    if (options.limit !== undefined || options.resourceVersion !== undefined) return this.#page(kind, options)
    const first = await this.#page(kind, { ...options, limit: PAGE })
    const items = [...first.items]
    let metadata = first.metadata
    while (metadata.continue) {
      let page: KubeList<T>
      try {
        page = await this.#page(kind, { ...options, limit: PAGE, continue: metadata.continue })
      } catch (error) {
        // The snapshot of the pages has expired because of compaction, so the client lists all objects in one request.
        if (!isExpired(error) || options.continue !== undefined) throw error
        return this.#page(kind, options)
      }
      for (const item of page.items) items.push(item)
      metadata = page.metadata
    }
    return { ...first, metadata, items }
  }

  async *watch<T extends KubeObject>(kind: ResourceKind<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    const { namespace, signal, labelSelector, fieldSelector, resourceVersion } = options
    const longest = this.#requester.longestWatch ?? Number.POSITIVE_INFINITY
    const seconds = Math.min(longest, options.timeoutSeconds ?? Number.POSITIVE_INFINITY)
    const timeoutSeconds = Number.isFinite(seconds) ? seconds : undefined
    const query = {
      watch: true,
      allowWatchBookmarks: true,
      labelSelector,
      fieldSelector,
      resourceVersion,
      timeoutSeconds,
    }
    const path = withQuery(resourcePath(kind, { namespace }), query)
    const body = await this.#requester.send({
      method: 'GET',
      path,
      signal,
      watch: true,
      subject: subject('watch', kind),
    })
    yield* eventsOf<T>(this.#requester.chunks(body, signal))
  }

  async create<T extends KubeObject>(
    kind: ResourceKind<T>,
    object: NewObject<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace, name } = object.metadata
    requireNamespace(kind, namespace)
    const { subresource } = options
    const target = subresource !== undefined && name !== undefined ? { namespace, name, subresource } : { namespace }
    const sentAt = this.#clock.monotonic()
    const made = await this.#write('create', 'POST', kind, resourcePath(kind, target), object, options)
    const createdAt = subresource === undefined ? parseTime(made.metadata?.creationTimestamp) : undefined
    if (createdAt !== undefined) this.#serverTime?.observeCreation(createdAt, sentAt)
    return made
  }

  async update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name = '' } = object.metadata
    requireNamespace(kind, namespace)
    const path = resourcePath(kind, { namespace, name, subresource: options.subresource })
    return this.#write('update', 'PUT', kind, path, object, options)
  }

  async patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    requireNamespace(kind, ref.namespace)
    const isApply = patch.type === 'apply'
    const query = {
      ...queryOf(options),
      fieldManager: options.fieldManager ?? (isApply ? FIELD_MANAGER : undefined),
      force: isApply ? (patch.force ?? false) : undefined,
    }
    return this.#call(subject('patch', kind, options.subresource), {
      method: 'PATCH',
      path: withQuery(resourcePath(kind, { ...ref, subresource: options.subresource }), query),
      body: isApply ? { apiVersion: groupVersion(kind), kind: kind.kind, ...patch.body } : patch.body,
      contentType: PATCH_TYPES[patch.type],
      signal: options.signal,
    })
  }

  async delete<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: DeleteOptions): Promise<void> {
    requireNamespace(kind, ref.namespace)
    await this.#call(subject('delete', kind), {
      method: 'DELETE',
      path: resourcePath(kind, ref),
      body: deleteBody(options),
      signal: options?.signal,
    })
  }

  async evict(pod: Required<ObjectRef>, options?: DeleteOptions): Promise<void> {
    const { name, namespace } = pod
    await this.#call(subject('create', kinds.Pod, 'eviction'), {
      method: 'POST',
      path: resourcePath(kinds.Pod, { name, namespace, subresource: 'eviction' }),
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: deleteBody(options),
      },
      signal: options?.signal,
      tooManyIsFinal: true,
    })
  }

  async bind(pod: Required<ObjectRef>, nodeName: string, options?: CallOptions): Promise<void> {
    const { name, namespace } = pod
    await this.#call(subject('create', kinds.Pod, 'binding'), {
      method: 'POST',
      path: resourcePath(kinds.Pod, { name, namespace, subresource: 'binding' }),
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace },
        target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
      },
      signal: options?.signal,
    })
  }

  async raw(path: string, options?: CallOptions): Promise<unknown> {
    const signal = options?.signal
    const about: RequestSubject = { verb: 'get', group: '', version: '', kind: '', subresource: '' }
    const body = await this.#requester.send({ method: 'GET', path, signal, subject: about })
    const text = await this.#requester.text(body, signal)
    try {
      return JSON.parse(text)
    } catch {
      // `/healthz` and similar paths return plain text.
      return text
    }
  }

  #page<T extends KubeObject>(kind: ResourceKind<T>, options: ListOptions): Promise<KubeList<T>> {
    const { namespace, signal, limit, labelSelector, fieldSelector, resourceVersion } = options
    const query = { limit, continue: options.continue, labelSelector, fieldSelector, resourceVersion }
    const path = withQuery(resourcePath(kind, { namespace }), query)
    return this.#call(subject('list', kind), { method: 'GET', path, signal })
  }

  #write<T extends KubeObject>(
    verb: string,
    method: 'POST' | 'PUT',
    kind: ResourceKind<T>,
    path: string,
    object: NewObject<T>,
    options: WriteOptions,
  ): Promise<T> {
    return this.#call(subject(verb, kind, options.subresource), {
      method,
      path: withQuery(path, queryOf(options)),
      // Objects from lists lack `apiVersion` and `kind`. The object of a subresource has its own values.
      body: { ...object, apiVersion: object.apiVersion ?? groupVersion(kind), kind: object.kind ?? kind.kind },
      signal: options.signal,
    })
  }

  async #call<A>(about: RequestSubject, request: Omit<ApiRequest, 'subject'>): Promise<A> {
    const body = await this.#requester.send({ ...request, subject: about })
    const text = await this.#requester.text(body, request.signal)
    const parse = (): A => JSON.parse(text)
    try {
      return this.#tasks === undefined ? parse() : this.#tasks.run(`decode.${about.kind}`, parse)
    } catch (cause) {
      const message = `${this.#server} answered ${request.method} ${request.path.split('?')[0]} with something that is not JSON`
      throw new ApiError({ code: 0, reason: 'MalformedAnswer', message }, { cause })
    }
  }
}

const subject = <T extends KubeObject>(verb: string, kind: ResourceKind<T>, subresource = ''): RequestSubject => ({
  verb,
  group: kind.group,
  version: kind.version,
  kind: kind.kind,
  subresource,
})

const queryOf = (options: WriteOptions): Record<string, string | undefined> => ({
  dryRun: options.dryRun === true ? 'All' : undefined,
  fieldManager: options.fieldManager,
})

const deleteBody = (options: DeleteOptions = {}): object => {
  const { gracePeriodSeconds, preconditions, propagationPolicy } = options
  return { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds, preconditions, propagationPolicy }
}

const requireNamespace = <T extends KubeObject>(kind: ResourceKind<T>, namespace: string | undefined): void => {
  if (!kind.namespaced || namespace) return
  const message = `a ${kind.kind} is named with its namespace`
  throw new ApiError({ code: 400, reason: 'BadRequest', message })
}
