import type { KubeObject } from '@kerf/apis'
import { SortedKeys } from './sorted-keys.ts'
import { statusErrors } from './status-errors.ts'

export type Revision = number

/** One change of one object. `object` of a deletion is the last state, with the revision of its deletion. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: Revision
  readonly object: KubeObject
  readonly before?: KubeObject
}

/** `namespace/name`, or `name` of a cluster-scoped object. */
export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`

/**
 * The objects of one resource and the changes that led there. Objects are frozen and shared with every reader. Keys stay
 * sorted, as etcd's do, so lists and pages have a stable order.
 */
export class Collection {
  private readonly objects = new Map<string, KubeObject>()
  private readonly keys = new SortedKeys()
  private readonly changes: StoredChange[] = []
  private readonly historyLimit: number
  private firstChange = 0
  private compacted: Revision
  private waiting = new Set<() => void>()
  private ended = false

  /** `since`: the revision at which this collection came to be; `historyLimit`: how many changes a watch may lag. */
  constructor(since: Revision, historyLimit: number) {
    this.compacted = since
    this.historyLimit = historyLimit
  }

  get size(): number {
    return this.objects.size
  }

  get(key: string): KubeObject | undefined {
    return this.objects.get(key)
  }

  /** Everything, or what is in one namespace, in the order of the keys; a snapshot. */
  list(namespace?: string): KubeObject[] {
    const out: KubeObject[] = []
    // '0' follows '/' in the alphabet, so it begins the first key behind the namespace.
    const keys =
      namespace === undefined || namespace === ''
        ? this.keys.between()
        : this.keys.between(`${namespace}/`, `${namespace}0`)
    for (const key of keys) {
      const object = this.objects.get(key)
      if (object !== undefined) out.push(object)
    }
    return out
  }

  values(): Iterable<KubeObject> {
    return this.objects.values()
  }

  put(key: string, object: KubeObject, revision: Revision): void {
    const before = this.objects.get(key)
    this.objects.set(key, object)
    if (before === undefined) this.keys.add(key)
    this.record(
      before === undefined ? { type: 'ADDED', revision, object } : { type: 'MODIFIED', revision, object, before },
    )
  }

  /** Takes the object away; `last` is its final state, which watchers get. */
  remove(key: string, last: KubeObject, revision: Revision): void {
    const before = this.objects.get(key)
    if (before === undefined) return
    this.objects.delete(key)
    this.keys.delete(key)
    this.record({ type: 'DELETED', revision, object: last, before })
  }

  /** Forgets the changes up to `revision`: every watch that resumes from an older one has expired. */
  compact(revision: Revision): void {
    if (revision <= this.compacted) return
    this.forget(this.indexAfter(revision))
    this.compacted = revision
  }

  /** Ends every watch, because the resource is no longer served. */
  end(): void {
    this.ended = true
    this.wake()
  }

  get isEnded(): boolean {
    return this.ended
  }

  /** The cursor of the first change after `revision`; throws 410 when it has been forgotten. */
  cursorAfter(revision: Revision): number {
    if (revision < this.compacted) throw statusErrors.expired(revision, this.compacted)
    return this.firstChange + this.indexAfter(revision)
  }

  /** The cursor behind the newest change. */
  get newest(): number {
    return this.firstChange + this.changes.length
  }

  /** The change at a cursor, or undefined when there is none yet; throws 410 when it has been forgotten. */
  changeAt(cursor: number): StoredChange | undefined {
    if (cursor < this.firstChange) throw statusErrors.expired(0, this.compacted)
    return this.changes[cursor - this.firstChange]
  }

  /** Calls once, at the next change or at the end. Returns the way to take it back. */
  onNextChange(wake: () => void): () => void {
    this.waiting.add(wake)
    return () => this.waiting.delete(wake)
  }

  private record(change: StoredChange): void {
    this.changes.push(change)
    if (this.changes.length > this.historyLimit * 2) {
      const dropped = this.changes.length - this.historyLimit
      this.compacted = this.changes[dropped - 1]?.revision ?? this.compacted
      this.forget(dropped)
    }
    this.wake()
  }

  private indexAfter(revision: Revision): number {
    let low = 0
    let high = this.changes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.changes[middle]?.revision ?? 0) > revision) high = middle
      else low = middle + 1
    }
    return low
  }

  private forget(count: number): void {
    this.changes.splice(0, count)
    this.firstChange += count
  }

  private wake(): void {
    if (this.waiting.size === 0) return
    const waiting = this.waiting
    this.waiting = new Set()
    for (const wake of waiting) wake()
  }
}
