import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

export type Body = Readonly<Record<string, unknown>>

/** A resource as Azure stores it. */
export interface StoredResource {
  /** The type in lower case, as in Resource Graph. */
  readonly type: string
  readonly name: string
  readonly id: string
  readonly body: Body
}

interface Change {
  readonly at: Milliseconds
  readonly resource: StoredResource | undefined
}

const keyOf = (type: string, name: string): string => `${type}/${name}`.toLowerCase()

/** The resources of one resource group: their current state, their history, and scheduled changes. */
export class ResourceStore {
  readonly #clock: Clock
  readonly #now = new Map<string, StoredResource>()
  readonly #history = new Map<string, Change[]>()
  #coming: { readonly at: Milliseconds; readonly run: () => void }[] = []
  /** The monotonic time of the event that is being processed. Undefined between two events. */
  #at: Milliseconds | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get now(): Milliseconds {
    return this.#at ?? this.#clock.monotonic()
  }

  /** Returns the wall-clock time at a monotonic time. */
  wallTime(at: Milliseconds = this.now): Milliseconds {
    return this.#clock.now() - this.#clock.monotonic() + at
  }

  /** Processes all events that are due, in order. */
  settle(): void {
    for (;;) {
      const due = this.#coming.filter(({ at }) => at <= this.#clock.monotonic())
      const [next] = due.toSorted((a, b) => a.at - b.at)
      if (next === undefined) return
      this.#coming = this.#coming.filter((each) => each !== next)
      this.#at = next.at
      try {
        next.run()
      } finally {
        this.#at = undefined
      }
    }
  }

  after(delay: Milliseconds, run: () => void): void {
    this.#coming.push({ at: this.now + delay, run })
  }

  get(type: string, name: string): StoredResource | undefined {
    return this.#now.get(keyOf(type, name))
  }

  of(type: string): readonly StoredResource[] {
    return [...this.#now.values()].filter((resource) => resource.type === type)
  }

  all(): readonly StoredResource[] {
    return [...this.#now.values()]
  }

  put(resource: StoredResource): void {
    this.#now.set(keyOf(resource.type, resource.name), resource)
    this.#note(keyOf(resource.type, resource.name), resource)
  }

  remove(type: string, name: string): void {
    if (this.#now.delete(keyOf(type, name))) this.#note(keyOf(type, name), undefined)
  }

  /** Returns the resources at an earlier time. */
  asOf(at: Milliseconds): readonly StoredResource[] {
    return [...this.#history.values()].flatMap((changes) => {
      const { resource } = changes.findLast((change) => change.at <= at) ?? {}
      return resource === undefined ? [] : [resource]
    })
  }

  /** Adds a resource as if it had existed since the given time. */
  backdate(resource: StoredResource, at: Milliseconds): void {
    this.#now.set(keyOf(resource.type, resource.name), resource)
    this.#history.set(keyOf(resource.type, resource.name), [{ at, resource }])
  }

  #note(key: string, resource: StoredResource | undefined): void {
    this.#history.set(key, [...(this.#history.get(key) ?? []), { at: this.now, resource }])
  }
}
