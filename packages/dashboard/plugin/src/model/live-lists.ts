import { Throttle, type Timers } from './throttle.ts'

/** The state of one list: its items, if it is loaded, and its error. */
export interface LiveList {
  readonly items: readonly unknown[] | null
  readonly error?: unknown
  /** True if the list covers only some namespaces or clusters. */
  readonly isPart?: boolean
}

/**
 * Joins the lists of several namespaces or clusters. The result is partial if one list is unknown or if `areAll` is
 * false.
 */
export const joinLists = (parts: readonly LiveList[], areAll: boolean): LiveList => {
  const isPart = !areAll || parts.some(({ items }) => items === null)
  return {
    items: parts.every(({ items }) => items === null) ? null : parts.flatMap(({ items }) => items ?? []),
    error: parts.find(({ error }) => error !== undefined)?.error,
    ...(isPart ? { isPart } : {}),
  }
}

/** The states of all requested lists at one time. */
export type LiveSnapshot<Name extends string> = ReadonlyMap<Name, LiveList>

/** Returns whether loading has ended. */
export const isSettled = ({ items, error }: LiveList): boolean =>
  items !== null || (error !== null && error !== undefined)

/** The functions that the readers of lists use. */
export interface Lists<Name extends string> {
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the same object until a change is published. */
  readonly snapshot: () => LiveSnapshot<Name>
  /** Requests lists. Returns a function that withdraws the request. */
  want(names: readonly Name[]): () => void
}

/**
 * How long the other lists wait for the first ones, in milliseconds. A refused list is retried for seconds before its
 * reader is notified.
 */
const LONGEST_WAIT = 400

/** Returns the reader's earlier snapshot if none of its lists has changed. */
export const unchangedFor = <Name extends string>(
  before: LiveSnapshot<Name> | undefined,
  now: LiveSnapshot<Name>,
  names: readonly Name[],
): LiveSnapshot<Name> =>
  before !== undefined && names.every((name) => before.get(name) === now.get(name)) ? before : now

/**
 * Publishes lists that change many times a second to pages that use several of them. Readers see changes of all lists
 * together: at once while they load, and then at most once per `every` milliseconds. Reads only requested lists. The
 * lists in `first` load first, because pages are already useful with them and should not wait for thousands of pods.
 */
export class LiveLists<Name extends string> implements Lists<Name> {
  readonly #lists = new Map<Name, LiveList>()
  readonly #changed = new Map<Name, () => LiveList>()
  readonly #wanted = new Map<Name, number>()
  readonly #listeners = new Set<() => void>()
  readonly #throttle: Throttle
  #snapshot: LiveSnapshot<Name> = new Map()
  readonly #first: readonly Name[]
  readonly #timers: Timers
  /** The timer that ends the wait for the lists in `first`. */
  #wait: unknown
  #isWaitOver = false
  #names: readonly Name[] = []

  constructor(every: number, timers: Timers, first: readonly Name[] = []) {
    this.#first = first
    this.#timers = timers
    this.#throttle = new Throttle(() => this.#publish(), every, timers)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#throttle.stop()
    }
  }
  readonly snapshot = (): LiveSnapshot<Name> => this.#snapshot
  /** Returns the names of the lists to read now. Returns the same object while they are unchanged. */
  readonly names = (): readonly Name[] => this.#names

  /** Requests lists. Drops a list that no reader requests any more. */
  want(names: readonly Name[]): () => void {
    for (const name of names) this.#wanted.set(name, (this.#wanted.get(name) ?? 0) + 1)
    if (this.#first.length > 0 && this.#wait === undefined)
      this.#wait = this.#timers.set(() => {
        this.#isWaitOver = true
        this.#rename()
      }, LONGEST_WAIT)
    this.#rename()
    return () => {
      for (const name of names) {
        const left = (this.#wanted.get(name) ?? 1) - 1
        if (left > 0) this.#wanted.set(name, left)
        else {
          this.#wanted.delete(name)
          this.#lists.delete(name)
          this.#changed.delete(name)
        }
      }
      if (this.#wanted.size === 0) this.#beginAnew()
      this.#rename()
    }
  }

  #beginAnew(): void {
    this.#timers.clear(this.#wait)
    this.#wait = undefined
    this.#isWaitOver = false
  }

  #rename(): void {
    const wanted = [...this.#wanted.keys()].sort()
    const first = wanted.filter((name) => this.#first.includes(name))
    // Lists that have started to load continue to load, even if other lists are requested.
    const names =
      this.#isWaitOver || first.every((name) => this.#isSettled(name))
        ? wanted
        : wanted.filter((name) => first.includes(name) || this.#names.includes(name))
    if (names.join() === this.#names.join()) return
    this.#names = names
    for (const listener of this.#listeners) listener()
  }

  /** Reports a change of a list. `read` is called only when the change is published. */
  put(name: Name, read: () => LiveList): void {
    const known = this.#lists.get(name)
    this.#changed.set(name, read)
    // A list that readers wait for is published without delay.
    if (known === undefined || !isSettled(known)) {
      this.#publish()
      this.#rename()
    } else this.#throttle.ask()
  }

  #isSettled(name: Name): boolean {
    const list = this.#lists.get(name)
    return list !== undefined && isSettled(list)
  }

  /** Stores a list. Returns whether it has changed. */
  #take(name: Name, list: LiveList): boolean {
    const known = this.#lists.get(name)
    if (known !== undefined && known.items === list.items && known.error === list.error && known.isPart === list.isPart)
      return false
    this.#lists.set(name, list)
    return true
  }

  #publish(): void {
    const changed = [...this.#changed].filter(([name, read]) => this.#take(name, read()))
    this.#changed.clear()
    if (changed.length === 0) return
    this.#snapshot = new Map(this.#lists)
    for (const listener of this.#listeners) listener()
  }

  /** The number of readers and requested lists, for tests that look for leaks. */
  get held(): { readonly listeners: number; readonly lists: number } {
    return { listeners: this.#listeners.size, lists: this.#lists.size }
  }
}
