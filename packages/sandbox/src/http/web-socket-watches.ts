import { STATUS_CODES } from 'node:http'
import { type HttpUpgrade, refuseUpgrade } from '@kerf/runtime'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SandboxApi } from '../api/sandbox-api.ts'
import type { ResourceEvent } from '../operations/reading.ts'
import { parseResourcePath } from '../resources/resource-path.ts'
import type { HttpApi } from './http-api.ts'
import { statusDocument } from './status-document.ts'
import { isWatch, openWatch, type WatchStream, watchLines } from './watch-stream.ts'

/** Serves watches over WebSocket with one message per event. Browsers use this to follow changes in a cluster. */
export class WebSocketWatches {
  readonly #api: SandboxApi
  readonly #http: HttpApi
  readonly #stopped: AbortSignal
  readonly #sockets = new WebSocketServer({
    noServer: true,
    // The client offers the token as one of the protocols. The server must not select it, because the response would then repeat the token.
    handleProtocols: (offered) => [...offered].find((one) => !one.startsWith('base64url.bearer.')) ?? false,
  })

  constructor(api: SandboxApi, http: HttpApi, stopped: AbortSignal) {
    this.#api = api
    this.#http = http
    this.#stopped = stopped
  }

  /** Handles an upgrade request. Refuses all requests except watches, with a plain HTTP response. */
  upgrade({ request, socket, head, target: written }: HttpUpgrade): void {
    let stream: OpenStream
    try {
      const url = this.#http.admit({ request, target: written })
      const target = parseResourcePath(url.pathname)
      const resource =
        target === undefined ? undefined : this.#api.state.registry.find(target.group, target.version, target.plural)
      if (target === undefined || resource === undefined || !isWatch(url.searchParams)) {
        refuseUpgrade(socket, 404, 'Not Found', 'only watches are served over WebSocket')
        return
      }
      const closed = new AbortController()
      const signal = AbortSignal.any([closed.signal, this.#stopped])
      const watch = openWatch(this.#api, resource, target, url.searchParams, 'object')
      // `watch` throws immediately if a selector is invalid. The watch itself starts when its first event is requested.
      stream = { watch, events: watch.events(signal), signal, close: () => closed.abort() }
    } catch (error) {
      const { code, body } = statusDocument(error)
      refuseUpgrade(socket, code, STATUS_CODES[code] ?? '', JSON.stringify(body))
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (connection) => void send(stream, connection))
  }
}

interface OpenStream {
  readonly watch: WatchStream
  readonly events: AsyncIterable<ResourceEvent>
  readonly signal: AbortSignal
  close(): void
}

/** Sends the events. Never rejects. */
const send = async ({ watch, events, signal, close }: OpenStream, connection: WebSocket): Promise<void> => {
  connection.on('close', close)
  connection.on('error', close)
  try {
    for await (const text of watchLines(watch, events, signal)) {
      await new Promise<void>((resolve) => connection.send(text, () => resolve()))
    }
    connection.close()
  } catch {
    connection.terminate()
  }
}
