import { afterRequest, isResponse, NO_CONTACT, staleSince } from './reachability.ts'
import { type Discovery, NOT_DISCOVERED } from './served-kinds.ts'
import type { Timers } from './throttle.ts'

/**
 * The minimum time between two requests, in milliseconds. If a resource kind is installed while a page is open, it appears within five
 * seconds.
 */
const ASK_AGAIN_AFTER = 4_000

/**
 * How long a request may take, in milliseconds. Because this limit and the time between requests are short, a page detects within ten
 * seconds that its data are old.
 */
export const LONGEST_REQUEST = 5_000

interface DiscoveryDeps {
  /** Sends the request. It must end within `LONGEST_REQUEST`. */
  readonly ask: () => Promise<Discovery>
  /** Returns the time in milliseconds. */
  readonly now: () => number
  /** Called when the discovery changes, or when the API server stops or starts to respond. */
  readonly changed: () => void
  /** Called when an API server that was unreachable responds again. */
  readonly regained: () => void
}

/** Requests the discovery of an API server repeatedly, and records when the server stopped responding. */
export class DiscoveryWatch {
  readonly #deps: DiscoveryDeps
  #found: Discovery = NOT_DISCOVERED
  #contact = NO_CONTACT
  #asked = Number.NEGATIVE_INFINITY
  /** The number of requests so far. `#answered` is the number of the latest request that got a response. */
  #requests = 0
  #answered = 0

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps
  }

  /** Returns the last known result. Returns the same object until it changes. */
  get found(): Discovery {
    return this.#found
  }

  /** Returns the time since which the API server has not responded, or undefined if it responds. */
  get staleSince(): number | undefined {
    return staleSince(this.#contact)
  }

  /** Sends a request, unless one was sent recently. */
  refresh(): void {
    const now = this.#deps.now()
    if (now - this.#asked < ASK_AGAIN_AFTER / 2) return
    this.#asked = now
    const request = ++this.#requests
    this.#deps.ask().then(
      (discovery) => {
        this.#answered = Math.max(this.#answered, request)
        this.#record(true)
        this.#publish(discovery)
      },
      (error: unknown) => {
        // A request that was sent during an outage can fail after a later one was answered.
        if (request < this.#answered) return
        if (isResponse(error)) this.#answered = request
        this.#record(isResponse(error))
        if (this.#found.state === 'asking') this.#publish({ state: 'unknown', kinds: [] })
      },
    )
  }

  /** Sends requests until the returned function is called. Sends none while `isIdle` returns true, for example on a hidden page. */
  follow(timers: Timers, isIdle: () => boolean): () => void {
    let timer: unknown
    const wait = (): void => {
      timer = timers.set(() => {
        if (!isIdle()) this.refresh()
        wait()
      }, ASK_AGAIN_AFTER)
    }
    this.refresh()
    wait()
    return () => timers.clear(timer)
  }

  #record(isAnswered: boolean): void {
    const before = this.#contact
    this.#contact = afterRequest(before, this.#deps.now(), isAnswered)
    if (before.isFailing === this.#contact.isFailing) return
    if (isAnswered) this.#deps.regained()
    this.#deps.changed()
  }

  #publish(discovery: Discovery): void {
    if (JSON.stringify(this.#found) === JSON.stringify(discovery)) return
    this.#found = discovery
    this.#deps.changed()
  }
}
