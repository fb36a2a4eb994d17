import type { LiveList } from './live-lists.ts'
import { at, objectName, textAt } from './read.ts'
import type { Timers } from './throttle.ts'

/** The functions that read and watch a list. */
export interface ListSource {
  list(): Promise<{ readonly items: readonly unknown[]; readonly version: string }>
  /**
   * Calls `onEvent` for each event that follows `version`. If the watch ends before the caller stops it, calls `over`
   * once. Returns a function that stops the watch without calling `over`.
   */
  watch(version: string, onEvent: (event: unknown) => void, over: () => void): () => void
}

const FIRST_WAIT = 1_000
/**
 * Maximum delay before a retry, in milliseconds. Forbidden lists are retried as well, because permission may be
 * granted while the page is open.
 */
const LONGEST_WAIT = 30_000

const objectKey = (object: unknown): string =>
  textAt(object, 'metadata', 'uid') ?? `${textAt(object, 'metadata', 'namespace') ?? ''}/${objectName(object)}`

/**
 * Keeps a list up to date with the API server: reads it once, then applies the events of a watch. If the watch ends without an event, or
 * with an error such as an expired version, reads the list again and keeps the known items until the new list is read. The cost of an event
 * does not depend on the length of the list, because the array is built only when it is accessed.
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
  /** The number of readings so far. Only the result of the latest reading is used. */
  #readings = 0

  /** Starts at once. Calls `changed` after each change, but never from the constructor. */
  constructor(source: ListSource, changed: () => void, timers: Timers) {
    this.#source = source
    this.#changed = changed
    this.#timers = timers
    this.#read()
  }

  /** Returns the same object until something changes. */
  get now(): LiveList {
    this.#now ??= { items: this.#objects === undefined ? null : [...this.#objects.values()], error: this.#error }
    return this.#now
  }

  /** Stops the watch and all timers. */
  stop(): void {
    this.#isStopped = true
    this.#timers.clear(this.#timer)
    this.#endWatch?.()
    this.#endWatch = undefined
  }

  /** Reads the list again at once, because events may have been lost while the API server did not respond. */
  refresh(): void {
    if (this.#isStopped) return
    this.#timers.clear(this.#timer)
    this.#endWatch?.()
    this.#endWatch = undefined
    this.#failures = 0
    this.#read()
  }

  #read(): void {
    this.#readings += 1
    const reading = this.#readings
    const isOver = (): boolean => this.#isStopped || reading !== this.#readings
    this.#source.list().then(
      ({ items, version }) => {
        if (isOver()) return
        this.#objects = new Map(items.map((item) => [objectKey(item), item]))
        this.#error = undefined
        this.#version = version
        this.#watch()
        this.#tell()
      },
      (error: unknown) => {
        if (isOver()) return
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
    if (type === 'DELETED') this.#objects?.delete(objectKey(object))
    else this.#objects?.set(objectKey(object), object)
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
