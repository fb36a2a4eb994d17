import type { BrowserContext, Response } from 'playwright-core'

/** The program's own files, which are the same for everybody. */
const FILES: ReadonlySet<string> = new Set(['script', 'stylesheet', 'font', 'image'])

/** Everything that the pages of a window were sent: answers of every status, and what came over WebSockets. */
export class Received {
  /** Bodies by address, in the order in which they came. */
  readonly bodies: { readonly url: string; readonly text: string }[] = []
  readonly #reading = new Set<Promise<void>>()

  constructor(context: BrowserContext) {
    context.on('requestfinished', (request) => {
      if (FILES.has(request.resourceType())) return
      const reading = request
        .response()
        .then((response) => this.#read(response))
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

  /** Waits for the bodies that are still being read. */
  async settled(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading)
  }

  /** The addresses whose bodies match. */
  matching(pattern: RegExp): readonly string[] {
    return [...new Set(this.bodies.filter(({ text }) => pattern.test(text)).map(({ url }) => url))]
  }
}
