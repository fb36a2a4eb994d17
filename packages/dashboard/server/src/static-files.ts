import type { IncomingMessage, ServerResponse } from 'node:http'
import { lookup } from 'mrmime'
import sirv, { type RequestHandler } from 'sirv'

/** Matches file names that contain a hash of the content. Files with these names never change. */
const HASHED = /-[\w-]{8,}\.\w+$/
/** Matches content types that need `charset=utf-8`. Without it, the browser would use the page's encoding. */
const TEXT = /^text\/|^application\/json$/

const typeOf = (path: string): string => {
  const type = lookup(path) ?? (path.endsWith('.ico') ? 'image/x-icon' : 'application/octet-stream')
  return TEXT.test(type) ? `${type}; charset=utf-8` : type
}

/** Serves the files of one directory and nothing outside it. Sends compressed files to clients that accept them. */
export class StaticFiles {
  readonly #serve: RequestHandler

  constructor(directory: string) {
    this.#serve = sirv(directory, {
      // Looks up files on each request, because the directory may be filled later.
      dev: true,
      gzip: true,
      extensions: [],
      setHeaders: (response, path) => {
        response.setHeader('content-type', typeOf(path))
        response.setHeader('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }

  /** Sends the file. Returns `false` if there is no file with that name. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    let isServed = true
    request.url = path
    // If a file cannot be read, sirv emits an error that would end the process.
    response.once('pipe', (file) => file.on('error', () => response.destroy()))
    this.#serve(request, response, () => {
      isServed = false
    })
    return isServed
  }
}
