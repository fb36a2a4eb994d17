import type { KubeObject, Milliseconds } from '@kerf/apis'
import type { Clock, Informer, Key } from '@kerf/runtime'

/**
 * The maximum time to wait until a write appears in the informer. Afterwards, the controller continues, because a lost event must not stop
 * it permanently.
 */
const TIMEOUT: Milliseconds = 5 * 60_000

interface Pending {
  readonly created: Set<string>
  readonly deleted: Set<string>
  since: Milliseconds
}

/**
 * Tracks the children that a controller has created or deleted, until the informer shows these changes. Until then, the number of children
 * in the informer is wrong and must not be used. The change that fulfils the last expectation triggers the controller.
 */
export class Expectations {
  readonly #clock: Clock
  readonly #children: Informer
  readonly #pending = new Map<Key, Pending>()
  readonly #owners = new Map<string, Key>()

  constructor(clock: Clock, children: Informer) {
    this.#clock = clock
    this.#children = children
    children.onChange(({ before, after }) => this.#seen(before, after))
  }

  created(owner: Key, child: Key, object: KubeObject): void {
    const uid = object.metadata.uid
    if (uid === undefined || this.#children.get(child)?.metadata.uid === uid) return
    this.#of(owner, uid).created.add(uid)
  }

  deleted(owner: Key, child: Key, object: KubeObject): void {
    const uid = object.metadata.uid
    const seen = this.#children.get(child)
    if (uid === undefined || seen?.metadata.uid !== uid || seen.metadata.deletionTimestamp !== undefined) return
    this.#of(owner, uid).deleted.add(uid)
  }

  /** Returns whether the informer shows all creations and deletions that this controller made for `owner`. */
  met(owner: Key): boolean {
    const pending = this.#pending.get(owner)
    if (pending === undefined) return true
    const outstanding = pending.created.size + pending.deleted.size
    if (outstanding > 0 && this.#clock.monotonic() - pending.since <= TIMEOUT) return false
    this.forget(owner)
    return true
  }

  forget(owner: Key): void {
    const pending = this.#pending.get(owner)
    if (pending === undefined) return
    for (const uid of pending.created) this.#owners.delete(uid)
    for (const uid of pending.deleted) this.#owners.delete(uid)
    this.#pending.delete(owner)
  }

  #of(owner: Key, uid: string): Pending {
    let pending = this.#pending.get(owner)
    if (pending === undefined) {
      pending = { created: new Set(), deleted: new Set(), since: 0 }
      this.#pending.set(owner, pending)
    }
    pending.since = this.#clock.monotonic()
    this.#owners.set(uid, owner)
    return pending
  }

  #seen(before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (this.#owners.size === 0) return
    for (const object of [before, after]) {
      const uid = object?.metadata.uid
      const owner = uid === undefined ? undefined : this.#owners.get(uid)
      if (uid === undefined || owner === undefined) continue
      const pending = this.#pending.get(owner)
      pending?.created.delete(uid)
      const leaving = after?.metadata.uid !== uid || after.metadata.deletionTimestamp !== undefined
      if (leaving) pending?.deleted.delete(uid)
      if (!pending?.created.has(uid) && !pending?.deleted.has(uid)) this.#owners.delete(uid)
    }
  }
}
