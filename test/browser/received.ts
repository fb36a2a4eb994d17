import type { BrowserContext, Response } from 'playwright-core'

/** The program's own files, which are the same for everybody. */
const FILES: ReadonlySet<string> = new Set(['script', 'stylesheet', 'font', 'image'])

/** Everything that the pages of a window were sent: answers of every status, and what came over WebSockets. */
export class Received {
  /** Bodies by address, in the order in which they came. */
  readonly bodies: { readonly url: string; readonly text: string }[] = []
  readonly #reading = new Set<Promise<void>>()
  /** Bodies that could not be read, so that nobody knows what stood in them. */
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
   * Waits for the bodies that are still being read; throws if one could not be. What a page still asks for while it is
   * closed, after this, is nobody's matter.
   */
  async settled(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading)
    if (this.#unread.length > 0) throw new AggregateError(this.#unread, 'an answer could not be read')
  }

  /** The addresses whose bodies match. */
  matching(pattern: RegExp): readonly string[] {
    return [...new Set(this.bodies.filter(({ text }) => pattern.test(text)).map(({ url }) => url))]
  }
}
