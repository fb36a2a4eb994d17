import type { LiveList } from './live-lists.ts'
import { at, nameOf, textAt } from './read.ts'
import type { Timers } from './throttle.ts'

/** Where a list is read and watched. */
export interface ListSource {
  list(): Promise<{ readonly items: readonly unknown[]; readonly version: string }>
  /** Tells each event after a version, and once that the watch is over, for whatever reason. Returns what ends it, untold. */
  watch(version: string, told: (event: unknown) => void, over: () => void): () => void
}

const FIRST_WAIT = 1_000
/** Also for what this user may not read: somebody may give the right while the page is open. */
const LONGEST_WAIT = 30_000

const keyOf = (object: unknown): string =>
  textAt(object, 'metadata', 'uid') ?? `${textAt(object, 'metadata', 'namespace') ?? ''}/${nameOf(object)}`

/**
 * A list that is kept as the API server has it: read once, then changed by the events of a watch. It is read anew when a watch ends
 * without a word or with an error, such as a version that is too old; what is known stays meanwhile. An event costs the same
 * however long the list is: the array is made when somebody looks.
 */
export class FollowedList {
  readonly #source: ListSource
  readonly #changed: () => void
  readonly #timers: Timers
  #objects: Map<string, unknown> | undefined
  #error: unknown
  #version = ''
  #now: LiveList | undefined
  #endWatch: (() => void) | undefined
  #timer: unknown
  #failures = 0
  #isStopped = false

  /** Begins at once. `changed` is called after each change, and not by the constructor. */
  constructor(source: ListSource, changed: () => void, timers: Timers) {
    this.#source = source
    this.#changed = changed
    this.#timers = timers
    this.#read()
  }

  /** The same object until something changes. */
  get now(): LiveList {
    this.#now ??= { items: this.#objects === undefined ? null : [...this.#objects.values()], error: this.#error }
    return this.#now
  }

  /** Leaves neither watch nor timer behind. */
  stop(): void {
    this.#isStopped = true
    this.#timers.clear(this.#timer)
    this.#endWatch?.()
    this.#endWatch = undefined
  }

  #read(): void {
    this.#source.list().then(
      ({ items, version }) => {
        if (this.#isStopped) return
        this.#objects = new Map(items.map((item) => [keyOf(item), item]))
        this.#error = undefined
        this.#version = version
        this.#watch()
        this.#tell()
      },
      (error: unknown) => {
        if (this.#isStopped) return
        this.#error = error
        this.#failures += 1
        this.#after(at(error, 'status') === 403 ? LONGEST_WAIT : this.#wait(), () => this.#read())
        this.#tell()
      },
    )
  }

  #watch(): void {
    let isHeard = false
    this.#endWatch = this.#source.watch(
      this.#version,
      (event) => {
        if (textAt(event, 'type') === 'ERROR') {
          this.#endWatch?.()
          this.#readAgain()
          return
        }
        isHeard = true
        this.#failures = 0
        this.#apply(textAt(event, 'type'), at(event, 'object'))
      },
      () => {
        if (this.#isStopped) return
        if (isHeard) this.#after(FIRST_WAIT, () => this.#watch())
        else this.#readAgain()
      },
    )
  }

  #readAgain(): void {
    this.#failures += 1
    this.#after(this.#wait(), () => this.#read())
  }

  #apply(type: string | undefined, object: unknown): void {
    this.#version = textAt(object, 'metadata', 'resourceVersion') ?? this.#version
    if (type === 'BOOKMARK' || at(object, 'metadata') === undefined) return
    if (type === 'DELETED') this.#objects?.delete(keyOf(object))
    else this.#objects?.set(keyOf(object), object)
    this.#tell()
  }

  #wait(): number {
    return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.#failures - 1))
  }

  #after(milliseconds: number, run: () => void): void {
    this.#timers.clear(this.#timer)
    this.#timer = this.#timers.set(run, milliseconds)
  }

  #tell(): void {
    this.#now = undefined
    this.#changed()
  }
}
