import type { KubeObject, Milliseconds, ResourceKind } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import { type LongTasks, sharedLongTasks } from '../event-loop/long-tasks.ts'
import type { Key } from '../key.ts'
import { ApiError, isExpired, isForbidden, isNotFound } from '../kube-client/api-error.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import { Backoff } from '../limits/backoff.ts'
import { RefusedAction } from '../limits/refused-action.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Random } from '../random/random.ts'
import { informerKey } from './key-of.ts'
import type { Mirror } from './mirror.ts'
import type { Projection } from './projection.ts'
import { compareResourceVersions } from './resource-version.ts'

export interface ReflectorOptions<T extends KubeObject> {
  readonly kind: ResourceKind<T>
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly project: Projection<T>
  /** Receives metrics for slow processing of lists and for refused lists. */
  readonly metrics?: Metrics
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The number of objects per page of the list. Default 500, as in client-go. */
  readonly pageSize?: number
  /**
   * Returns whether Kerf works without this resource kind. If it does, Kerf logs a 403 once, and retries the list after a second, with a
   * back-off of up to five minutes. If the kind is not installed, Kerf logs this once, and retries the list every minute. By default the
   * kind is required.
   */
  readonly isOptional?: () => boolean
}

/** As in client-go's reflector: 0.8 s, doubling up to 30 s, with a random addition of up to 100 %. */
const BACKOFF = { base: 800, max: 30_000, jitter: 1 }
/** Each watch requests a random duration between this many seconds and twice as many, so that watches do not all end at once. */
const SHORTEST_WATCH_SECONDS = 300
/** The time that a watch may last beyond its requested duration. After that, it is treated as stalled. */
const WATCH_GRACE: Milliseconds = 30_000
/** A watch that ends before this time and without an event is treated as failed. */
const BRIEF: Milliseconds = 1_000
/** After a refusal, a watch that has been open for this time is treated as allowed. */
const ALLOWED_AFTER: Milliseconds = 5_000
/** How often Kerf checks whether an optional kind has been installed. */
const MISSING_RETRY: Milliseconds = 60_000
/** How many objects of a list are applied before other work may run. Every listener is called for each of them. */
const ITEMS_PER_TURN = 100
/** How many lists with an older resourceVersion Kerf refuses. After that, Kerf assumes that the server was restored from a backup. */
const STALE_LISTS_REFUSED = 3

class StaleList extends Error {}

export interface ReflectorListener {
  /** Called after each list. */
  listed(): void
  /** Called after each change of `isRefused`. */
  refusalChanged(): void
}

/** Returns whether a watch can resume from the last resourceVersion after this error. All other errors require a new list. */
const canResume = (error: unknown): boolean =>
  error instanceof ApiError && (error.reason === 'Unreachable' || error.code === 429 || error.code >= 500)

/**
 * Keeps the objects of a resource kind in sync with the server. It lists in pages, and then watches from the last resourceVersion. It
 * recovers from every error: after a lost connection it resumes, after an expired version or a line that cannot be parsed it lists again,
 * and after repeated errors it backs off.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>
  readonly #mirror: Mirror<T>
  readonly #listener: ReflectorListener
  readonly #backoff: Backoff
  /** The resourceVersion at which the next watch starts, or absent if a list comes next. */
  #position: string | undefined
  /** The newest resourceVersion seen so far. */
  #newest = ''
  readonly #tasks: LongTasks | undefined
  #staleLists = 0
  #listInOnePiece = false
  readonly #refusal: RefusedAction
  #isMissing = false

  constructor(options: ReflectorOptions<T>, mirror: Mirror<T>, listener: ReflectorListener) {
    this.#options = options
    this.#mirror = mirror
    this.#listener = listener
    this.#backoff = new Backoff(BACKOFF, options.random)
    const { clock, random, metrics, kind } = options
    const action = `list and watch ${kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`}`
    this.#tasks = metrics && sharedLongTasks({ metrics, clock })
    this.#refusal = new RefusedAction({ clock, random, metrics, action })
  }

  /** Whether the API server does not serve the resource kind, or refuses to list or watch it. Always false if the kind is not optional. */
  get isRefused(): boolean {
    return this.#refusal.isRefused || this.#isMissing
  }

  /** Runs until aborted. Does not throw. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let wait = 0
      try {
        if (this.#position === undefined) await this.#list(signal)
        const useful = await this.#watch(signal)
        this.#allowed()
        if (useful) this.#backoff.reset()
        else wait = this.#backoff.next()
      } catch (error) {
        if (signal.aborted) return
        if (!canResume(error)) this.#position = undefined
        if (this.#options.isOptional?.() === true && isForbidden(error)) {
          this.#refused(error)
          wait = this.#refusal.wait
        } else if (this.#options.isOptional?.() === true && isNotFound(error)) {
          this.#missing()
          wait = MISSING_RETRY
        } else {
          wait = this.#backoff.next()
          this.#report(error, wait)
        }
      }
      if (wait > 0) await sleep(this.#options.clock, wait, signal).catch(() => {})
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, clock, kind, namespace, labelSelector, fieldSelector } = this.#options
    const unseen = new Set<Key>(this.#mirror.keys())
    let token: string | undefined
    let version: string | undefined
    do {
      const page = await client
        .list(kind, {
          signal,
          ...(namespace !== undefined && { namespace }),
          ...(labelSelector !== undefined && { labelSelector }),
          ...(fieldSelector !== undefined && { fieldSelector }),
          ...(!this.#listInOnePiece && { limit: this.#options.pageSize ?? 500 }),
          ...(token !== undefined && { continue: token }),
        })
        .catch((error: unknown) => {
          // The snapshot of the pages has expired. Another list in pages might fail in the same way every time.
          if (token !== undefined && isExpired(error)) this.#listInOnePiece = true
          throw error
        })
      version = page.metadata.resourceVersion ?? ''
      this.#refuseStale(version)
      for (let place = 0; place < page.items.length; place += ITEMS_PER_TURN) {
        if (place > 0) await sleep(clock, 0, signal)
        this.#take(page.items.slice(place, place + ITEMS_PER_TURN), unseen)
      }
      token = page.metadata.continue === '' ? undefined : page.metadata.continue
    } while (token !== undefined)
    for (const key of unseen) this.#mirror.remove(key)
    this.#listInOnePiece = false
    this.#staleLists = 0
    this.#position = version
    this.#newest = version
    this.#listener.listed()
    if (!this.#isMissing) return
    this.#isMissing = false
    this.#listener.refusalChanged()
  }

  /** Applies some objects of a list, and removes their keys from `unseen`. */
  #take(items: readonly T[], unseen: Set<Key>): void {
    const { kind, project } = this.#options
    const work = (): void => {
      for (const item of items) {
        const object = project(named(kind, item))
        unseen.delete(informerKey(object))
        this.#mirror.upsert(object)
      }
    }
    if (this.#tasks === undefined) work()
    else this.#tasks.run(`list.${kind.plural}`, work)
  }

  /** Throws if a list is older than the stored objects. The list is then repeated, because a server that lags will catch up. */
  #refuseStale(version: string): void {
    if (compareResourceVersions(version, this.#newest) >= 0) return
    if (++this.#staleLists <= STALE_LISTS_REFUSED) {
      throw new StaleList(`the list is at version ${version}, older than ${this.#newest}, which was seen before`)
    }
    // The server does not lag; it was restored from a backup. Kerf accepts its state, which replaces the stored objects.
    this.#options.logger.warn('the resource version of the API server went backwards; using its older state', {
      kind: this.#options.kind.kind,
      from: this.#newest,
      to: version,
    })
    for (const key of [...this.#mirror.keys()]) this.#mirror.remove(key)
    this.#newest = ''
  }

  /** Runs one watch until it ends. Returns whether the watch was successful. */
  async #watch(signal: AbortSignal): Promise<boolean> {
    const { client, clock, kind, random, namespace, labelSelector, fieldSelector } = this.#options
    const timeoutSeconds = Math.floor(SHORTEST_WATCH_SECONDS * (1 + random.next()))
    const stalled = new AbortController()
    const stop = (): void => stalled.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const deadline = clock.timer(timeoutSeconds * 1_000 + WATCH_GRACE, () => stalled.abort(new Error('watch stalled')))
    const allowed = this.isRefused ? clock.timer(ALLOWED_AFTER, () => this.#allowed()) : undefined
    const started = clock.monotonic()
    let events = 0
    try {
      const stream = client.watch(kind, {
        signal: stalled.signal,
        timeoutSeconds,
        ...(this.#position !== undefined && { resourceVersion: this.#position }),
        ...(namespace !== undefined && { namespace }),
        ...(labelSelector !== undefined && { labelSelector }),
        ...(fieldSelector !== undefined && { fieldSelector }),
      })
      for await (const event of stream) {
        events++
        if (event.type === 'BOOKMARK') this.#moveTo(event.resourceVersion)
        else {
          const { object } = event
          if (event.type === 'DELETED') this.#mirror.remove(informerKey(object), object.metadata.uid)
          else this.#mirror.upsert(this.#options.project(object))
          this.#moveTo(object.metadata.resourceVersion ?? '')
        }
        if (events === 1) this.#backoff.reset()
      }
    } catch (error) {
      if (signal.aborted || !stalled.signal.aborted) throw error
      this.#options.logger.debug('watch did not end in time, starting a new one', { kind: kind.kind, timeoutSeconds })
      return true
    } finally {
      deadline.cancel()
      allowed?.cancel()
      signal.removeEventListener('abort', stop)
    }
    return events > 0 || clock.monotonic() - started >= BRIEF
  }

  #moveTo(version: string): void {
    if (compareResourceVersions(version, this.#newest) <= 0) return
    this.#newest = version
    this.#position = version
  }

  #allowed(): void {
    if (this.#refusal.allowed()) this.#listener.refusalChanged()
  }

  #missing(): void {
    if (this.#isMissing) return
    this.#isMissing = true
    for (const key of [...this.#mirror.keys()]) this.#mirror.remove(key)
    const { kind, logger } = this.#options
    const name = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
    logger.info(`${name} is not installed; Kerf works as if there were no ${kind.kind}`, {
      kind: kind.kind,
    })
    this.#listener.refusalChanged()
  }

  #refused(error: ApiError): void {
    if (!this.#refusal.refused()) return
    const { kind, logger } = this.#options
    logger.warn(
      `cannot list and watch ${kind.plural}; features that use them are limited until list and watch are granted`,
      { kind: kind.kind, error },
    )
    this.#listener.refusalChanged()
  }

  #report(error: unknown, wait: Milliseconds): void {
    const { kind, logger } = this.#options
    const fields = { kind: kind.kind, error, retryInSeconds: Math.round(wait / 100) / 10 }
    // Single errors are normal, for example during a rolling update of the API server or after a compaction.
    if (this.#backoff.failures < 3) logger.debug('list or watch failed, retrying', fields)
    else if (error instanceof ApiError && error.code === 404) {
      logger.error(
        `the API server does not serve ${kind.plural}.${kind.group}; are the custom resources installed?`,
        fields,
      )
    } else logger.error('list or watch keeps failing', fields)
  }
}

/** Adds `kind` and `apiVersion`, which a real server omits from the items of a list. */
const named = <T extends KubeObject>(kind: ResourceKind<T>, item: T): T =>
  item.kind === undefined || item.apiVersion === undefined
    ? { ...item, kind: kind.kind, apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}` }
    : item
