import type { KubeObject } from '@kerf/apis'
import { SortedKeys } from './sorted-keys.ts'
import { statusErrors } from './status-errors.ts'

export type Revision = number

/** One change of one object. If the object was deleted, `object` is its last state with the revision of the deletion. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: Revision
  readonly object: KubeObject
  readonly before?: KubeObject
}

/** Returns `namespace/name`, or `name` for a cluster-scoped object. */
export const collectionKey = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`

/**
 * The objects of one resource and their recent changes. Objects are frozen and shared with every reader. Keys stay
 * sorted, as in etcd, so lists and pages have a stable order.
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

  /** `since` is the revision at which this collection was created. `historyLimit` is the number of changes that a watch may lag behind. */
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

  /** Returns a snapshot of all objects, or only those in `namespace`, sorted by key. */
  list(namespace?: string): KubeObject[] {
    const out: KubeObject[] = []
    // The character '0' follows '/', so this key is greater than every key in the namespace.
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

  /** Removes the object. Watches receive `last`, its final state. */
  remove(key: string, last: KubeObject, revision: Revision): void {
    const before = this.objects.get(key)
    if (before === undefined) return
    this.objects.delete(key)
    this.keys.delete(key)
    this.record({ type: 'DELETED', revision, object: last, before })
  }

  /** Drops the changes up to `revision`. Afterwards, a watch can no longer resume from an earlier revision. */
  compact(revision: Revision): void {
    if (revision <= this.compacted) return
    this.forget(this.indexAfter(revision))
    this.compacted = revision
  }

  /** Ends every watch, because the API no longer serves the resource. */
  end(): void {
    this.ended = true
    this.wake()
  }

  get isEnded(): boolean {
    return this.ended
  }

  /** Returns the cursor of the first change after `revision`. Throws 410 if that change has already been dropped. */
  cursorAfter(revision: Revision): number {
    if (revision < this.compacted) throw statusErrors.expired(revision, this.compacted)
    return this.firstChange + this.indexAfter(revision)
  }

  /** The cursor after the newest change. */
  get newest(): number {
    return this.firstChange + this.changes.length
  }

  /** Returns the change at a cursor, or `undefined` if there is none yet. Throws 410 if the change has already been dropped. */
  changeAt(cursor: number): StoredChange | undefined {
    if (cursor < this.firstChange) throw statusErrors.expired(0, this.compacted)
    return this.changes[cursor - this.firstChange]
  }

  /** Calls `wake` once, at the next change or when the watches end. Returns a function that cancels the call. */
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
