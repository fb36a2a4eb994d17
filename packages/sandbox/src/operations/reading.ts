import type { KubeList, KubeObject } from '@kerf/apis'
import type { Timer } from '@kerf/runtime'
import type { ApiState } from '../resources/api-state.ts'
import type { ListRequest, Selection, WatchRequest } from '../resources/request.ts'
import { apiVersionOfResource, type Resource, served } from '../resources/resource.ts'
import { type Collection, collectionKey, type Revision, type StoredChange } from '../store/collection.ts'
import { parseFieldSelector } from '../store/field-selector.ts'
import { parseLabelSelector } from '../store/label-selector.ts'
import { statusErrors } from '../store/status-errors.ts'

/** A result of a watch. `initialEventsEnd` marks the bookmark that ends the initial objects of a streaming list. */
export type ResourceEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd?: boolean }

const BOOKMARK_PERIOD = 60_000
/** How many milliseconds before its end a watch with a time limit gets its last bookmark, as with the real server. */
const LAST_BOOKMARK = 2_000
/** The maximum number of lists whose next page a client can still request. Older lists expire. */
const OPEN_LISTS = 64
const noLabels: Readonly<Record<string, string>> = Object.freeze({})

type Match = (object: KubeObject) => boolean

interface OpenList {
  readonly objects: readonly KubeObject[]
  readonly revision: Revision
}

/** Implements get, list and watch. */
export class Reading {
  private readonly state: ApiState
  private readonly openLists = new Map<string, OpenList>()

  constructor(state: ApiState) {
    this.state = state
  }

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject {
    const object = resource.collection.get(collectionKey(resource.namespaced ? namespace : undefined, name))
    if (object === undefined) throw statusErrors.notFound(resource, name)
    return served(resource, object)
  }

  list(resource: Resource, request: ListRequest): KubeList<KubeObject> {
    const match = this.matcher(resource, request)
    const kind = `${resource.kind}List`
    const apiVersion = apiVersionOfResource(resource)
    const { objects, from, revision } = this.openList(resource, request)
    const limit = request.limit !== undefined && request.limit > 0 ? request.limit : Number.POSITIVE_INFINITY
    const items: KubeObject[] = []
    let next = from
    for (; next < objects.length && items.length < limit; next++) {
      const object = objects[next]
      if (object === undefined) continue
      const shown = served(resource, object)
      if (match === undefined || match(shown)) items.push(shown)
    }
    const metadata = { resourceVersion: String(revision) }
    if (next >= objects.length) return { apiVersion, kind, metadata, items }
    const token = this.remember(resource, objects, revision, next)
    return {
      apiVersion,
      kind,
      metadata: {
        ...metadata,
        continue: token,
        ...(match === undefined ? { remainingItemCount: objects.length - next } : {}),
      },
      items,
    }
  }

  /** Starts a watch. Checks the selectors immediately. If the resourceVersion has expired, the first iteration step throws. */
  watch(resource: Resource, request: WatchRequest): AsyncGenerator<ResourceEvent, void, void> {
    return this.events(resource, request, this.matcher(resource, request))
  }

  /** Expires the remaining pages of lists that were started at this revision or earlier. */
  expireLists(revision: Revision): void {
    for (const [id, list] of this.openLists) if (list.revision <= revision) this.openLists.delete(id)
  }

  private async *events(
    resource: Resource,
    request: WatchRequest,
    match: Match | undefined,
  ): AsyncGenerator<ResourceEvent, void, void> {
    const { collection } = resource
    const { signal, namespace } = request
    const end = new WatchEnd(this.state, request)
    try {
      signal?.throwIfAborted()
      const resuming =
        request.resourceVersion !== undefined && request.resourceVersion !== '' && request.resourceVersion !== '0'
      let cursor: number
      if (resuming && request.sendInitialEvents !== true) {
        cursor = collection.cursorAfter(parseRevision(request.resourceVersion ?? ''))
      } else {
        cursor = collection.newest
        const revision = String(this.state.revision)
        if (request.sendInitialEvents !== false) {
          for (const object of collection.list(namespace)) {
            const shown = served(resource, object)
            if (match === undefined || match(shown)) yield { type: 'ADDED', object: shown }
          }
        }
        if (request.sendInitialEvents === true)
          yield { type: 'BOOKMARK', resourceVersion: revision, initialEventsEnd: true }
      }
      for (;;) {
        for (let change = collection.changeAt(cursor); change !== undefined; change = collection.changeAt(cursor)) {
          cursor++
          if (namespace !== undefined && namespace !== '' && change.object.metadata.namespace !== namespace) continue
          const object = served(resource, change.object)
          if (match === undefined) {
            yield { type: change.type, object }
            continue
          }
          const before = change.before !== undefined && match(served(resource, change.before))
          const after = change.type !== 'DELETED' && match(object)
          if (after) yield { type: before ? 'MODIFIED' : 'ADDED', object }
          else if (before)
            yield { type: 'DELETED', object: change.type === 'DELETED' ? object : leaving(resource, change) }
        }
        if (signal?.aborted) throw signal.reason
        if (end.timedOut || collection.isEnded) return
        const bookmark = await end.wait(collection)
        if (bookmark && collection.changeAt(cursor) === undefined)
          yield { type: 'BOOKMARK', resourceVersion: String(this.state.revision) }
      }
    } finally {
      end.close()
    }
  }

  private matcher(resource: Resource, selection: Selection): Match | undefined {
    const fields = parseFieldSelector(selection.fieldSelector, resource.selectable)
    const labelled = selection.labelSelector !== undefined && selection.labelSelector.trim() !== ''
    if (!labelled) return fields
    const labels = parseLabelSelector(selection.labelSelector)
    return (object) => labels(object.metadata.labels ?? noLabels) && (fields === undefined || fields(object))
  }

  private openList(resource: Resource, request: ListRequest): OpenList & { readonly from: number } {
    if (request.continue === undefined || request.continue === '') {
      const wanted = request.resourceVersion
      if (
        request.resourceVersionMatch === 'Exact' &&
        wanted !== undefined &&
        parseRevision(wanted) !== this.state.revision
      ) {
        throw statusErrors.expired(parseRevision(wanted), this.state.revision)
      }
      return {
        objects: resource.collection.list(resource.namespaced ? request.namespace : undefined),
        revision: this.state.revision,
        from: 0,
      }
    }
    const token = readToken(request.continue)
    const open = this.openLists.get(token.list)
    if (open === undefined) throw statusErrors.continueExpired()
    return { ...open, from: token.from }
  }

  private remember(resource: Resource, objects: readonly KubeObject[], revision: number, from: number): string {
    let list: string | undefined
    for (const [id, open] of this.openLists) if (open.objects === objects) list = id
    if (list === undefined) {
      list = `${revision}-${this.state.randomByKind(resource).text(8)}`
      this.openLists.set(list, { objects, revision })
      const [oldest] = this.openLists.keys()
      if (this.openLists.size > OPEN_LISTS && oldest !== undefined) this.openLists.delete(oldest)
    }
    return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', list, from })).toString('base64url')
  }
}

const readToken = (token: string): { list: string; from: number } => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      'list' in parsed &&
      'from' in parsed &&
      typeof parsed.list === 'string' &&
      typeof parsed.from === 'number'
    ) {
      return { list: parsed.list, from: parsed.from }
    }
  } catch {
    // The statement after this block throws the same error for every unreadable token.
  }
  throw statusErrors.badRequest('continue key is not valid: the token could not be read')
}

/** Parses a revision. Throws 400 if the text is not a number. */
const parseRevision = (text: string): number => {
  if (!/^\d+$/.test(text)) throw statusErrors.badRequest(`Invalid value: "${text}": resourceVersion must be a number`)
  return Number(text)
}

/**
 * Returns the object that a watch with a selector reports when an object ceases to match: its last matching state, with the
 * revision of the change.
 */
const leaving = (resource: Resource, { before, object }: StoredChange): KubeObject => {
  const last = served(resource, before ?? object)
  return { ...last, metadata: { ...last.metadata, ...versionOnly(object) } }
}

const versionOnly = ({ metadata: { resourceVersion } }: KubeObject) =>
  resourceVersion === undefined ? {} : { resourceVersion }

/** Wakes an idle watch when something changes, the watch is aborted or reaches its time limit, or a bookmark must be sent. */
class WatchEnd {
  timedOut = false
  private bookmarkDue = false
  private wake: (() => void) | undefined
  private bookmarks: Timer | undefined
  private readonly lastBookmark: Timer | undefined
  private readonly limit: Timer | undefined
  private readonly signal: AbortSignal | undefined
  private readonly onAbort = (): void => this.wake?.()

  constructor(state: ApiState, request: WatchRequest) {
    this.signal = request.signal
    this.signal?.addEventListener('abort', this.onAbort, { once: true })
    const wakeForBookmark = (): void => {
      this.bookmarkDue = true
      this.wake?.()
    }
    const tick = (): void => {
      this.bookmarks = state.clock.timer(BOOKMARK_PERIOD, tick)
      wakeForBookmark()
    }
    if (request.allowBookmarks === true) this.bookmarks = state.clock.timer(BOOKMARK_PERIOD, tick)
    if (request.timeoutSeconds !== undefined) {
      const last = request.timeoutSeconds * 1000 - LAST_BOOKMARK
      if (request.allowBookmarks === true && last > 0) this.lastBookmark = state.clock.timer(last, wakeForBookmark)
      this.limit = state.clock.timer(request.timeoutSeconds * 1000, () => {
        this.timedOut = true
        this.wake?.()
      })
    }
  }

  /** Resolves when the watch has something to do. The result is true if a bookmark is due. */
  wait(collection: Collection): Promise<boolean> {
    return new Promise((resolve) => {
      const forget = collection.onNextChange(() => this.wake?.())
      this.wake = () => {
        this.wake = undefined
        forget()
        const due = this.bookmarkDue
        this.bookmarkDue = false
        resolve(due)
      }
    })
  }

  close(): void {
    this.signal?.removeEventListener('abort', this.onAbort)
    this.bookmarks?.cancel()
    this.lastBookmark?.cancel()
    this.limit?.cancel()
  }
}
