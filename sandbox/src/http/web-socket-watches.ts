import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { SandboxApi } from '../api/sandbox-api.ts'
import type { HttpApi } from './http-api.ts'
import { parseResourcePath } from './request-path.ts'
import { statusDocument } from './status-document.ts'
import { isWatch, watchLines, watchOf } from './watch-stream.ts'

/** Watches over WebSocket, one message an event, as browsers follow a cluster. */
export class WebSocketWatches {
  readonly #api: SandboxApi
  readonly #http: HttpApi
  readonly #stopped: AbortSignal
  readonly #sockets = new WebSocketServer({
    noServer: true,
    // The token is among the offered protocols; it must not be the one that is agreed on.
    handleProtocols: (offered) => [...offered].find((one) => !one.startsWith('base64url.bearer.')) ?? false,
  })

  constructor(api: SandboxApi, http: HttpApi, stopped: AbortSignal) {
    this.#api = api
    this.#http = http
    this.#stopped = stopped
  }

  /** Answers an upgrade; what is no watch is refused in plain HTTP. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      const url = this.#http.admit(request)
      const target = parseResourcePath(url.pathname)
      const resource =
        target === undefined ? undefined : this.#api.state.registry.find(target.group, target.version, target.plural)
      if (target === undefined || resource === undefined || !isWatch(url.searchParams)) {
        refuse(socket, 404, 'only watches are served over WebSocket')
        return
      }
      const closed = new AbortController()
      const signal = AbortSignal.any([closed.signal, this.#stopped])
      const watch = watchOf(this.#api, resource, target, url.searchParams, 'object')
      const events = watch.events(signal)
      this.#sockets.handleUpgrade(request, socket, head, (connection) => {
        connection.on('close', () => closed.abort())
        connection.on('error', () => closed.abort())
        const send = async (): Promise<void> => {
          for await (const text of watchLines(watch, events, signal)) {
            await new Promise<void>((resolve) => connection.send(text, () => resolve()))
          }
          connection.close()
        }
        void send()
      })
    } catch (error) {
      const { code, body } = statusDocument(error)
      refuse(socket, code, JSON.stringify(body))
    }
  }
}

const refuse = (socket: Duplex, code: number, body: string): void => {
  socket.end(
    `HTTP/1.1 ${code} Refused\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
