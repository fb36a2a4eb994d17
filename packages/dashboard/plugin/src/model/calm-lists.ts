import { isSettled, type Lists, type LiveSnapshot } from './live-lists.ts'
import { Throttle, type Timers } from './throttle.ts'

/**
 * Forwards the lists of another source with less frequent updates. A change after a pause and the end of loading are
 * published at once. Otherwise there is at most one update per `every` milliseconds.
 */
export class CalmLists<Name extends string> implements Lists<Name> {
  readonly #source: Lists<Name>
  readonly #listeners = new Set<() => void>()
  readonly #throttle: Throttle
  #snapshot: LiveSnapshot<Name>
  #leave: () => void = () => undefined

  constructor(source: Lists<Name>, every: number, timers: Timers) {
    this.#source = source
    this.#snapshot = source.snapshot()
    this.#throttle = new Throttle(() => this.#publish(), every, timers)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) {
      this.#leave = this.#source.subscribe(() => this.#hear())
      this.#snapshot = this.#source.snapshot()
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#leave()
      this.#throttle.stop()
    }
  }

  readonly snapshot = (): LiveSnapshot<Name> => this.#snapshot

  want(names: readonly Name[]): () => void {
    return this.#source.want(names)
  }

  #hear(): void {
    const now = this.#source.snapshot()
    if (now === this.#snapshot) return
    const isAwaited = (name: Name): boolean => {
      const known = this.#snapshot.get(name)
      return known === undefined || !isSettled(known)
    }
    if ([...now].some(([name, list]) => isSettled(list) && isAwaited(name))) this.#publish()
    else this.#throttle.ask()
  }

  #publish(): void {
    this.#snapshot = this.#source.snapshot()
    for (const listener of this.#listeners) listener()
  }
}
