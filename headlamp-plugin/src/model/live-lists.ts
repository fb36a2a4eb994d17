import { Throttle, type Timers } from './throttle.ts'

/** One list as it is known: no items yet, or with what keeps it from being read. */
export interface LiveList {
  readonly items: readonly unknown[] | null
  readonly error?: unknown
}

/** What is known of all lists that somebody wants, at one moment. */
export type LiveSnapshot<Name extends string> = ReadonlyMap<Name, LiveList>

const isSettled = ({ items, error }: LiveList): boolean => items !== null || (error !== null && error !== undefined)

/**
 * Lists that change many times a second, for pages that compute with all of them: their readers see them together, at once
 * while they load and then at most once in `every` milliseconds. Which lists are read follows from who wants them.
 */
export class LiveLists<Name extends string> {
  readonly #lists = new Map<Name, LiveList>()
  readonly #wanted = new Map<Name, number>()
  readonly #listeners = new Set<() => void>()
  readonly #throttle: Throttle
  #snapshot: LiveSnapshot<Name> = new Map()
  #names: readonly Name[] = []

  constructor(every: number, timers: Timers) {
    this.#throttle = new Throttle(() => this.#publish(), every, timers)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#throttle.stop()
    }
  }
  /** The same object until something is published. */
  readonly snapshot = (): LiveSnapshot<Name> => this.#snapshot
  /** The lists that somebody wants; the same object while these are the same. */
  readonly names = (): readonly Name[] => this.#names

  /** Wants lists until the function it gives is called. A list that nobody wants any more is forgotten. */
  want(names: readonly Name[]): () => void {
    for (const name of names) this.#wanted.set(name, (this.#wanted.get(name) ?? 0) + 1)
    this.#rename()
    return () => {
      for (const name of names) {
        const left = (this.#wanted.get(name) ?? 1) - 1
        if (left > 0) this.#wanted.set(name, left)
        else {
          this.#wanted.delete(name)
          this.#lists.delete(name)
        }
      }
      this.#rename()
    }
  }

  #rename(): void {
    const names = [...this.#wanted.keys()].sort()
    if (names.join() === this.#names.join()) return
    this.#names = names
    for (const listener of this.#listeners) listener()
  }

  /** A list as it is now. */
  put(name: Name, list: LiveList): void {
    const known = this.#lists.get(name)
    if (known !== undefined && known.items === list.items && known.error === list.error) return
    this.#lists.set(name, list)
    // What a page waits for is not held back.
    if (known === undefined || !isSettled(known)) this.#publish()
    else this.#throttle.ask()
  }

  #publish(): void {
    this.#snapshot = new Map(this.#lists)
    for (const listener of this.#listeners) listener()
  }

  /** How many read it and which lists they want: for tests that look for what is left behind. */
  get held(): { readonly listeners: number; readonly lists: number } {
    return { listeners: this.#listeners.size, lists: this.#lists.size }
  }
}
