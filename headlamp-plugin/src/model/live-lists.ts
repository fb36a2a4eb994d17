import { Throttle, type Timers } from './throttle.ts'

/** One list as it is known: no items yet, or with what keeps it from being read. */
export interface LiveList {
  readonly items: readonly unknown[] | null
  readonly error?: unknown
  /** There may be more than this: the list is of some namespaces or clusters alone. Absent where it is all that there is. */
  readonly isPart?: boolean
}

/** Lists of several places as one. It is a part where a place is not known, or where these are not `all` places that there are. */
export const joinLists = (parts: readonly LiveList[], areAll: boolean): LiveList => {
  const isPart = !areAll || parts.some(({ items }) => items === null)
  return {
    items: parts.every(({ items }) => items === null) ? null : parts.flatMap(({ items }) => items ?? []),
    error: parts.find(({ error }) => error !== undefined)?.error,
    ...(isPart ? { isPart } : {}),
  }
}

/** What is known of all lists that somebody wants, at one moment. */
export type LiveSnapshot<Name extends string> = ReadonlyMap<Name, LiveList>

/** Whether there is nothing left to wait for. */
export const isSettled = ({ items, error }: LiveList): boolean =>
  items !== null || (error !== null && error !== undefined)

/** What readers of lists need of them. */
export interface Lists<Name extends string> {
  readonly subscribe: (listener: () => void) => () => void
  /** The same object until something is published. */
  readonly snapshot: () => LiveSnapshot<Name>
  /** Wants lists until the function it gives is called. */
  want(names: readonly Name[]): () => void
}

/** So long the other lists wait for the first: one that is refused is asked for again for seconds before its reader hears of it. */
const LONGEST_WAIT = 400

/** The snapshot that a reader of some lists had before, as long as none of these changed. */
export const unchangedFor = <Name extends string>(
  before: LiveSnapshot<Name> | undefined,
  now: LiveSnapshot<Name>,
  names: readonly Name[],
): LiveSnapshot<Name> =>
  before !== undefined && names.every((name) => before.get(name) === now.get(name)) ? before : now

/**
 * Lists that change many times a second, for pages that compute with all of them: their readers see them together, at once
 * while they load and then at most once in `every` milliseconds. Which lists are read follows from who wants them: those that a page
 * is of use with (`first`) before all others, so that thousands of pods hold up no first drawing.
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
  /** Ends the wait for the first lists. */
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
  /** The lists to read now; the same object while these are the same. */
  readonly names = (): readonly Name[] => this.#names

  /** A list that nobody wants any more is forgotten. */
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
    // What was begun goes on, whatever is wanted besides.
    const names =
      this.#isWaitOver || first.every((name) => this.#isSettled(name))
        ? wanted
        : wanted.filter((name) => first.includes(name) || this.#names.includes(name))
    if (names.join() === this.#names.join()) return
    this.#names = names
    for (const listener of this.#listeners) listener()
  }

  /** A list has changed; it is read when it is published. */
  put(name: Name, read: () => LiveList): void {
    const known = this.#lists.get(name)
    this.#changed.set(name, read)
    // What a page waits for is not held back.
    if (known === undefined || !isSettled(known)) {
      this.#publish()
      this.#rename()
    } else this.#throttle.ask()
  }

  #isSettled(name: Name): boolean {
    const list = this.#lists.get(name)
    return list !== undefined && isSettled(list)
  }

  /** Whether it is another list than before. */
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

  /** How many read it and which lists they want: for tests that look for what is left behind. */
  get held(): { readonly listeners: number; readonly lists: number } {
    return { listeners: this.#listeners.size, lists: this.#lists.size }
  }
}
