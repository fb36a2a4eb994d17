import type { BrowserContext, Response } from 'playwright-core'

/** The resource types of static files, which are the same for every user. */
const FILES: ReadonlySet<string> = new Set(['script', 'stylesheet', 'font', 'image'])

/** All data that the pages of a window received: responses of every status, and WebSocket messages. */
export class Received {
  /** The received bodies with their URLs, in the order of arrival. */
  readonly bodies: { readonly url: string; readonly text: string }[] = []
  readonly #reading = new Set<Promise<void>>()
  /** Errors that occurred while reading bodies. The content of these bodies is unknown. */
  readonly #unread: unknown[] = []

  constructor(context: BrowserContext) {
    context.on('requestfinished', (request) => {
      if (FILES.has(request.resourceType())) return
      const reading = request
        .response()
        .then((response) => this.#read(response))
        .catch((error: unknown) => this.#unread.push(error))
        .then(() => undefined)
        .finally(() => this.#reading.delete(reading))
      this.#reading.add(reading)
    })
    context.on('page', (page) => {
      page.on('websocket', (socket) => {
        const url = socket.url()
        socket.on('framereceived', ({ payload }) => this.bodies.push({ url, text: payload.toString() }))
      })
    })
  }

  async #read(response: Response | null): Promise<void> {
    if (response === null || response.status() === 204 || response.status() === 304) return
    this.bodies.push({ url: response.url(), text: await response.text() })
  }

  /**
   * Waits for the bodies that are still being read. Throws if a body could not be read. Ignores responses that arrive afterwards, while the
   * page is being closed.
   */
  async settled(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading)
    if (this.#unread.length > 0) throw new AggregateError(this.#unread, 'an answer could not be read')
  }

  /** Returns the URLs whose bodies match. */
  matching(pattern: RegExp): readonly string[] {
    return [...new Set(this.bodies.filter(({ text }) => pattern.test(text)).map(({ url }) => url))]
  }
}
