import { createReadStream, existsSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** Carries a hash of its content in its name, so it never changes. */
const HASHED = /-[\w-]{8,}\.\w+$/

/** Serves the files of one directory, and nothing outside it. */
export class StaticFiles {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = normalize(directory)
  }

  /** Sends the file, or answers `false` when there is none of that name. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const file = this.#find(path)
    if (file === undefined) return false
    const packed = acceptsGzip(request) && existsSync(`${file}.gz`) ? `${file}.gz` : undefined
    const sent = packed ?? file
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(sent).size,
      'cache-control': HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(packed !== undefined && { 'content-encoding': 'gzip' }),
    })
    if (request.method === 'HEAD') response.end()
    else
      createReadStream(sent)
        .on('error', () => response.destroy())
        .pipe(response)
    return true
  }

  #find(path: string): string | undefined {
    let decoded: string
    try {
      decoded = decodeURIComponent(path)
    } catch {
      return undefined
    }
    const file = normalize(join(this.#directory, decoded))
    if (decoded.includes('\0') || !file.startsWith(this.#directory + sep)) return undefined
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined
  }
}

const acceptsGzip = (request: IncomingMessage): boolean => /\bgzip\b/.test(String(request.headers['accept-encoding']))
