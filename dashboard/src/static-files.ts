import type { IncomingMessage, ServerResponse } from 'node:http'
import { lookup } from 'mrmime'
import sirv, { type RequestHandler } from 'sirv'

/** Carries a hash of its content in its name, so it never changes. */
const HASHED = /-[\w-]{8,}\.\w+$/
/** Types whose text is UTF-8; the browser would otherwise go by the page. */
const TEXT = /^text\/|^application\/json$/

const typeOf = (path: string): string => {
  const type = lookup(path) ?? (path.endsWith('.ico') ? 'image/x-icon' : 'application/octet-stream')
  return TEXT.test(type) ? `${type}; charset=utf-8` : type
}

/** Serves the files of one directory, packed ones to who takes them, and nothing outside it. */
export class StaticFiles {
  readonly #serve: RequestHandler

  constructor(directory: string) {
    this.#serve = sirv(directory, {
      // The files are looked up when they are asked for: the directory may be filled later.
      dev: true,
      gzip: true,
      extensions: [],
      setHeaders: (response, path) => {
        response.setHeader('content-type', typeOf(path))
        response.setHeader('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }

  /** Sends the file, or answers `false` when there is none of that name. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    let isServed = true
    request.url = path
    // A file that cannot be read after all must not end the process, which sirv leaves to its caller.
    response.once('pipe', (file) => file.on('error', () => response.destroy()))
    this.#serve(request, response, () => {
      isServed = false
    })
    return isServed
  }
}
